import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { FullReadModels } from './fullReadModels.ts';

/** The embedded stores with full read models, in a process of their own. */
export type FilledStore = FullReadModels & {
  url: string;
  databaseUrl: string;
  /** As `MASTER_SECRET` has it. */
  masterSecret: string;
  stop: () => Promise<void>;
};

/**
 * Starts the embedded stores and fills the read models, in a process of their own: collecting the garbage of that would be a part of the
 * times that its parent measures.
 */
export const startFilledStore = async ({
  customers,
  integrators,
}: {
  customers: number;
  integrators: number;
}): Promise<FilledStore> => {
  const child = fork(new URL('./fullReadModelsProcess.js', import.meta.url), [String(customers), String(integrators)]);
  const stop = async (): Promise<void> => {
    child.disconnect();
    await once(child, 'exit');
  };
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The process with the read models ended with ${code}`);
  });
  failed.catch(() => undefined); // it ends after it is stopped, too
  const [filled] = (await Promise.race([once(child, 'message'), failed])) as [Omit<FilledStore, 'stop'>];
  return { ...filled, stop };
};

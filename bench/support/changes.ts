import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Tool } from './apiClients.ts';

/** The changes to make; numbers are changes a second. */
export type Changing = {
  url: string;
  databaseUrl: string;
  integratorId: string;
  tools: readonly Tool[];
  /** Notifications of changed topics. */
  topics: number;
  /** Users who connect or disconnect. */
  presence: number;
  /** Requests that record calls. */
  recordings: number;
};

/** Starts a process that makes changes until `stop`, which resolves to the changes made a second. */
export const startChanges = async (changing: Changing): Promise<{ stop: () => Promise<number> }> => {
  const child = fork(new URL('./changesProcess.js', import.meta.url));
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const failed = new Promise<never>((_, reject) => {
    child.once('exit', (code) => {
      process.off('exit', kill);
      if (code !== 0) reject(new Error(`The changes ended with ${code}`));
    });
  });
  failed.catch(() => undefined); // awaited below
  child.send(changing);
  await Promise.race([once(child, 'message'), failed]);
  return {
    stop: async () => {
      const rateMessage = once(child, 'message');
      child.send('stop');
      const [rate] = (await Promise.race([rateMessage, failed])) as [number];
      if (child.exitCode === null) await once(child, 'exit');
      return rate;
    },
  };
};

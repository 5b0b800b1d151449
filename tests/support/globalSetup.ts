import type { TestProject } from 'vitest/node';
import { type RunningStores, type SharedStores, startSharedStores } from './sharedStores.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    stores: SharedStores;
  }
}

type Shared = { users: number; running: Promise<RunningStores> };

/** vitest loads this file anew for every project of a run; what they share has to live outside it. */
const run = globalThis as typeof globalThis & { latchkeyStores?: Shared };

const announced = async (): Promise<RunningStores> => {
  const running = await startSharedStores(process.env);
  process.stderr.write(`Stores: ${running.label}\n`);
  return running;
};

/** Starts the stores with the first project that wants them; the returned function ends them with the last. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  run.latchkeyStores ??= { users: 0, running: announced() };
  const shared = run.latchkeyStores;
  shared.users += 1;
  const { stores, close } = await shared.running;
  project.provide('stores', stores);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete run.latchkeyStores;
    await close();
  };
};

import type { TestProject } from 'vitest/node';
import { type RunningStores, type SharedStores, startSharedStores } from './sharedStores.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    stores: SharedStores;
  }
}

type Shared = { users: number; running: Promise<RunningStores> };

/** vitest loads this file for every project of a run, so their shared state must be outside of it. */
const run = globalThis as typeof globalThis & { latchkeyStores?: Shared };

const announced = async (): Promise<RunningStores> => {
  const running = await startSharedStores(process.env);
  process.stderr.write(`Stores: ${running.label}\n`);
  return running;
};

/** Starts the stores for the first project that needs them. The returned function stops them after the last. */
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

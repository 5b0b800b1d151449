import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Memory } from './memoryProbe.ts';
import { MEMORY_PROBE_ARGS, memoryOf } from './processMemory.ts';
import { startBarePostgres } from './rawInsert.ts';

/** The embedded event store in a process of its own, so that its memory is measured alone. */
export type StoreProcess = Readonly<{
  url: string;
  databaseUrl: string;
  pid: number;
  /** After a full garbage collection. */
  memory: () => Promise<Memory>;
  stop: () => Promise<void>;
}>;

/** Starts a PostgreSQL and the event store, which runs in the process's main thread. */
export const startStoreProcess = async (): Promise<StoreProcess> => {
  const postgres = await startBarePostgres();
  const child = fork(new URL('./embeddedStoreProcess.js', import.meta.url), [postgres.url], { execArgv: [...MEMORY_PROBE_ARGS] });
  process.once('exit', () => child.kill('SIGKILL'));
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    databaseUrl: postgres.url,
    pid: child.pid ?? 0,
    memory: () => memoryOf(child),
    stop: async () => {
      child.disconnect();
      await once(child, 'exit');
      await postgres.stop();
    },
  };
};

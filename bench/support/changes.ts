import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Tool } from './people.ts';

/** Who changes and how often a second. */
export type Changing = {
  url: string;
  databaseUrl: string;
  integratorId: string;
  tools: readonly Tool[];
  /** Topics that are announced. */
  topics: number;
  /** Users who come or go. */
  presence: number;
  /** Requests that record calls. */
  recordings: number;
};

/** Has a process of its own make changes until it is told to stop; then it says how many it made a second. */
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
  failed.catch(() => undefined); // told to whoever waits
  child.send(changing);
  await Promise.race([once(child, 'message'), failed]);
  return {
    stop: async () => {
      const told = once(child, 'message');
      child.send('stop');
      const [rate] = (await Promise.race([told, failed])) as [number];
      if (child.exitCode === null) await once(child, 'exit');
      return rate;
    },
  };
};

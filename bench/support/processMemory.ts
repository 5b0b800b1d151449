import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Memory } from './memoryProbe.ts';

/** Node arguments of a process whose memory `memoryOf` can measure. The process needs an IPC channel. */
export const MEMORY_PROBE_ARGS: readonly string[] = [
  '--expose-gc',
  '--import',
  fileURLToPath(new URL('./memoryProbe.js', import.meta.url)),
];

const isMemory = (message: unknown): message is Memory => typeof message === 'object' && message !== null && 'resident' in message;

/** The memory in bytes, after a full garbage collection, of a process started with `MEMORY_PROBE_ARGS`. */
export const memoryOf = (child: ChildProcess): Promise<Memory> =>
  new Promise((resolve, reject) => {
    const onMessage = (message: unknown): void => {
      if (!isMemory(message)) return;
      child.off('message', onMessage).off('exit', fail);
      resolve(message);
    };
    const fail = (): void => reject(new Error('The process ended before it reported its memory'));
    child.on('message', onMessage).once('exit', fail);
    child.send('memory');
  });

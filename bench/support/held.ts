import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Held } from './memoryProbe.ts';

/** Arguments of node with which a process can be asked for what it holds. It needs an IPC channel. */
export const ASKABLE: readonly string[] = ['--expose-gc', '--import', fileURLToPath(new URL('./memoryProbe.js', import.meta.url))];

const isHeld = (message: unknown): message is Held => typeof message === 'object' && message !== null && 'resident' in message;

/** What a process started with `ASKABLE` holds after a full garbage collection, in bytes. */
export const heldBy = (child: ChildProcess): Promise<Held> =>
  new Promise((resolve, reject) => {
    const hear = (message: unknown): void => {
      if (!isHeld(message)) return;
      child.off('message', hear).off('exit', fail);
      resolve(message);
    };
    const fail = (): void => reject(new Error('It ended before it told what it holds'));
    child.on('message', hear).once('exit', fail);
    child.send('memory');
  });

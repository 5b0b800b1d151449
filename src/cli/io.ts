import type { Readable, Writable } from 'node:stream';
import type { Env } from './env.ts';

export type Input = Readable & {
  isTTY?: boolean | undefined;
  fd?: number | undefined;
  setRawMode?: ((raw: boolean) => unknown) | undefined;
};
export type Output = Writable & { isTTY?: boolean | undefined; columns?: number | undefined };

/** Everything the command touches of the process it runs in. */
export type Io = Readonly<{
  stdin: Input;
  stdout: Output;
  stderr: Output;
  env: Env;
  cwd: string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Aborted by Ctrl-C and by a request to terminate. */
  interrupted: AbortSignal;
}>;

/** The only reading of the wall clock in the command-line tool. */
export const systemClock = (): number => Date.now();

/** The time of a recorded call and of every file that carries one. */
export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();

import type { Readable, Writable } from 'node:stream';
import type { Env } from './env.ts';

/** Standard input as the tool uses it, terminal or not. */
export type Input = Readable & {
  isTTY?: boolean | undefined;
  fd?: number | undefined;
  setRawMode?: ((raw: boolean) => unknown) | undefined;
};
/** Standard output or error as the tool uses it, terminal or not. */
export type Output = Writable & { isTTY?: boolean | undefined; columns?: number | undefined };

/** The process's streams, environment, clock and signals, as far as commands use them. */
export type Io = Readonly<{
  stdin: Input;
  stdout: Output;
  stderr: Output;
  env: Env;
  cwd: string;
  /** The current time in epoch ms. */
  now: () => number;
  /** Aborted by SIGINT, SIGTERM and SIGHUP. */
  interrupted: AbortSignal;
}>;

/** The only access to the wall clock in the command-line tool. */
export const systemClock = (): number => Date.now();

/** The format of times in recorded calls and in files. */
export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();

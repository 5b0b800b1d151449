import type { LogLevel } from './log.ts';

/** What the thread says. It says `started` or `failed` first, and nothing after `failed`. */
export type WorkerMessage =
  | Readonly<{ kind: 'started'; connectionString: string }>
  | Readonly<{ kind: 'failed'; reason: string }>
  | Readonly<{ kind: 'log'; level: LogLevel; line: string }>;

/** The one thing it is told. It ends by itself when it has closed. */
export const CLOSE = 'close';

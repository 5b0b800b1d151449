import type { LogLevel } from './log.ts';

/** A message from the worker. The first is `started` or `failed` (apart from `log`), and none follows `failed`. */
export type WorkerMessage =
  | Readonly<{ kind: 'started'; connectionString: string; networkConnectionString: string | null }>
  | Readonly<{ kind: 'failed'; reason: string }>
  | Readonly<{ kind: 'log'; level: LogLevel; line: string }>;

/** The message that closes the worker. The thread exits when the store is closed. */
export const CLOSE = 'close';

export type LogLevel = 'info' | 'warn' | 'error';

/** Receives one log line per call. */
export type Log = (level: LogLevel, line: string) => void;

/** The message of an error, for a line of the log. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

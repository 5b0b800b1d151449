export type LogLevel = 'info' | 'warn' | 'error';

/** Receives one log line per call. */
export type Log = (level: LogLevel, line: string) => void;

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export type LogLevel = 'info' | 'warn' | 'error';

/** Where the server reports to, a line at a time. */
export type Log = (level: LogLevel, line: string) => void;

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

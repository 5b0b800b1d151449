/** Where the server reports to, a line at a time. */
export type Log = (line: string) => void;

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

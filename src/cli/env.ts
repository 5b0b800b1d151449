/** Environment variables of the process or of a caller. */
export type Env = Readonly<Record<string, string | undefined>>;

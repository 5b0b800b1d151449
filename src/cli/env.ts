/** Environment variables, as the process has them or as a caller gives them. */
export type Env = Readonly<Record<string, string | undefined>>;

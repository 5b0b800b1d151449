/** Key of the query that returns who is signed in; each area has its own cache. */
export const sessionKey = ['session'] as const;

/** Key of the query that says who is signed in; one a cache, since each area has its own. */
export const sessionKey = ['session'] as const;

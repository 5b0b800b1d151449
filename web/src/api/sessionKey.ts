/** Key of the query for the signed-in account; each area has its own cache. */
export const sessionKey = ['session'] as const;

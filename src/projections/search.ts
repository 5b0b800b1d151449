/** How names are compared in lists: without case and accents. Cut, so that an index can hold it. */
export const sortNameOf = (name: string): string => name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().slice(0, 100);

/** What a search looks through: one field a line, so that nothing is found across two of them. */
export const searchTextOf = (...fields: readonly (string | null)[]): string =>
  fields
    .filter((field) => field !== null)
    .join('\n')
    .toLowerCase();

/** A LIKE pattern that finds the text anywhere; what LIKE takes for wildcards is taken literally. */
export const patternOf = (search: string): string => `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;

/** Counting what a search matches ends here, so that no list reads a whole table. */
export const COUNT_LIMIT = 10_000;

import { type RawBuilder, sql } from 'kysely';
import { int4ArrayOf } from './keyFragments.ts';

/** How names are compared in lists: without case and accents. Cut, so that an index can hold it. */
export const sortNameOf = (name: string): string => name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().slice(0, 100);

/** The words of a field, each after one blank. */
const wordsOf = (field: string): string => ` ${field.replace(/[^\p{L}\p{N}]+/gu, ' ')}`;

/** In UTF-8. An entry of an index holds 2,704 bytes with all its columns; the fields that are searched take less than 2,100. */
const SEARCH_BYTES = 2_500;
const utf8 = new TextEncoder();

/** As many characters as `SEARCH_BYTES` hold. */
const cut = (text: string): string => text.slice(0, utf8.encodeInto(text, new Uint8Array(SEARCH_BYTES)).read);

/**
 * What a search looks through: one field a line, so that nothing is found across two of them; then the same fields as words, so that
 * an index can find where one begins. Cut, so that an index can hold it; the fields themselves are always whole.
 */
export const searchTextOf = (...fields: readonly (string | null)[]): string => {
  const given = fields.filter((field) => field !== null);
  return cut([...given, ...given.map(wordsOf)].join('\n').toLowerCase());
};

/** A LIKE pattern that finds the text anywhere; what LIKE takes for wildcards is taken literally. */
export const anywhere = (search: string): string => `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;

/** Too short for an index of three letters each. */
const SHORT = /^[\p{L}\p{N}]{1,2}$/u;

/** A LIKE pattern that finds the text anywhere or, if it is but a letter or two, where a word begins. */
export const patternOf = (search: string): string => (SHORT.test(search) ? `% ${search.toLowerCase()}%` : anywhere(search));

/**
 * Whether the search finds an account by its text or, where the search may be a part of its key, by the key's fragments. `table` is the
 * account's in the query.
 */
export const findsAccount = (table: string, search: string, keyFragments: readonly number[]): RawBuilder<boolean> => {
  const text = sql`${sql.ref(`${table}.search`)} like ${patternOf(search)}`;
  if (keyFragments.length === 0) return sql<boolean>`${text}`;
  return sql<boolean>`(${text} or ${sql.ref(`${table}.key_fragments`)} @> ${int4ArrayOf(keyFragments)}::int4[])`;
};

/** Counting what a search matches ends here, so that no list reads a whole table. */
export const COUNT_LIMIT = 10_000;

/** What the page of a list says if so many were counted and there may be more. */
export type CountEnd = { countedUpTo?: number };
export const countEndAfter = (counted: number): CountEnd => (counted < COUNT_LIMIT ? {} : { countedUpTo: COUNT_LIMIT });

/** Digests a text with the look-up pepper; see `keyDigest`. */
type Digest = (text: string) => Buffer;

/** The fewest letters of a key that a search finds it by. */
const FRAGMENT_LETTERS = 4;

/**
 * The random part of a key, whole or in part, with or without what stands before it: `LK-ENT-7K2M-Q9XTR`, `7K2M-Q9` or `9XTR`. Three
 * letters are the code of a plan where a dash and four letters follow; as a part of the key they would only narrow the search.
 */
const KEY_PART =
  /^(?:(?:[A-Z0-9]+-)?(?:ENT|SI|[A-Z]{3}(?=-[0-9A-HJKMNP-TV-Z]{4}))-)?([0-9A-HJKMNP-TV-Z]{1,4}-?[0-9A-HJKMNP-TV-Z]{0,5})$/;

/**
 * Keyed hashes (int4) of every four successive letters in a text that may be part of a key; none when it cannot be. A key that
 * holds a part of at least four letters has all hashes of the part, so it is found without being stored in the clear. The reverse is
 * only likely: the parts may stand apart in the key, or two hashes may be equal.
 */
export const keyFragmentsOf = (digest: Digest, text: string): number[] => {
  const letters = KEY_PART.exec(text.trim().toUpperCase())?.[1]?.replace('-', '') ?? '';
  return Array.from({ length: Math.max(0, letters.length - FRAGMENT_LETTERS + 1) }, (_, start) =>
    digest(`FRAGMENT ${letters.slice(start, start + FRAGMENT_LETTERS)}`).readInt32BE(0),
  );
};

/** The hashes as PostgreSQL writes an array. */
export const int4ArrayOf = (numbers: readonly number[]): string => `{${numbers.join(',')}}`;

/** The hashes of a key that is not known. */
export const NO_FRAGMENTS = int4ArrayOf([]);

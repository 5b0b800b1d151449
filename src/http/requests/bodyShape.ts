import { MAX_DEPTH, MAX_FIELDS } from '../limits.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What a byte outside of strings means. */
const NOTHING = 0;
const STRING = 1;
const FIELD = 2;
const OPEN = 3;
const CLOSE = 4;
const MEANING = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (character === '"') return STRING;
  if (character === ':') return FIELD;
  if ('[{'.includes(character)) return OPEN;
  return ']}'.includes(character) ? CLOSE : NOTHING;
});

/** The index of the quote that ends a string whose text begins at `from`; at least the length of the body where none does. */
const endOfString = (body: Uint8Array, from: number): number => {
  let index = from;
  for (; index < body.length; index++) {
    const byte = body[index];
    if (byte === QUOTE) break;
    if (byte === BACKSLASH) index += 1;
  }
  return index;
};

/**
 * Whether JSON nests deeper than `MAX_DEPTH`, or has an object with more than `MAX_FIELDS` fields: such a body costs far more to
 * parse and to check than to read. Each byte is read once. The result has no meaning for a body that is not JSON.
 */
export const isTooComplex = (body: Uint8Array): boolean => {
  const fields = new Uint32Array(MAX_DEPTH + 1);
  let depth = 0;
  for (let index = 0; index < body.length; index++) {
    const meaning = MEANING[body[index] ?? NOTHING];
    if (meaning === NOTHING) continue;
    if (meaning === STRING) index = endOfString(body, index + 1);
    else if (meaning === FIELD) {
      const count = (fields[depth] ?? 0) + 1;
      if (count > MAX_FIELDS) return true;
      fields[depth] = count;
    } else if (meaning === OPEN) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
      fields[depth] = 0;
    } else if (depth > 0) depth -= 1;
  }
  return false;
};

import { MAX_USAGE_PARTS } from '../../domain/limits.ts';
import { areEqual, type Bytes } from '../callCounts/bytes.ts';

/**
 * What calls are divided by: `u` user, `i` instance, `o` operation, `s` service, `r` reason of an error (the HTTP status). Each of them
 * divides all calls, and `r` all failed ones.
 */
export type Dimension = 'u' | 'i' | 'o' | 's' | 'r';

/** Calls, failed ones, their total duration in ms, and the last one in ms since 1970. */
export type Part = { calls: number; errors: number; totalMs: number; lastAt: number };

/** Parts by their keys: a dimension, the number of a quarter, and the bytes of the value as Latin-1. */
export type Parts = Map<string, Part>;

/** Users and operations are chosen by clients, so that further ones are counted together, under an empty value. */
const BOUNDED: ReadonlySet<string> = new Set<Dimension>(['u', 'o']);
const PREFIX = 2;

const scratch = Buffer.allocUnsafe(16);

/** The bytes of a UUID, as a part of a key. */
export const uuidBytes = (uuid: string): string => scratch.toString('latin1', 0, scratch.write(uuid.replaceAll('-', ''), 'hex'));
/** The bytes of a text, as a part of a key. */
export const textBytes = (text: string): string =>
  Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');

/** What `uuidBytes` was made of. */
export const uuidOf = (bytes: string): string => {
  const hex = Buffer.from(bytes, 'latin1').toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
};
/** What `textBytes` was made of. */
export const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

/** Parts of one row, in memory. */
export type OpenParts = Readonly<{
  /** Adds calls of one quarter (0 to 3; 0 in a row of a day) to the part of a value. */
  add: (dimension: Dimension, quarter: number, value: string, more: Part) => void;
  encode: () => Buffer;
}>;

/** Adds a part to another one. */
export const addPart = (to: Part, { calls, errors, totalMs, lastAt }: Part): void => {
  to.calls += calls;
  to.errors += errors;
  to.totalMs += totalMs;
  if (lastAt > to.lastAt) to.lastAt = lastAt;
};

/** Adds a number, as `readerOf` reads it. */
export const pushNumber = (bytes: number[], value: number): void => {
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
};

/** Reads numbers and texts of stored bytes one after the other. Numbers are LEB128. */
export const readerOf = (stored: Buffer, start = 0, end = stored.length) => {
  let at = start;
  const number = (): number => {
    let byte = stored[at++] ?? 0;
    let value = byte & 127;
    for (let weight = 128; byte >= 128; weight *= 128) {
      byte = stored[at++] ?? 0;
      value += (byte & 127) * weight;
    }
    return value;
  };
  return {
    number,
    /** Leaves out so many bytes, and returns where they begin. */
    skip: (length: number): number => {
      at += length;
      return at - length;
    },
    isAtEnd: () => at >= end,
  };
};

/** Calls back with each part of a row that begins at `start` (ms since 1970). */
export const eachPart = (stored: Buffer, start: number, take: (key: string, part: Part) => void): void => {
  const reader = readerOf(stored);
  while (!reader.isAtEnd()) {
    const length = reader.number();
    const keyAt = reader.skip(length);
    const key = stored.toString('latin1', keyAt, keyAt + length);
    take(key, { calls: reader.number(), errors: reader.number(), totalMs: reader.number(), lastAt: start + reader.number() });
  }
};

/** The key of a part in a row that was read, and its sum; null if it is not added up. */
type ReadKey = Bytes & Readonly<{ sum: Part | null }>;

type PartSums = Readonly<{
  sums: Parts;
  /**
   * Adds the parts of a row, which begins at `ms` since 1970: all, or those of the quarters that are `isIn`. They are the bytes of
   * `stored` from `start` to `end`.
   */
  addRow: (ms: number, stored: Buffer, start: number, end: number, isIn?: (quarter: number) => boolean) => void;
}>;

/** Adds up the parts of rows, or those of one dimension, without their quarters. */
export const createPartSums = (only?: Dimension): PartSums => {
  const sums: Parts = new Map();
  /** The keys of the last row in their order: rows mostly have equal keys, so few are looked up as texts. */
  const keys: ReadKey[] = [];
  const sumOf = (key: string): Part | null => {
    if (only !== undefined && key.charAt(0) !== only) return null;
    const id = key.charAt(0) + key.slice(PREFIX);
    const sum = sums.get(id) ?? { calls: 0, errors: 0, totalMs: 0, lastAt: 0 };
    sums.set(id, sum);
    return sum;
  };
  const keyAt = (index: number, stored: Buffer, start: number, length: number): ReadKey => {
    const known = keys[index];
    const end = start + length;
    if (known && areEqual(known, stored, start, end)) return known;
    const read = { buffer: stored, start, end, sum: sumOf(stored.toString('latin1', start, end)) };
    keys[index] = read;
    return read;
  };
  return {
    sums,
    addRow: (ms, stored, start, end, isIn) => {
      const reader = readerOf(stored, start, end);
      for (let index = 0; !reader.isAtEnd(); index++) {
        const length = reader.number();
        const at = reader.skip(length);
        const calls = reader.number();
        const errors = reader.number();
        const totalMs = reader.number();
        const lastAt = ms + reader.number();
        if (isIn && !isIn(stored[at + 1] ?? 0)) continue;
        const { sum } = keyAt(index, stored, at, length);
        if (sum) addPart(sum, { calls, errors, totalMs, lastAt });
      }
    },
  };
};

/** The dimension, the number of the quarter and the value of a key. */
export const splitKey = (key: string): [dimension: string, quarter: number, value: string] => [
  key.charAt(0),
  key.charCodeAt(1),
  key.slice(PREFIX),
];

/** The most bytes of a safe integer, seven bits a byte. */
const LONGEST_NUMBER = 8;
const NUMBERS = 5;

/** The parts in the order of the given keys. */
const encodeParts = (parts: Parts, keys: readonly string[], start: number): Buffer => {
  const bytes = Buffer.allocUnsafe(keys.reduce((sum, key) => sum + key.length + NUMBERS * LONGEST_NUMBER, 0));
  let end = 0;
  const put = (value: number): void => {
    let rest = value;
    while (rest >= 128) {
      bytes[end++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    bytes[end++] = rest;
  };
  for (const key of keys) {
    const part = parts.get(key);
    if (!part) continue;
    put(key.length);
    end += bytes.write(key, end, 'latin1');
    put(part.calls);
    put(part.errors);
    put(part.totalMs);
    put(part.lastAt - start);
  }
  return bytes.subarray(0, end);
};

/** Opens the parts of a row that begins at `start`. The first values of a bounded dimension are kept apart in each quarter. */
export const openParts = (stored: Buffer | undefined, start: number): OpenParts => {
  const parts: Parts = new Map();
  const counts = new Map<string, number>();
  const insert = (key: string, part: Part): void => {
    parts.set(key, part);
    if (key.length <= PREFIX || !BOUNDED.has(key.charAt(0))) return;
    const prefix = key.slice(0, PREFIX);
    counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  };
  if (stored) eachPart(stored, start, insert);
  const stayed = parts.size;

  return {
    add: (dimension, quarter, value, more) => {
      const prefix = dimension + String.fromCharCode(quarter);
      let key = prefix + value;
      if (!parts.has(key) && (counts.get(prefix) ?? 0) >= MAX_USAGE_PARTS) key = prefix;
      const known = parts.get(key);
      if (known) addPart(known, more);
      else insert(key, { ...more });
    },
    // In the order of the keys, so that equal parts are stored equally; stored ones are in order already.
    encode: () => encodeParts(parts, parts.size === stayed ? [...parts.keys()] : [...parts.keys()].sort(), start),
  };
};

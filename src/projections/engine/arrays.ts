import { createInstants } from '../../domain/instant.ts';

/**
 * `position` is an `int8` that may be past what a number holds, so it is text in memory; `ranges` is an `int8multirange` and `int4s`
 * an `int4[]`, both as text.
 */
export type ColumnType =
  | 'uuid'
  | 'text'
  | 'int4'
  | 'int8'
  | 'position'
  | 'boolean'
  | 'timestamptz'
  | 'date'
  | 'bytea'
  | 'json'
  | 'ranges'
  | 'int4s';

/** A value that its column cannot hold. */
export class Unstorable extends Error {
  override readonly name = 'Unstorable';
}

type Encoding = Readonly<{
  /** Of the array's elements. */
  type: string;
  oid: number;
  /** Makes the value what is written, once. */
  prepare?: (value: unknown) => unknown;
  /** Writes a value behind its four bytes of length, and says how long it is. There is room for `roomFor` of it. */
  write: (bytes: Buffer, value: unknown, at: number) => number;
  roomFor: (value: unknown) => number;
}>;

const DAY_MS = 86_400_000;
/** PostgreSQL counts times from 2000. */
const EPOCH_MS = Date.UTC(2000, 0, 1);

const fixed = (type: string, oid: number, size: number, write: (bytes: Buffer, value: unknown, at: number) => void): Encoding => ({
  type,
  oid,
  write: (bytes, value, at) => {
    write(bytes, value, at);
    return size;
  },
  roomFor: () => size,
});

const refuse = (value: unknown, type: string): never => {
  throw new Unstorable(`Not a ${type}: ${String(value).slice(0, 100)}`);
};

const wholeOf = (value: unknown): number => (Number.isSafeInteger(value) ? Number(value) : refuse(value, 'whole number'));

const instants = createInstants();

const timeOf = (value: unknown): number => {
  const exact = instants.read(String(value));
  const ms = Number.isNaN(exact) ? Date.parse(String(value)) : exact;
  return Number.isNaN(ms) ? refuse(value, 'time') : ms - EPOCH_MS;
};

const DASH = 45;
const UUID_LENGTH = 36;
/** The value of a hexadecimal digit by its code; of all else more than any digit's. */
const NIBBLES = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return value < 0 ? 255 : value;
});

/** By hand, since there are several to each row. */
const writeUuid = (bytes: Buffer, value: unknown, at: number): void => {
  const text = typeof value === 'string' && value.length === UUID_LENGTH ? value : refuse(value, 'UUID');
  let written = 0;
  for (let index = 0; index < UUID_LENGTH; index += 2) {
    if (text.charCodeAt(index) === DASH) index += 1;
    const high = NIBBLES[text.charCodeAt(index)] ?? 255;
    const low = NIBBLES[text.charCodeAt(index + 1)] ?? 255;
    if (high + low > 30) refuse(value, 'UUID');
    bytes[at + written++] = high * 16 + low;
  }
  if (written !== 16) refuse(value, 'UUID');
};

/** Up to here writing letter by letter is faster than to ask for it. */
const SHORT = 24;

const writeText = (bytes: Buffer, value: unknown, at: number): number => {
  const text = String(value);
  if (text.length > SHORT) return bytes.write(text, at);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 127) return bytes.write(text, at);
    bytes[at + index] = code;
  }
  return text.length;
};

const TWO_TO_32 = 2 ** 32;

/** A safe integer. */
const writeInt64 = (bytes: Buffer, whole: number, at: number): void => {
  const high = Math.floor(whole / TWO_TO_32);
  bytes.writeInt32BE(high, at);
  bytes.writeUInt32BE(whole - high * TWO_TO_32, at + 4);
};

/** In microseconds. */
const writeTime = (bytes: Buffer, value: unknown, at: number): void => {
  const ms = timeOf(value);
  if (Number.isSafeInteger(ms * 1000)) writeInt64(bytes, ms * 1000, at);
  else bytes.writeBigInt64BE(BigInt(ms) * 1000n, at);
};

/** As many digits as a number surely holds. */
const EXACT_DIGITS = 15;

const writePosition = (bytes: Buffer, value: unknown, at: number): void => {
  const text = String(value);
  if (text.length > EXACT_DIGITS) bytes.writeBigInt64BE(BigInt(text), at);
  else writeInt64(bytes, wholeOf(Number(text)), at);
};

const utf8: Pick<Encoding, 'write' | 'roomFor'> = {
  write: writeText,
  roomFor: (value) => String(value).length * 3,
};

const encodings: Record<ColumnType, Encoding> = {
  uuid: fixed('uuid', 2950, 16, writeUuid),
  text: { type: 'text', oid: 25, ...utf8 },
  int4: fixed('int4', 23, 4, (bytes, value, at) => {
    const number = wholeOf(value);
    if (number !== (number | 0)) refuse(value, 'number of 32 bits');
    bytes.writeInt32BE(number, at);
  }),
  int8: fixed('int8', 20, 8, (bytes, value, at) => writeInt64(bytes, wholeOf(value), at)),
  position: fixed('int8', 20, 8, writePosition),
  boolean: fixed('bool', 16, 1, (bytes, value, at) => bytes.writeUInt8(value === true ? 1 : 0, at)),
  timestamptz: fixed('timestamptz', 1184, 8, writeTime),
  date: fixed('date', 1082, 4, (bytes, value, at) => bytes.writeInt32BE(timeOf(value) / DAY_MS, at)),
  bytea: {
    type: 'bytea',
    oid: 17,
    write: (bytes, value, at) => (Buffer.isBuffer(value) ? value.copy(bytes, at) : refuse(value, 'string of bytes')),
    roomFor: (value) => (Buffer.isBuffer(value) ? value.length : 0),
  },
  json: { type: 'json', oid: 114, prepare: (value) => JSON.stringify(value), ...utf8 },
  ranges: { type: 'text', oid: 25, ...utf8 },
  int4s: { type: 'text', oid: 25, ...utf8 },
};

/** The element type of a column's array, as PostgreSQL calls it. */
export const elementTypeOf = (type: ColumnType): string => encodings[type].type;

/** What makes a column's value of its array's element. */
export const castOf = (type: ColumnType): string => {
  if (type === 'ranges') return '::int8multirange';
  return type === 'int4s' ? '::int4[]' : '';
};

const HEADER = 20;
const LENGTH = 4;

/**
 * A column's values as one parameter, in PostgreSQL's binary form of an array: it takes the server a quarter of what it takes to read
 * the same as JSON. Throws `Unstorable`.
 */
export const arrayOf = (type: ColumnType, given: readonly unknown[]): Buffer => {
  const { oid, prepare, write, roomFor } = encodings[type];
  const values = prepare ? given.map((value) => (value === null ? null : prepare(value))) : given;
  const room = values.reduce<number>((sum, value) => sum + LENGTH + (value === null ? 0 : roomFor(value)), HEADER);
  const bytes = Buffer.allocUnsafe(room);
  for (const [index, word] of [1, 1, oid, values.length, 1].entries()) bytes.writeInt32BE(word, index * 4);
  let at = HEADER;
  for (const value of values) {
    const size = value === null ? -1 : write(bytes, value, at + LENGTH);
    bytes.writeInt32BE(size, at);
    at += LENGTH + Math.max(0, size);
  }
  return bytes.subarray(0, at);
};

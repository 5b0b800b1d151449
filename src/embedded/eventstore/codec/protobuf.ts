/** The read position in a protobuf message. */
export type Cursor = { readonly bytes: Buffer; at: number; readonly end: number };

const WIRE_VARINT = 0;
const WIRE_FIXED64 = 1;
const WIRE_LENGTH_DELIMITED = 2;
const WIRE_FIXED32 = 5;

export const cursorOver = (bytes: Buffer): Cursor => ({ bytes, at: 0, end: bytes.length });

const truncated = (): Error => new Error('The protobuf message ends early');

const VARINT_BYTES = 10;
const TWO_TO_63 = 2 ** 63;
const TWO_TO_64 = 2 ** 64;

/** An unsigned integer below 2^64, rounded above 2^53; this protocol does not use exact values of that size. */
export const readVarint = (cursor: Cursor): number => {
  const limit = cursor.at + VARINT_BYTES;
  let value = 0;
  let weight = 1;
  for (;;) {
    if (cursor.at >= cursor.end) throw truncated();
    if (cursor.at >= limit) throw new Error('A protobuf integer has too many bytes');
    const byte = cursor.bytes[cursor.at++] ?? 0;
    value += (byte & 0x7f) * weight;
    if (byte < 0x80) return value;
    weight *= 128;
  }
};

/** An int32 or int64, rounded beyond 2^53. */
export const readSigned = (cursor: Cursor): number => {
  const value = readVarint(cursor);
  return value < TWO_TO_63 ? value : value - TWO_TO_64;
};

/** An int64, exactly. */
export const readInt64 = (cursor: Cursor): bigint => {
  const start = cursor.at;
  readVarint(cursor);
  let value = 0n;
  for (let at = cursor.at - 1; at >= start; at--) value = (value << 7n) | BigInt((cursor.bytes[at] ?? 0) & 0x7f);
  return BigInt.asIntN(64, value);
};

const endOfField = (cursor: Cursor): number => {
  const end = readVarint(cursor) + cursor.at;
  if (end > cursor.end) throw truncated();
  return end;
};

/** The bytes of a length-delimited field, without copying them. */
export const readBytes = (cursor: Cursor): Buffer => {
  const end = endOfField(cursor);
  const bytes = cursor.bytes.subarray(cursor.at, end);
  cursor.at = end;
  return bytes;
};

export const readString = (cursor: Cursor): string => {
  const end = endOfField(cursor);
  const text = cursor.bytes.toString('utf8', cursor.at, end);
  cursor.at = end;
  return text;
};

const skipField = (cursor: Cursor, wireType: number): void => {
  if (wireType === WIRE_VARINT) readVarint(cursor);
  else if (wireType === WIRE_LENGTH_DELIMITED) cursor.at = endOfField(cursor);
  else if (wireType === WIRE_FIXED64) cursor.at += 8;
  else if (wireType === WIRE_FIXED32) cursor.at += 4;
  else throw new Error(`Wire type ${wireType} is not known`);
  if (cursor.at > cursor.end) throw truncated();
};

/** Calls `field` for each field of the message. It reads the field and returns true, or returns false to skip it. */
export const readFields = (cursor: Cursor, field: (number: number, cursor: Cursor) => boolean): void => {
  while (cursor.at < cursor.end) {
    const tag = readVarint(cursor);
    if (!field(Math.floor(tag / 8), cursor)) skipField(cursor, tag & 7);
  }
};

/** Like `readFields`, for the message inside a length-delimited field. */
export const readMessage = (cursor: Cursor, field: (number: number, cursor: Cursor) => boolean): void => {
  const end = endOfField(cursor);
  readFields({ bytes: cursor.bytes, at: cursor.at, end }, field);
  cursor.at = end;
};

/** A protobuf message that is written backwards, so that the length of a field is known before its prefix is written. */
export type Writer = { readonly bytes: Buffer; at: number };

export const writerInto = (bytes: Buffer): Writer => ({ bytes, at: bytes.length });

/** A writer over new memory of `capacity` bytes. Fields are written from the end to the beginning. */
export const writerOf = (capacity: number): Writer => writerInto(Buffer.allocUnsafe(capacity));

/** The message that was written, without copying it. */
export const writtenBytes = (writer: Writer): Buffer => writer.bytes.subarray(writer.at);

const varintSize = (value: number): number => {
  let size = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++;
  return size;
};

const prependVarint = (writer: Writer, value: number): void => {
  writer.at -= varintSize(value);
  let at = writer.at;
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) writer.bytes[at++] = (rest % 128) | 0x80;
  writer.bytes[at] = rest;
};

/** Field numbers below 16 only: their tag is one byte. */
const prependTag = (writer: Writer, field: number, wireType: number): void => {
  writer.bytes[--writer.at] = (field << 3) | wireType;
};

/** Writes a field of a varint in front of what was written. */
export const prependNumber = (writer: Writer, field: number, value: number): void => {
  prependVarint(writer, value);
  prependTag(writer, field, WIRE_VARINT);
};

/** Prepends an int64 field. */
export const prependInt64 = (writer: Writer, field: number, value: bigint): void => {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  writer.at -= bytes.length;
  writer.bytes.set(bytes, writer.at);
  prependTag(writer, field, WIRE_VARINT);
};

/** Prepends bytes that are an encoded field, with tag and value. */
export const prependRaw = (writer: Writer, bytes: Buffer): void => {
  writer.at -= bytes.length;
  writer.bytes.set(bytes, writer.at);
};

/** Makes the bytes from the current position to `end` a length-delimited field. */
export const prependLength = (writer: Writer, field: number, end: number): void => {
  prependVarint(writer, end - writer.at);
  prependTag(writer, field, WIRE_LENGTH_DELIMITED);
};

/** Writes a field of bytes in front of what was written. */
export const prependBytes = (writer: Writer, field: number, bytes: Buffer): void => {
  const end = writer.at;
  prependRaw(writer, bytes);
  prependLength(writer, field, end);
};

/** Writes a field of text as UTF-8 in front of what was written. */
export const prependString = (writer: Writer, field: number, text: string): void => {
  const end = writer.at;
  writer.at -= Buffer.byteLength(text);
  writer.bytes.write(text, writer.at);
  prependLength(writer, field, end);
};

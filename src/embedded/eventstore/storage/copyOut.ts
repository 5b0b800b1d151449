import type { ClientBase, Connection } from 'pg';

const FIRST_BYTES = 64 << 10;

/**
 * Runs `copy … to stdout` for a query and returns its output in PostgreSQL's binary format. Text results, the only ones that `pg`
 * supports, cost 1.5 times as much for small events and four times as much for large ones.
 * The query contains its values as literals, because COPY takes no parameters.
 */
export const copyOut = (client: ClientBase, query: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    let bytes = Buffer.allocUnsafe(FIRST_BYTES);
    let length = 0;
    const take = (chunk: Buffer): void => {
      if (length + chunk.length > bytes.length) {
        const larger = Buffer.allocUnsafe(2 * (length + chunk.length));
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      length += chunk.copy(bytes, length);
    };
    client.query({
      submit: (connection: Connection) => connection.query(`copy (${query}) to stdout (format binary)`),
      // Called per row with a view of memory that the parser reuses, so `take` copies it.
      handleCopyData: ({ chunk }: { chunk: Buffer }) => take(chunk),
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => resolve(bytes.subarray(0, length)),
      handleError: reject,
    });
  });

/** The read position in the output of `copyOut`. */
export type CopyCursor = { readonly bytes: Buffer; at: number };

const SIGNATURE_BYTES = 11;
const FLAGS_BYTES = 4;
const END_OF_ROWS = -1;
const TWO_TO_32 = 2 ** 32;

/** Calls `row` for each row, which must read all columns. Columns must not be null. */
export const readRows = (bytes: Buffer, row: (cursor: CopyCursor) => void): void => {
  const extension = bytes.readInt32BE(SIGNATURE_BYTES + FLAGS_BYTES);
  const cursor = { bytes, at: SIGNATURE_BYTES + FLAGS_BYTES + 4 + extension };
  for (;;) {
    const columns = bytes.readInt16BE(cursor.at);
    cursor.at += 2;
    if (columns === END_OF_ROWS) return;
    row(cursor);
  }
};

/** The bytes of a column, without copying them. */
export const readColumn = (cursor: CopyCursor): Buffer => {
  const start = cursor.at + 4;
  cursor.at = start + cursor.bytes.readInt32BE(cursor.at);
  return cursor.bytes.subarray(start, cursor.at);
};

export const readText = (cursor: CopyCursor): string => {
  const start = cursor.at + 4;
  cursor.at = start + cursor.bytes.readInt32BE(cursor.at);
  return cursor.bytes.toString('utf8', start, cursor.at);
};

/** An int8; above 2^53 it is rounded. */
export const readInt8 = (cursor: CopyCursor): number => {
  const start = cursor.at + 4;
  cursor.at = start + 8;
  return cursor.bytes.readInt32BE(start) * TWO_TO_32 + cursor.bytes.readUInt32BE(start + 4);
};

/** An int8 as decimal digits, exactly. */
export const readInt8Digits = (cursor: CopyCursor): string => {
  const start = cursor.at + 4;
  cursor.at = start + 8;
  return cursor.bytes.readBigInt64BE(start).toString();
};

export const readBool = (cursor: CopyCursor): boolean => readColumn(cursor)[0] === 1;

export const readUuid = (cursor: CopyCursor): string => {
  const digits = readColumn(cursor).toString('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
};

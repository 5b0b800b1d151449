import { sql } from 'kysely';
import pg from 'pg';
import { Parser } from 'pg-protocol/dist/parser.js';

const MARK = '/* binary */';

/**
 * Begins a statement whose result is sent in PostgreSQL's binary format. Its columns may be bytea, which is read as a Buffer, text and
 * int8. As text, PostgreSQL writes bytes in hexadecimal digits, which takes ten times as long as all else for large ones (decision 200).
 */
export const BINARY = sql.raw(MARK);

/** Whether `BINARY` begins the statement. */
export const isBinary = (text: string): boolean => text.trimStart().startsWith(MARK);

const { BYTEA, TEXT, INT8 } = pg.types.builtins;

/** Reads a value of a binary result. The query fails if a value has a type that `BINARY` does not name. */
export const binaryParserOf = (oid: number): ((bytes: Buffer) => unknown) => {
  switch (oid) {
    case BYTEA:
      return (bytes) => bytes;
    case TEXT:
      return (bytes) => bytes.toString('utf8');
    case INT8:
      return (bytes) => Number(bytes.readBigInt64BE());
    default:
      // Thrown by the first value: pg catches what a value throws, but not what a description of columns does.
      return () => {
        throw new Error(`A binary result has a column of the type ${oid}: make it bytea, text or int8`);
      };
  }
};

const DATA_ROW = 0x44;
const INT2_BYTES = 2;
const INT4_BYTES = 4;
const NULL_LENGTH = -1;

type Message = Readonly<{ name: string; fields?: readonly unknown[] }>;
/** What is private in the types of pg's parser. `at` is where the message begins after its code and length. */
type MessageParser = {
  parse: (chunk: Buffer, take: (message: Message) => void) => void;
  handlePacket: (at: number, code: number, length: number, bytes: Buffer) => Message;
};

/** The values of a row as views of the parser's memory, which pg copies at once. */
const valuesOf = (bytes: Buffer, at: number): (Buffer | null)[] => {
  let end = at + INT2_BYTES;
  return Array.from({ length: bytes.readInt16BE(at) }, () => {
    const length = bytes.readInt32BE(end);
    const start = end + INT4_BYTES;
    end = start + Math.max(length, 0);
    return length === NULL_LENGTH ? null : bytes.subarray(start, end);
  });
};

const isBinaryField = (field: unknown): boolean => (field as { format?: string }).format === 'binary';

/** pg's parser, which makes a UTF-8 text of each value, even of a binary one. */
const openParser = (): MessageParser => {
  const parser = new Parser() as unknown as MessageParser;
  const handle = parser.handlePacket.bind(parser);
  let isBinaryResult = false;
  return Object.assign(parser, {
    handlePacket: (at: number, code: number, length: number, bytes: Buffer): Message => {
      if (code === DATA_ROW && isBinaryResult) {
        const fields = valuesOf(bytes, at);
        const row = { name: 'dataRow', length, fieldCount: fields.length, fields };
        return row;
      }
      const message = handle(at, code, length, bytes);
      if (message.name === 'rowDescription') isBinaryResult = message.fields?.some(isBinaryField) ?? false;
      return message;
    },
  });
};

/** Has a connection that is not yet open keep the bytes of binary results. */
export const readBinaryResults = (connection: pg.Connection): void => {
  Object.assign(connection, {
    attachListeners: (stream: NodeJS.ReadableStream) => {
      const parser = openParser();
      stream.on('data', (chunk: Buffer) =>
        parser.parse(chunk, (message) => connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message)),
      );
    },
  });
};

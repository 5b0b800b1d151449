import protobuf from 'protobufjs/light.js';
import type { StoredEvent } from './decode.ts';
import type { Position } from './port.ts';
import { ReadCheckpoint, ReadEvent } from './protobufMessages.ts';

/** What a `Streams.Read` call yields; other responses are skipped. */
export type Response =
  | Readonly<{ kind: 'event'; event: StoredEvent }>
  | Readonly<{ kind: 'checkpoint'; position: Position }>
  | Readonly<{ kind: 'caughtUp' }>;

/** A 64-bit integer as protobufjs decodes it. */
export type Long = Readonly<{ low: number; high: number }>;

type RecordedEvent = Readonly<{
  id: { text: string } | null;
  stream: { name: string } | null;
  revision: Long;
  commit: Long;
  /** `created` is in ticks of 100 ns since 1970. */
  properties: { type?: string; created?: string; 'content-type'?: string };
  metadata: Buffer;
  data: Buffer;
}>;

export const bigintOf = ({ low, high }: Long): bigint =>
  high === 0 ? BigInt(low >>> 0) : (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);

const TICKS_DIGITS = 4;

/** Converts ticks to a date, in whole milliseconds. */
const timeOf = (ticks: string): Date => new Date(Number(ticks.slice(0, -TICKS_DIGITS)));

const NO_BYTES = Buffer.alloc(0);
/** The default of a missing field is not a buffer. */
const bufferOf = (bytes: Buffer): Buffer => (bytes.length === 0 ? NO_BYTES : bytes);

const storedEventOf = ({ id, stream, revision, commit, properties, metadata, data }: RecordedEvent): StoredEvent => {
  if (!id || !stream) throw new Error('The event has no id or no stream');
  return {
    id: id.text,
    streamId: stream.name,
    type: properties.type ?? '',
    contentType: properties['content-type'] ?? '',
    revision: bigintOf(revision),
    position: { commit: bigintOf(commit) },
    data: bufferOf(data),
    metadata: bufferOf(metadata),
    created: timeOf(properties.created ?? ''),
  };
};

const LENGTH_DELIMITED = 2;
const EVENT = (1 << 3) | LENGTH_DELIMITED;
const CHECKPOINT = (3 << 3) | LENGTH_DELIMITED;
const CAUGHT_UP = (8 << 3) | LENGTH_DELIMITED;
const WIRE_TYPE = 7;

const readInto = (reader: protobuf.Reader, responses: Response[]): void => {
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === EVENT) {
      const { event } = ReadEvent.decode(reader, reader.uint32()) as protobuf.Message & { event: RecordedEvent | null };
      if (event) responses.push({ kind: 'event', event: storedEventOf(event) });
    } else if (tag === CHECKPOINT) {
      const { commit } = ReadCheckpoint.decode(reader, reader.uint32()) as protobuf.Message & { commit: Long };
      responses.push({ kind: 'checkpoint', position: bigintOf(commit) });
    } else {
      if (tag === CAUGHT_UP) responses.push({ kind: 'caughtUp' });
      reader.skipType(tag & WIRE_TYPE);
    }
  }
};

/**
 * Appends the responses of a message to `responses`, in order: a message may be several concatenated ones. Data and metadata are
 * views of the message. Throws for a malformed message.
 */
export const readResponses = (message: Buffer, responses: Response[]): void => {
  try {
    readInto(protobuf.Reader.create(message), responses);
  } catch (error) {
    throw new Error('The event store sent an unreadable reply', { cause: error });
  }
};

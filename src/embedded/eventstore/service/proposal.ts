import type { RequestedEvent } from '../codec/batchAppendRequest.ts';
import type { ExpectedRevision, ProposedEvent } from '../storage/event.ts';
import { invalidArgument, missingMetadataProperty } from './callError.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
// The name is part of an index row, which PostgreSQL limits to 2,704 bytes.
const STREAM_NAME_BYTES = 2_000;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const NUL = '\0';

/** Throws `invalidArgument` for an invalid stream name. One invalid name would fail the whole group's insert. */
export const checkStreamName = (stream: string): void => {
  if (stream === '' || stream === '$all' || stream === '$$') throw invalidArgument(`'${stream}' is not a valid stream name`);
  if (stream.includes(NUL)) throw invalidArgument('A stream name cannot contain NUL');
  if (Buffer.byteLength(stream) > STREAM_NAME_BYTES) throw invalidArgument(`A stream name has at most ${STREAM_NAME_BYTES} bytes`);
};

const LARGEST_REVISION = 2 ** 63;
const LARGEST_NUMBER = 2 ** 64;

/**
 * Validates an expected revision. The largest number of the protocol stands for no stream, as in EventStoreDB. A number that no
 * revision reaches is reduced to one that PostgreSQL can compare. Throws `invalidArgument` when it is no revision.
 */
export const expectedRevisionOf = (expected: ExpectedRevision): ExpectedRevision => {
  if (typeof expected !== 'number' || expected <= Number.MAX_SAFE_INTEGER) return expected;
  if (expected === LARGEST_NUMBER) return 'no_stream';
  if (expected > LARGEST_REVISION) throw invalidArgument('The expected revision is larger than any revision');
  return Number.MAX_SAFE_INTEGER;
};

/** Validates an event. Throws `CallError` when it cannot be stored. */
export const proposedEventOf = ({ id, type, contentType, data, metadata }: RequestedEvent): ProposedEvent => {
  if (type === undefined || contentType === undefined) throw missingMetadataProperty();
  if (!UUID.test(id)) throw invalidArgument(`'${id.replaceAll(NUL, '')}' is not a UUID`);
  if (id === NIL_UUID) throw invalidArgument('The id of an event cannot be the nil UUID');
  if (type === '') throw invalidArgument('The type of an event cannot be empty');
  if (type.includes(NUL)) throw invalidArgument('An event type cannot contain NUL');
  return { id: id.toLowerCase(), type, isJson: contentType === 'application/json', data, metadata };
};

/** The bytes that an event counts towards the maximum append size: those of its data, as EventStoreDB counted until 24.10.2. */
export const appendSizeOf = ({ data }: ProposedEvent): number => data.length;

/** The largest append with everything that is stored, which bounds the memory of a request. */
const RECORD_BYTES = 16 << 20;

/** Throws `invalidArgument` when an append of that size in memory is too large, whatever of it counts towards the maximum append size. */
export const checkRecordSize = (bytes: number): void => {
  if (bytes > RECORD_BYTES) throw invalidArgument(`The events of an append have at most ${RECORD_BYTES} bytes`);
};

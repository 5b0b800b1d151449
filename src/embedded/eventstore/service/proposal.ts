import type { RequestedEvent } from '../codec/batchAppendRequest.ts';
import type { ProposedEvent } from '../storage/event.ts';
import { invalidArgument, missingMetadataProperty } from './callError.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
// An index row of PostgreSQL holds 2,704 bytes at most, and the name is part of one.
const STREAM_NAME_BYTES = 2_000;
const NUL = '\0';

/** Throws `invalidArgument` unless `stream` can be written to. A bad one must never reach a grouped insert. */
export const checkStreamName = (stream: string): void => {
  if (stream === '' || stream === '$all' || stream === '$$') throw invalidArgument(`'${stream}' is not a valid stream name`);
  if (stream.includes(NUL)) throw invalidArgument('A stream name cannot contain NUL');
  if (Buffer.byteLength(stream) > STREAM_NAME_BYTES) throw invalidArgument(`A stream name has at most ${STREAM_NAME_BYTES} bytes`);
};

/** Throws `CallError` unless the event can be kept. */
export const proposedEventOf = ({ id, type, contentType, data, metadata }: RequestedEvent): ProposedEvent => {
  if (type === undefined || contentType === undefined) throw missingMetadataProperty();
  if (!UUID.test(id)) throw invalidArgument(`'${id.replaceAll(NUL, '')}' is not a UUID`);
  if (type.includes(NUL)) throw invalidArgument('An event type cannot contain NUL');
  return { id: id.toLowerCase(), type, isJson: contentType === 'application/json', data, metadata };
};

/** What an event counts towards the maximum append size: its payloads, and its type as UTF-16. */
export const appendSizeOf = ({ type, data, metadata }: ProposedEvent): number => 2 * type.length + data.length + metadata.length;

import type { ExpectedRevision } from '../storage/event.ts';
import { type Cursor, cursorOver, readBytes, readFields, readMessage, readSigned, readString, readVarint } from './protobuf.ts';
import { readUuidFields } from './uuid.ts';

/** An unvalidated event of a request. */
export type RequestedEvent = {
  id: string;
  type: string | undefined;
  contentType: string | undefined;
  data: Buffer;
  metadata: Buffer;
};

/** `deadline` is a time in ms since 1970. An exact expected revision is not validated. */
export type AppendOptions = { stream: string; expected: ExpectedRevision; deadline: number | undefined };

/** One chunk of a batch; only the first chunk of a correlation id carries the options. */
export type BatchAppendRequest = {
  correlationId: string;
  /** The UUID message of the correlation id, in the client's form. */
  correlation: Buffer;
  options: AppendOptions | undefined;
  events: RequestedEvent[];
  isFinal: boolean;
};

const NO_BYTES = Buffer.alloc(0);

const readStreamIdentifier = (cursor: Cursor): string => {
  let name = '';
  readMessage(cursor, (field, identifier) => {
    if (field !== 3) return false;
    name = readString(identifier);
    return true;
  });
  return name;
};

/** A Timestamp or a Duration, in ms. */
const readSeconds = (cursor: Cursor): number => {
  let milliseconds = 0;
  readMessage(cursor, (field, time) => {
    if (field === 1) milliseconds += readSigned(time) * 1000;
    else if (field === 2) milliseconds += readSigned(time) / 1e6;
    else return false;
    return true;
  });
  return milliseconds;
};

const readOptions = (cursor: Cursor): AppendOptions => {
  const options: AppendOptions = { stream: '', expected: 'any', deadline: undefined };
  readMessage(cursor, (field, message) => {
    switch (field) {
      case 1:
        options.stream = readStreamIdentifier(message);
        return true;
      case 2:
        options.expected = readVarint(message);
        return true;
      case 3:
        options.expected = 'no_stream';
        return false;
      case 4:
        options.expected = 'any';
        return false;
      case 5:
        options.expected = 'stream_exists';
        return false;
      case 6:
        options.deadline = readSeconds(message);
        return true;
      case 7:
        options.deadline = Date.now() + readSeconds(message);
        return true;
      default:
        return false;
    }
  });
  return options;
};

const readProperty = (cursor: Cursor, event: RequestedEvent): void => {
  let key = '';
  let value = '';
  readMessage(cursor, (field, entry) => {
    if (field === 1) key = readString(entry);
    else if (field === 2) value = readString(entry);
    else return false;
    return true;
  });
  if (key === 'type') event.type = value;
  else if (key === 'content-type') event.contentType = value;
};

const readProposedMessage = (cursor: Cursor): RequestedEvent => {
  const event: RequestedEvent = { id: '', type: undefined, contentType: undefined, data: NO_BYTES, metadata: NO_BYTES };
  readMessage(cursor, (field, message) => {
    if (field === 1) event.id = readUuidFields(cursorOver(readBytes(message)));
    else if (field === 2) readProperty(message, event);
    else if (field === 3) event.metadata = readBytes(message);
    else if (field === 4) event.data = readBytes(message);
    else return false;
    return true;
  });
  return event;
};

const emptyRequest = (): BatchAppendRequest => ({
  correlationId: '',
  correlation: NO_BYTES,
  options: undefined,
  events: [],
  isFinal: false,
});

/**
 * Decodes a message with one `event_store.client.streams.BatchAppendReq`, or with several concatenated ones, each of which begins with its
 * correlation id: three times as fast as the generated class. Throws when it is malformed.
 */
export const decodeBatchAppendRequests = (bytes: Buffer): BatchAppendRequest[] => {
  let request = emptyRequest();
  const requests = [request];
  readFields(cursorOver(bytes), (field, message) => {
    if (field === 1) {
      if (request.correlation !== NO_BYTES) {
        request = emptyRequest();
        requests.push(request);
      }
      request.correlation = readBytes(message);
      request.correlationId = readUuidFields(cursorOver(request.correlation));
    } else if (field === 2) request.options = readOptions(message);
    else if (field === 3) request.events.push(readProposedMessage(message));
    else if (field === 4) request.isFinal = readVarint(message) !== 0;
    else return false;
    return true;
  });
  return requests;
};

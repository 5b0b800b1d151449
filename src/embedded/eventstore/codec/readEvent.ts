import { type SentEvent, TOMBSTONE_REVISION } from '../storage/event.ts';
import {
  prependBytes,
  prependLength,
  prependNumber,
  prependRaw,
  prependString,
  type Writer,
  writerInto,
  writerOf,
  writtenBytes,
} from './protobuf.ts';
import { prependUuid, type UuidForm } from './uuid.ts';

/** An entry of the string map that is field 6 of a recorded event. */
const prependProperty = (writer: Writer, key: string, value: string): void => {
  const end = writer.at;
  prependString(writer, 2, value);
  prependString(writer, 1, key);
  prependLength(writer, 6, end);
};

const contentType = (value: string): Buffer => {
  const writer = writerOf(64);
  prependProperty(writer, 'content-type', value);
  return writtenBytes(writer);
};

const JSON_CONTENT = contentType('application/json');
const BINARY_CONTENT = contentType('application/octet-stream');
const DIGEST_CONTENT = contentType('application/x-sha256');

/** Field 3 with 2^63 - 1, which a JavaScript number cannot represent. */
const TOMBSTONE_FIELD = Buffer.from([0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);

const FIXED_PART = 256;
const capacityFor = (event: SentEvent): number =>
  3 * (event.stream.length + event.type.length) + event.data.length + event.metadata.length + FIXED_PART;

const prependRecordedEvent = (writer: Writer, field: number, event: SentEvent, ids: UuidForm): void => {
  const end = writer.at;
  if (event.data.length > 0) prependBytes(writer, 8, event.data);
  if (event.metadata.length > 0) prependBytes(writer, 7, event.metadata);
  prependRaw(writer, event.isDigest ? DIGEST_CONTENT : event.isJson ? JSON_CONTENT : BINARY_CONTENT);
  prependProperty(writer, 'created', event.created);
  prependProperty(writer, 'type', event.type);
  prependNumber(writer, 5, event.position);
  prependNumber(writer, 4, event.position);
  if (event.revision === TOMBSTONE_REVISION) prependRaw(writer, TOMBSTONE_FIELD);
  else prependNumber(writer, 3, event.revision);
  const endOfIdentifier = writer.at;
  prependString(writer, 3, event.stream);
  prependLength(writer, 2, endOfIdentifier);
  prependUuid(writer, 1, event.id, ids);
  prependLength(writer, field, end);
};

/**
 * Encodes `event_store.client.streams.ReadResp` with an event, seven times as fast as the generated class.
 * For a resolved link, `event` is the target (undefined when it no longer exists) and `link` is the `$>` event.
 * `ids` is the form of the events' ids. If `scratch` is large enough, the returned buffer is a view of it.
 */
export const encodeReadEvent = (
  event: SentEvent | undefined,
  ids: UuidForm,
  link?: SentEvent,
  scratch: Buffer | undefined = undefined,
): Buffer => {
  const capacity = (event ? capacityFor(event) : 0) + (link ? capacityFor(link) : 0) + FIXED_PART;
  const writer = scratch && scratch.length >= capacity ? writerInto(scratch) : writerOf(capacity);
  const end = writer.at;
  prependNumber(writer, 3, (link ?? event)?.position ?? 0);
  if (link) prependRecordedEvent(writer, 2, link, ids);
  if (event) prependRecordedEvent(writer, 1, event, ids);
  prependLength(writer, 1, end);
  return writtenBytes(writer);
};

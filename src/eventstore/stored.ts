import { codecEntryOf, splitStreamName } from './codecs/codecs.ts';
import { withoutOriginal } from './copiedMetadata.ts';
import { isForeign, type StoredEvent } from './decode.ts';
import type { SkippedEvent, StoredItem, StoredRecord } from './port.ts';
import { DIGEST_CONTENT } from './readAllRpc.ts';

/** The event without decoding it, or as its original was stored. Throws if the client has decoded it already. */
export const storedRecordOf = ({ id, streamId, type, revision, position, data, metadata, created }: StoredEvent): StoredRecord => {
  if (!Buffer.isBuffer(data) || !Buffer.isBuffer(metadata) || !position || !created) {
    throw new Error('This version of @eventstore/db-client cannot read events undecoded');
  }
  const original = withoutOriginal(metadata);
  return {
    id,
    stream: streamId,
    type,
    revision: original?.revision ?? revision,
    ownRevision: revision,
    position: position.commit,
    data,
    metadata: original?.metadata ?? metadata,
    storedAt: original ? Date.parse(original.storedAt) : created.getTime(),
  };
};

/** The item of a subscription; null for an event of another application. */
export const storedItemOf = (event: StoredEvent): StoredItem | null => {
  if (isForeign(event)) return null;
  const stored = storedRecordOf(event);
  if (event.contentType !== DIGEST_CONTENT) return { kind: 'stored', stored };
  return { kind: 'stored', stored: { ...stored, data: Buffer.from(stored.data).toString('base64') } };
};

/** The event without its data if it is the product's and of none of the types; null for any other. */
export const skippedOf = (
  { id, streamId: stream, type, revision, position }: StoredEvent,
  types: ReadonlySet<string>,
): SkippedEvent | null => {
  if (types.has(type) || !position) return null;
  const name = splitStreamName(stream);
  if (!name || !codecEntryOf(name.category, type)) return null;
  return { kind: 'skipped', skipped: { stream, revision, id, position: position.commit } };
};

import { withoutOriginal } from './copiedMetadata.ts';
import { isForeign, type StoredEvent } from './decode.ts';
import type { StoredItem, StoredRecord } from './port.ts';
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

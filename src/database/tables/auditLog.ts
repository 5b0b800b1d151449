import { boolean, bytea, defaulted, defineTable, int4, int8, nullable, position, text, timestamptz, uuid } from './defineTable.ts';

/** How far the audit log has come, and in which event store. It has one row. */
export const auditLogTable = defineTable('audit.log', {
  key: ['id'],
  columns: {
    id: defaulted(boolean()),
    /** Names the log in checkpoints and keys. */
    log_id: defaulted(uuid()),
    /** Leaves of the tree. */
    size: defaulted(int8()),
    /** Null before the first event, and where the leaves must be found again in another event store. */
    position: nullable(position()),
    store: nullable(text()),
    /** The event of the last leaf. */
    last_stream: nullable(text()),
    last_revision: nullable(position()),
    last_event: nullable(text()),
    last_position: nullable(position()),
    /** The node that writes. */
    node: nullable(text()),
    heartbeat_at: nullable(timestamptz()),
    /** Why the log does not grow; null where it does. */
    error: nullable(text()),
  },
});

/** The hashes of the tree, 256 in a row; see `src/auditLog/tiles.ts`. */
export const auditTileTable = defineTable('audit.tile', {
  key: ['level', 'number'],
  columns: {
    level: int4(),
    number: int8(),
    hashes: bytea(),
    /** Of level 0: the position of each leaf's event, 8 bytes each, big-endian; -1 if it was deleted before the store was replaced. */
    positions: nullable(bytea()),
    /** The first of these positions. */
    first_position: nullable(position()),
  },
});

/** Signed checkpoints by the size of the tree. */
export const auditCheckpointTable = defineTable('audit.checkpoint', {
  key: ['size'],
  columns: { size: int8(), note: text(), signed_at: timestamptz() },
});

/** The keys that sign checkpoints. One of them is not retired. */
export const auditSigningKeyTable = defineTable('audit.signing_key', {
  key: ['verifier_key'],
  columns: {
    /** The public key; see `src/auditLog/signedNote.ts`. */
    verifier_key: text(),
    /** The envelope of the private key. */
    sealed: text(),
    created_at: timestamptz(),
    retired_at: nullable(timestamptz()),
  },
});

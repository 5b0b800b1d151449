import type { ColumnType } from 'kysely';
import { bytea, column, defineTable, int4, nullable, text, timestamptz, uuid } from './defineTable.ts';

type Headers = Record<string, string>;

/** The first reply to each idempotency key. */
export const idempotencyTable = defineTable('http.idempotency', {
  key: ['principal', 'key'],
  columns: {
    /** Who sent the key: keys of different principals are different. */
    principal: text(),
    key: text(),
    /** A UUID of method, address and body. */
    fingerprint: text(),
    /** The attempt that processes it. */
    claim: uuid(),
    /** When another attempt may take over from one that crashed. */
    claimed_until: timestamptz(),
    created_at: timestamptz(),
    /** Null while the first attempt is in progress. */
    status: nullable(int4()),
    /** Written as JSON text. */
    headers: nullable(column<ColumnType<Headers, string, string>>('jsonb')),
    sealed_body: nullable(bytea()),
    /** Whose data key seals the body; null for a reply to an administrator that holds no tenant's data. */
    owner: nullable(text()),
  },
});

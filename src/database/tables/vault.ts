import { bytea, defaulted, defineTable, nullable, text, timestamptz, uuid } from './defineTable.ts';

export const dataKeyTable = defineTable('vault.data_key', {
  key: ['key_id'],
  columns: {
    key_id: uuid(),
    owner: text(),
    /** Null once destroyed: the row stays, so that no new key is made for an erased owner. */
    wrapped: nullable(bytea()),
    /** Id of the master secret that wraps it. */
    master_id: nullable(text()),
    created_at: defaulted(timestamptz()),
    destroyed_at: nullable(timestamptz()),
  },
});

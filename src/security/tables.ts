import type { Generated } from 'kysely';

export type VaultTables = {
  'vault.data_key': {
    key_id: string;
    owner: string;
    /** Null once destroyed: the row stays, so that no new key is made for an erased owner. */
    wrapped: Buffer | null;
    /** Id of the master secret that wraps it. */
    master_id: string | null;
    created_at: Generated<Date>;
    destroyed_at: Date | null;
  };
};

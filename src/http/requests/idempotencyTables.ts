import type { ColumnType } from 'kysely';

export type IdempotencyTables = {
  'http.idempotency': {
    /** Who sent the key: keys of different principals never meet. */
    principal: string;
    key: string;
    /** Names method, address and body: a UUID that is another one for anything else. */
    fingerprint: string;
    /** Which attempt works on it. */
    claim: string;
    /** When another attempt may take over from one that died. */
    claimed_until: Date;
    created_at: Date;
    /** Null while the first attempt is at work. */
    status: number | null;
    headers: ColumnType<Record<string, string> | null, string | null, string | null>;
    sealed_body: Buffer | null;
    /** Whose data key seals the body; null for a reply to an administrator that holds no tenant's data. */
    owner: string | null;
  };
};

import { type Kysely, type Migration, sql } from 'kysely';

/** Claims compare with the last notice of the read model of customers, because a void may take it back. */
export const lastNoticesOfQuotas: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table ops.call_quota_month drop column noticed_limit, drop column noticed_percent`.execute(db);
  },
};

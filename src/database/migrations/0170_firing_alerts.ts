import { type Kysely, type Migration, sql } from 'kysely';

/** Finds the alerts of a rule that are not resolved: one for each customer that they concern. */
export const firingAlerts: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`create index alert_firing on read.alert (rule_id, fired_at) where resolved_at is null`.execute(db);
  },
};

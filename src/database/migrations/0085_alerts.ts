import { type Kysely, type Migration, sql } from 'kysely';

/** Alert rules, and the alerts that they fired. */
export const alerts: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table read.alert_rule (
        rule_id uuid primary key,
        name text not null,
        condition json not null,
        alert_id uuid
      )`.execute(db);
    await sql`
      create table read.alert (
        alert_id uuid primary key,
        rule_id uuid not null,
        name text not null,
        condition json not null,
        found json not null,
        fired_at timestamptz not null,
        resolved_at timestamptz,
        reason text
      )`.execute(db);
    await sql`create index alert_fired_at on read.alert (fired_at desc)`.execute(db);
  },
};

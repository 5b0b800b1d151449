import { type Kysely, type Migration, sql } from 'kysely';

/** Sign-ins as administrators see them: the read model of recorded sign-ins. */
export const signIns: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table read.sign_in (
        position int8 not null,
        revision int8 not null,
        id uuid not null,
        at timestamptz not null,
        first_at timestamptz not null,
        audience text not null,
        outcome text not null,
        reason text,
        address text,
        customer_id uuid,
        integrator_id uuid,
        user_id uuid,
        fingerprint text,
        keys int4 not null,
        n int4 not null,
        primary key (position, revision)
      )`.execute(db);
    await sql`create index sign_in_at on read.sign_in (at)`.execute(db);
    await sql`create index sign_in_of_customer on read.sign_in (customer_id) where customer_id is not null`.execute(db);
    await sql`create index sign_in_of_integrator on read.sign_in (integrator_id) where integrator_id is not null`.execute(db);
  },
};

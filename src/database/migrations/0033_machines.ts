import { type Kysely, type Migration, sql } from 'kysely';

/** Machines that may sign in as a user, and their requests; and whether a customer's new machines need approval. */
export const machines: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table read.customer add column machine_approval_enforced boolean not null default true`.execute(db);
    await sql`
      create table read.machine (
        user_id uuid not null,
        machine_id text not null,
        customer_id uuid not null,
        integrator_id uuid not null,
        machine_name text,
        state text not null check (state in ('approved', 'pending', 'rejected')),
        request_id uuid,
        requested_at timestamptz,
        expires_at timestamptz,
        approved_at timestamptz,
        primary key (user_id, machine_id)
      ) with (fillfactor = 80)`.execute(db);
    await sql`create index machine_of_customer on read.machine (customer_id)`.execute(db);
    await sql`create index machine_pending on read.machine (integrator_id, requested_at) where state = 'pending'`.execute(db);
  },
};

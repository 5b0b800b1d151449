import { type Kysely, type Migration, sql } from 'kysely';

/** How a client signed in, and indexes to find the sign-ins of one named user and of a service integrator itself. */
export const signInMethods: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table read.sign_in add column method text`.execute(db);
    await sql`create index sign_in_of_user on read.sign_in (user_id, at) where user_id is not null`.execute(db);
    await sql`
      create index sign_in_of_integrator_itself on read.sign_in (integrator_id, at)
      where integrator_id is not null and customer_id is null`.execute(db);
    // The policy now looks at every day's note daily, so that a changed retention period applies to days that were recorded before.
    await sql`update policy.note set due_at = least(due_at, now()) where policy = 'forgetSignIns'`.execute(db);
  },
};

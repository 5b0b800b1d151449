import { type Kysely, type Migration, sql } from 'kysely';

/** Changes of the connected users of each customer by minute and hour, for divided charts. They are filled by a rebuild. */
export const connectedUsers: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const table of ['usage.connected_minute', 'usage.connected_hour']) {
      await sql`
        create table ${sql.table(table)} (
          at timestamptz not null,
          customer_id uuid not null,
          connected int8 not null,
          primary key (at, customer_id)
        ) with (fillfactor = 50)`.execute(db);
    }
  },
};

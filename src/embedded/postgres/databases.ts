import pg from 'pg';

/** Creates those of the databases that are missing. The URL is that of the `postgres` database. */
export const createDatabases = async (url: string, wanted: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
    const existing = new Set(rows.map(({ datname }) => datname));
    for (const name of new Set(wanted)) {
      if (!existing.has(name)) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
    }
  } finally {
    await client.end();
  }
};

import pg from 'pg';

/** Every row of every table of a database, as text: `schema.table` and the row, with bytes in hex. */
export const dump = async (databaseUrl: string): Promise<[table: string, row: string][]> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    const found: [string, string][] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      for (const { row } of rows) found.push([name, row]);
    }
    return found;
  } finally {
    await client.end();
  }
};

/** The tables in which a word stands, whatever its case: as text, or as the bytes of a text or of its base64. */
export const tablesWith = (dumped: readonly (readonly [string, string])[], word: string): string[] => {
  const spellings = [word, word.toLowerCase(), word.toUpperCase()];
  const needles = spellings.flatMap((spelling) => [spelling.toLowerCase(), Buffer.from(spelling).toString('hex')]);
  return [
    ...new Set(dumped.filter(([, row]) => needles.some((needle) => row.toLowerCase().includes(needle))).map(([name]) => name)),
  ];
};

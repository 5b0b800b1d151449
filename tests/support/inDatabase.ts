import pg from 'pg';

/** Connects to a database for some work, and disconnects. */
export const inDatabase = async <Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
};

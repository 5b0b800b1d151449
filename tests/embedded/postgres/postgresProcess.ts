import { startPostgres } from '../../../src/embedded/postgres/server.ts';

// Runs a PostgreSQL on the directory in the first argument until it is killed, and prints its address.
process.on('SIGINT', () => undefined);
try {
  const postgres = await startPostgres({ directory: process.argv[3] ?? '', databases: ['kept'], log: () => undefined });
  console.log(`ready ${postgres.pid} ${postgres.url('kept', 'owner')}`);
  setInterval(() => undefined, 60_000);
} catch (error) {
  console.log(`refused ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

import { startEventStore } from '../../../src/embedded/eventstore/server.ts';

// Serves the event store of the database in the first argument on the socket in the second, until it is killed.
try {
  const { connectionString } = await startEventStore({
    databaseUrl: process.argv[3] ?? '',
    listen: { socketPath: process.argv[4] ?? '' },
    log: (_, line) => console.log(line),
  });
  console.log(`ready ${connectionString}`);
} catch (error) {
  console.log(`refused ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

import { startEventStore } from '../../../src/embedded/eventstore/server.ts';
import { CLOCK_STEP_MS } from './clockStep.ts';

// Serves the event store of the database in the first argument on the socket in the second, until it is killed. Its clock is ahead by
// the steps in the third argument, and by one more after each SIGUSR2.
const { now } = Date;
let steps = Number(process.argv[5] ?? 0);
Date.now = () => now() + steps * CLOCK_STEP_MS;
process.on('SIGUSR2', () => {
  steps += 1;
  console.log('stepped');
});
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

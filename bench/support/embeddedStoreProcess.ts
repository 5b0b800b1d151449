import { once } from 'node:events';
import { startEventStore } from '../../src/embedded/eventstore/server.ts';

/** Runs the embedded event store on the database of its argument until its parent disconnects. */

const [databaseUrl = ''] = process.argv.slice(2);
const store = await startEventStore({
  databaseUrl,
  listen: { host: '127.0.0.1', port: 0 },
  log: (_, line) => console.error(line),
});
process.send?.(store.connectionString);
await once(process, 'disconnect');
await store.close();

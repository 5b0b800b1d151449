// @ts-nocheck: its imports are only installed by `npm ci --prefix bench/emmett`

/** Fills emmett's tables in the PostgreSQL of the first argument, projects them to one row a stream, and prints the events a second. */

import { SQL } from '@event-driven-io/dumbo';
import {
  getPostgreSQLEventStore,
  postgreSQLEventStoreConsumer,
  postgreSQLRawSQLProjection,
} from '@event-driven-io/emmett-postgresql';

const [connectionString, events] = [process.argv[2], Number(process.argv[3])];
const BATCH = 20;
const WORKERS = 8;

const store = getPostgreSQLEventStore(connectionString);
await store.schema.migrate();
let next = 0;
const fill = async () => {
  for (let first = next; first < events; first = next) {
    next += BATCH;
    const customerId = `customer-${first}`;
    const changes = Array.from({ length: BATCH }, (_, at) => ({
      type: 'CustomerDetailsChanged',
      data: {
        customerId,
        name: `Customer ${first}, name ${at}`,
        contactEmail: `it@customer-${first}.example`,
        company: `Company ${at}`,
      },
    }));
    await store.appendToStream(customerId, changes);
  }
};
await Promise.all(Array.from({ length: WORKERS }, fill));

const customers = postgreSQLRawSQLProjection({
  name: 'customers',
  canHandle: ['CustomerDetailsChanged'],
  init: () => SQL`create table if not exists customer (id text primary key, name text, contact_email text, company text)`,
  evolve: ({ data }) => SQL`
    insert into customer values (${data.customerId}, ${data.name}, ${data.contactEmail}, ${data.company})
    on conflict (id) do update set name = excluded.name, contact_email = excluded.contact_email, company = excluded.company`,
});
const consumer = postgreSQLEventStoreConsumer({
  connectionString,
  stopWhen: { noMessagesLeft: true },
  pulling: { batchSize: 1000 },
});
consumer.projector({ processorId: 'customers', projection: customers, startFrom: 'BEGINNING' });
const begun = performance.now();
await consumer.start();
console.log((next * 1000) / (performance.now() - begun));
await consumer.close();
await store.close();

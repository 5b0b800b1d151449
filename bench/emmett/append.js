// @ts-nocheck: its imports are only installed by `npm ci --prefix bench/emmett`

/** Appends batches with emmett to the PostgreSQL of the first argument, and prints the events a second. */

import { setTimeout as delay } from 'node:timers/promises';
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';

const [url, seconds, batch, concurrency] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const WARM_UP_MS = 2_000;

/** The same event as in bench/append.ts. */
const eventOf = (index) => ({
  type: 'CustomerDetailsChanged',
  data: {
    customerId: 'd1320b76-d9c9-4989-813e-14362f8209f1',
    name: `Customer number ${index}`,
    contactEmail: `person-${index}@acme.example`,
    company: 'A company of that name, somewhere',
    developerSeats: index % 100,
  },
  metadata: { commandId: '00000000-0000-4000-8000-000000000001', at: '2026-01-31T12:00:00.000Z', codec: 1 },
});

const store = getPostgreSQLEventStore(url);
await store.schema.migrate();
let batches = 0;
let isOver = false;

const fill = async (writer) => {
  for (let index = 0; !isOver; index += batch) {
    await store.appendToStream(
      `customer-${writer}`,
      Array.from({ length: batch }, (_, at) => eventOf(index + at)),
    );
    batches += 1;
  }
};

const filling = Promise.all(Array.from({ length: concurrency }, (_, writer) => fill(writer)));
await Promise.race([filling, delay(WARM_UP_MS)]);
const before = batches;
const begun = performance.now();
await Promise.race([filling, delay(seconds * 1000)]);
console.log(((batches - before) * batch) / ((performance.now() - begun) / 1000));
isOver = true;
await filling;
await store.close();

import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { openProduct, type Product } from '../src/bootstrap/product.ts';
import { streams } from '../src/commands/streams.ts';
import { customerId, integratorId, userId } from '../src/contracts/fields.ts';
import type { RecordedCall } from '../src/domain/apiCalls/events.ts';
import { SERVICES } from '../src/domain/enumerations.ts';
import type { AnyEvent } from '../src/domain/events.ts';
import { DAY_MS, dayOf } from '../src/domain/time.ts';
import type { StreamName } from '../src/eventstore/port.ts';
import { forEachConcurrently } from '../src/flow/concurrency.ts';
import { rebuild } from '../src/projections/engine/rebuild.ts';
import { projectionGroupsOf } from '../src/projections/projector.ts';
import { metaOf } from '../tests/support/builders/command.ts';
import { asAdmin } from './support/apiClients.ts';
import { startEmbeddedStore } from './support/embeddedStore.ts';
import { quantile, report } from './support/figures.ts';
import { startProduct } from './support/product.ts';
import { settings } from './support/settings.ts';

/**
 * First pages of the recorded calls of one customer, and the size of their index. Events of `batch` calls of `users` users overlap. `copies`
 * repeats the index, without the events, for as many periods before: a first page reads the events of the newest calls only.
 */

const { calls, batch, users, days, copies, repetitions } = settings({
  calls: 10_000_000,
  batch: 500,
  users: 10,
  days: 90,
  copies: 0,
  repetitions: 100,
});
const WARM_UP = 5;
const TARGET_MS = 300;
const CONCURRENT_APPENDS = 32;
const QUARTER_MS = 900_000;
/** One call in so many has an operation of its own. */
const RARE = 100_000;

const customer = customerId.parse(randomUUID());
const integrator = integratorId.parse(randomUUID());
const userIds = Array.from({ length: users }, () => userId.parse(randomUUID()));
const until = Date.now() - 60_000;
const stepMs = (days * DAY_MS) / calls;

const callOf = (index: number): RecordedCall => ({
  service: SERVICES[index % SERVICES.length] ?? 'jira',
  instanceUrl: `https://team-${index % 20}.example`,
  operation: index % RARE === 0 ? 'GET:/rare' : `GET:/thing-${index % 30}`,
  ok: index % 50 !== 0,
  status: index % 50 === 0 ? 500 : 200,
  durationMs: 20 + ((index * 37) % 180),
  at: new Date(Math.floor(until - (calls - index) * stepMs)).toISOString(),
});

/** The users' calls alternate, so that the events of a round overlap in time. */
const eventOf = (number: number): { stream: StreamName; event: AnyEvent; at: string } => {
  const user = number % users;
  const first = Math.floor(number / users) * users * batch + user;
  const recorded = Array.from({ length: batch }, (_, index) => callOf(first + index * users));
  const at = recorded.at(-1)?.at ?? '';
  const flush = {
    userId: userIds[user] ?? userId.parse(randomUUID()),
    sourceId: `source-${user}`,
    firstSequence: 1 + Math.floor(number / users) * batch,
    calls: recorded,
  };
  return {
    stream: streams.apiCalls(customer, at.slice(0, 10)),
    event: { type: 'ApiCallsRecorded', data: { customerId: customer, flushes: [flush] } },
    at,
  };
};

const append = async ({ events }: Product, stream: StreamName, event: AnyEvent, at: string): Promise<void> => {
  const appended = await events.append(stream, [event], { expected: 'any', meta: metaOf({ at }) });
  if (!appended.ok) throw new Error(`${stream} rejected an event`);
};

const seed = async (product: Product): Promise<void> => {
  const begun = new Date(until - days * DAY_MS).toISOString();
  const contact = { contactEmail: 'it@contoso.example' };
  await append(
    product,
    streams.integrator(integrator),
    {
      type: 'IntegratorRegistered',
      data: { integratorId: integrator, companyName: 'Contoso', billingEmail: 'bills@contoso.example', ...contact },
    },
    begun,
  );
  await append(
    product,
    streams.customer(customer),
    {
      type: 'CustomerRegistered',
      data: { customerId: customer, integratorId: integrator, name: 'Acme', company: null, ...contact },
    },
    begun,
  );
  await forEachConcurrently(Array(Math.floor(calls / batch)).keys(), CONCURRENT_APPENDS, (number) => {
    const { stream, event, at } = eventOf(number);
    return append(product, stream, event, at);
  });
};

const store = await startEmbeddedStore();
const masterSecret = randomBytes(32);
const log = pino({ level: 'warn' });
const filling = await openProduct({ databaseUrl: store.databaseUrl, eventStoreUrl: store.url, masterSecret, log });
const seededAt = performance.now();
await seed(filling);
report('calls a second appended', (calls * 1000) / (performance.now() - seededAt), 'calls/s');
const begunAt = performance.now();
for (const group of Object.values(projectionGroupsOf(filling))) {
  await rebuild(
    group,
    {
      ...filling,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      onParked: (event) => {
        throw new Error(JSON.stringify(event));
      },
    },
    { afresh: true },
  );
}
report('calls a second in a rebuild', (calls * 1000) / (performance.now() - begunAt), 'calls/s');
await filling.close();

const client = new pg.Client({ connectionString: store.databaseUrl });
await client.connect();
/** Adds the rows of a table again for the days of each earlier period: the calls of `days` times 24 hours are of one calendar day more. */
const copyTo = async (table: string): Promise<void> => {
  const { rows: columns } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute where attrelid = 'usage.${table}'::regclass and attnum > 0 and not attisdropped`,
  );
  const values = columns.map(({ name }) => (name === 'day' ? `t.day - k * ${days + 1}` : `t.${name}`));
  await client.query(
    `insert into usage.${table} (${columns.map(({ name }) => name).join(', ')})
     select ${values.join(', ')} from generate_series(1, ${copies}) k, usage.${table} t`,
  );
};
if (copies > 0) {
  for (const table of ['call_chunk', 'day', 'scope_day']) await copyTo(table);
  await client.query('vacuum analyze');
}
const indexed = calls * (copies + 1);
const { rows } = await client.query<{ bytes: string; chunks: string }>(
  `select pg_total_relation_size('usage.call_chunk') as bytes, (select count(*) from usage.call_chunk) as chunks`,
);
report('the index of calls', Number(rows[0]?.bytes ?? 0) / indexed, 'bytes a call (limit 20)');
report('  chunks', Number(rows[0]?.chunks ?? 0), '');
/** The first look-up of a list of the customer: the chunks of the newest quarter of an hour. */
const newest = Math.floor((until % DAY_MS) / QUARTER_MS);
const quarter = newest < 48 ? `early & ${2 ** newest}` : `late & ${2 ** (newest - 48)}`;
const { rows: plan } = await client.query<{ 'QUERY PLAN': string }>(
  `explain (analyze, buffers, costs off)
   select chunk, records from usage.call_chunk
   where customer_id = '${customer}' and day = '${dayOf(until)}' and ${quarter} <> 0
   order by day, customer_id, chunk limit 1000`,
);
console.log(plan.map((row) => row['QUERY PLAN']).join('\n'));
await client.end();

const product = await startProduct({
  env: { DATABASE_URL: store.databaseUrl, EVENTSTORE_URL: store.url, MASTER_SECRET: masterSecret.toString('base64'), ROLES: 'api' },
});
const get = await asAdmin(product.url);

const middle = new Date(until - (days * DAY_MS) / 2).toISOString();
const own = `/api/admin/calls?customerId=${customer}`;
const pages: readonly (readonly [name: string, path: string])[] = [
  ['no filter', own],
  ['of all customers', '/api/admin/calls?limit=100'],
  ['of an integrator', `/api/admin/calls?serviceIntegratorId=${integrator}`],
  ['failed', `${own}&outcome=failed`],
  ['of a user', `${own}&userId=${userIds[0]}`],
  ['of an operation', `${own}&operation=GET:/thing-7`],
  ['of a service, failed', `${own}&service=azdo&outcome=failed`],
  ['of an operation of one call in 100,000', `${own}&operation=GET:/rare`],
  ['of an operation that nobody called', `${own}&operation=GET:/nothing`],
  ['slower than any', `${own}&minDurationMs=10000`],
  ['up to a time in the middle', `${own}&to=${middle}`],
  ['500 calls', `${own}&limit=500`],
];

for (const [name, path] of pages) {
  const times: number[] = [];
  let found = 0;
  for (let turn = 0; turn < WARM_UP + repetitions; turn++) {
    const begun = performance.now();
    const reply = await get('GET', path);
    if (turn >= WARM_UP) times.push(performance.now() - begun);
    found = reply.calls.length;
  }
  const p99 = quantile(times, 0.99);
  report(`${name}: ${found} calls, p50`, quantile(times, 0.5), 'ms');
  report(`  p99 (limit ${TARGET_MS})`, p99, p99 <= TARGET_MS ? 'ms' : 'ms  ABOVE THE LIMIT');
}
await product.stop();
await store.stop();

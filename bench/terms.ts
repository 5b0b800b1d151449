import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { openProduct } from '../src/bootstrap/product.ts';
import { streams } from '../src/commands/streams.ts';
import type { CustomerId } from '../src/domain/ids.ts';
import { DAY_MS } from '../src/domain/time.ts';
import { forEachConcurrently } from '../src/flow/concurrency.ts';
import { advanceTerms } from '../src/policies/advanceTerms.ts';
import { createPolicyRunner } from '../src/policies/engine/runner.ts';
import { metaOf } from '../tests/support/builders/command.ts';
import { customerRegistered, licenseExpiryAnnounced, licenseTermSet } from '../tests/support/builders/customer.ts';
import { startEmbeddedStore } from './support/embeddedStore.ts';
import { report, reportRatio, timed } from './support/figures.ts';
import { settings } from './support/settings.ts';

/** A day of the policy of terms: the expiries of licenses are spread over `days`. The limit reads and appends as many streams without it. */

const { licenses, days } = settings({ licenses: 100_000, days: 365 });
const CONCURRENT = 32;
const POLL_MS = 20;

const store = await startEmbeddedStore();
const log = pino({ level: 'warn' });
const product = await openProduct({
  databaseUrl: store.databaseUrl,
  eventStoreUrl: store.url,
  masterSecret: randomBytes(32),
  log,
});
const { events, db, pool, commands } = product;

const each = (count: number, work: (index: number) => Promise<unknown>): Promise<void> =>
  forEachConcurrently(Array(count).keys(), CONCURRENT, work);
const start = Date.now();
const customerIds = Array.from({ length: licenses }, () => randomUUID() as CustomerId);
const meta = metaOf({ at: new Date(start).toISOString() });
/** Beyond the first announcement, so that nothing is due on the first day. */
const expiryOf = (index: number): string => new Date(start + (32 + (index % days)) * DAY_MS).toISOString();
await each(licenses, (index) => {
  const customerId = customerIds[index] as CustomerId;
  const history = [customerRegistered({ customerId }), licenseTermSet({ expiresAt: expiryOf(index) })];
  return events.append(streams.customer(customerId), history, { expected: 'no_stream', meta });
});

let now = start;
const runner = createPolicyRunner({
  policies: [advanceTerms({ commands })],
  events,
  db,
  pool,
  now: () => now,
  newId: randomUUID,
  random: Math.random,
  onError: (_, error) => {
    throw error;
  },
  dueMs: POLL_MS,
  standbyMs: POLL_MS,
});

const count = async (due: Date | null): Promise<number> => {
  const notes = db
    .selectFrom('policy.note')
    .select(({ fn }) => fn.countAll<string>().as('notes'))
    .where('policy', '=', 'advanceTerms');
  const { notes: found } = await (due ? notes.where('due_at', '<=', due) : notes).executeTakeFirstOrThrow();
  return Number(found);
};
const until = async (isDone: () => Promise<boolean>): Promise<void> => {
  while (!(await isDone())) await delay(POLL_MS);
};

report(
  `the policy reads the terms of ${licenses} licenses`,
  await timed(async () => {
    await runner.start();
    await until(async () => (await count(null)) === licenses);
  }),
  's',
);

// The first day on which each expiry has had its announcements.
let steps = 0;
const daily: number[] = [];
for (let day = 0; day < 34; day += 1) {
  now += DAY_MS;
  const due = await count(new Date(now));
  const took = await timed(() => until(async () => (await count(new Date(now))) === 0));
  if (due === 0) continue;
  daily.push(took);
  steps = due;
}
await runner.stop();

const limit = await timed(() =>
  each(steps, async (index) => {
    const stream = streams.customer(customerIds[index] as CustomerId);
    let revision = 0n;
    for await (const recorded of events.read(stream)) revision = recorded.revision;
    await events.append(stream, [licenseExpiryAnnounced()], { expected: revision, meta });
  }),
);
report('steps of the last day', steps, '');
report('the slowest day', Math.max(...daily), 's');
reportRatio('the last day', daily.at(-1) ?? Number.NaN, 'as many reads and appends', limit, 's');

await product.close();
await store.stop();

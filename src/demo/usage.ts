import type { Product } from '../bootstrap/product.ts';
import { streams } from '../commands/streams.ts';
import type { ApiCallsRecorded } from '../domain/apiCalls/events.ts';
import type { EventMeta } from '../domain/event.ts';
import { DEFAULT_USAGE_RANGE } from '../domain/limits.ts';
import { dayOf } from '../domain/time.ts';
import { forEachConcurrently } from '../flow/concurrency.ts';
import type { Seeded, SeededCustomer } from './seed.ts';
import { type Flush, yearOfUsage } from './yearOfUsage.ts';

/** Concurrent appends: enough to keep the store busy, few enough for requests to be served. */
const APPENDS = 8;
const SEED = 11;

const writeDay = async ({ events, newId }: Product, customer: SeededCustomer, day: readonly Flush[]): Promise<void> => {
  const { customerId, firstUser: userId } = customer;
  const streamDays = new Map<string, Flush[]>();
  for (const flush of day) {
    const key = dayOf(flush.at);
    streamDays.set(key, [...(streamDays.get(key) ?? []), flush]);
  }
  for (const [key, flushes] of streamDays) {
    const recorded = flushes.map(({ firstSequence, calls }): ApiCallsRecorded => {
      const flush = { userId, sourceId: 'demo-past', firstSequence, calls };
      return { type: 'ApiCallsRecorded', data: { customerId, flushes: [flush] } };
    });
    const meta = flushes.map(({ at }): EventMeta => {
      const id = newId();
      return { actor: { kind: 'user', id: userId }, commandId: id, correlationId: id, causationId: null, at };
    });
    await events.append(streams.apiCalls(customerId, key), recorded, { expected: 'any', meta });
  }
};

const usageOf = ({ madeAt, customers }: Seeded) =>
  customers.map((customer, index) => ({ customer, days: yearOfUsage(SEED + index, customer.spec, new Date(madeAt)) }));

/** Writes each customer's API calls of the days that the dashboards show. */
export const writeNewestDays = async (product: Product, seeded: Seeded): Promise<void> => {
  await Promise.all(
    usageOf(seeded).map(async ({ customer, days }) => {
      for (let count = 0; count < DEFAULT_USAGE_RANGE; count++) {
        const { value: day } = days.next();
        if (day) await writeDay(product, customer, day);
      }
    }),
  );
};

/** The newest day first, and a day of each customer in turn. */
function* daysInTurn(seeded: Seeded, isStopped: () => boolean): Generator<{ customer: SeededCustomer; day: readonly Flush[] }> {
  for (let left = usageOf(seeded); left.length > 0 && !isStopped(); ) {
    const next: typeof left = [];
    for (const usage of left) {
      const { value: day, done } = usage.days.next();
      if (done || !day) continue;
      next.push(usage);
      yield { customer: usage.customer, day };
    }
    left = next;
  }
}

/** Writes a year of API calls. The calls and their sequences are the same each time, so repeated writes count once. */
export const writeYear = (product: Product, seeded: Seeded, isStopped: () => boolean): Promise<void> =>
  forEachConcurrently(daysInTurn(seeded, isStopped), APPENDS, ({ customer, day }) => writeDay(product, customer, day));

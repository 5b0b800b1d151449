import type { Product } from '../bootstrap/product.ts';
import { streams } from '../commands/streams.ts';
import type { ApiCallsRecorded } from '../domain/apiCalls/events.ts';
import type { EventMeta } from '../domain/event.ts';
import { DEFAULT_USAGE_RANGE } from '../domain/limits.ts';
import type { Seeded, SeededCustomer } from './seed.ts';
import { type Flush, yearOfUsage } from './yearOfUsage.ts';

/** Concurrent appends: enough to keep the store busy, few enough for requests to be served. */
const APPENDS = 8;
const SEED = 11;

const writeDay = async ({ events, newId }: Product, customer: SeededCustomer, day: readonly Flush[]): Promise<void> => {
  const { customerId, firstUser: userId } = customer;
  const streamDays = new Map<string, Flush[]>();
  for (const flush of day) {
    const key = flush.at.slice(0, 10);
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

/**
 * Writes a year of API calls: the newest day first, and a day of each customer in turn. The calls and their sequences are the same each
 * time, so repeated writes count once.
 */
export const writeYear = async (product: Product, seeded: Seeded, isStopped: () => boolean): Promise<void> => {
  const pending = new Set<Promise<unknown>>();
  for (let left = usageOf(seeded); left.length > 0 && !isStopped(); ) {
    const next: typeof left = [];
    for (const usage of left) {
      const { value: day, done } = usage.days.next();
      if (done || !day) continue;
      next.push(usage);
      const append = writeDay(product, usage.customer, day).finally(() => pending.delete(append));
      pending.add(append);
      if (pending.size >= APPENDS) await Promise.race(pending);
    }
    left = next;
  }
  await Promise.all(pending);
};

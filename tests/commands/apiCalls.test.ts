import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ApiCallBatch, createApiCallRecorder } from '../../src/commands/apiCalls.ts';
import { streams } from '../../src/commands/streams.ts';
import type { ApiCallsRecorded } from '../../src/domain/apiCalls/events.ts';
import type { CustomerId, UserId } from '../../src/domain/ids.ts';
import { type EventStore, EventStoreUnavailable } from '../../src/eventstore/port.ts';
import { openStoreFixture, readAll } from '../eventstoreClient/adapterSupport.ts';
import { apiCallBatch, apiCallsJoined, recordedCall } from '../support/builders/activity.ts';
import { metaOf } from '../support/builders/command.ts';

const fixture = openStoreFixture();
const DAY = '2026-01-31';
const newCustomer = () => {
  const customerId = randomUUID() as CustomerId;
  const batch = (overrides: Partial<ApiCallBatch> = {}) => apiCallBatch({ customerId, ...overrides });
  return { customerId, stream: streams.apiCalls(customerId, DAY), batch };
};
const flushesOf = (event: unknown) => (event as ApiCallsRecorded).data.flushes;
/** The store, counting the flushes of each event that it is given, one an append. */
const counted = (options: { windowMs?: number } = {}) => {
  const sizes: number[] = [];
  const append: EventStore['append'] = (stream, events, options) => {
    sizes.push(...events.map((event) => flushesOf(event).length));
    return fixture.events.append(stream, events, options);
  };
  return { sizes, record: createApiCallRecorder({ events: { append }, ...options }) };
};

describe('recording API calls', () => {
  it('is durable in the stream of the day it was received', async () => {
    const { stream, batch } = newCustomer();
    const meta = metaOf({ at: `${DAY}T23:59:59.999Z` });
    const position = await counted().record(batch({ calls: [recordedCall({ at: '2025-12-24T00:00:00.000Z' })] }), meta);
    expect(await readAll(fixture.events, stream)).toMatchObject([{ position, meta }]);
  });

  it('combines recordings during an append into one event, in the order of arrival', async () => {
    const { stream, batch } = newCustomer();
    const { record, sizes } = counted();
    const batches = Array.from({ length: 100 }, (_, i) => batch({ sourceId: `source-${i}`, firstSequence: i + 1 }));
    const [leader = batch(), ...followers] = batches;
    const alone = record(leader, metaOf());
    await new Promise((resolve) => setImmediate(resolve));
    const positions = await Promise.all(followers.map((one) => record(one, metaOf())));
    expect(sizes).toEqual([1, 99]);
    const [first = batch(), second = batch(), ...rest] = batches;
    const recorded = await readAll(fixture.events, stream);
    expect(recorded.map(({ event }) => event)).toEqual([apiCallsJoined(first), apiCallsJoined(second, ...rest)]);
    expect([await alone, ...new Set(positions)]).toEqual(recorded.map(({ position }) => position));
  });

  it('waits for the clients that were answered together, so that their next calls are one event too', async () => {
    const { batch } = newCustomer();
    const { record, sizes } = counted({ windowMs: 10_000 });
    const send = (firstSequence: number, count: number) =>
      Promise.all(Array.from({ length: count }, (_, i) => record(batch({ sourceId: `source-${i}`, firstSequence }), metaOf())));
    await send(1, 3);
    const early = send(4, 2);
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(sizes).toEqual([3]);
    await Promise.all([early, record(batch({ sourceId: 'source-2', firstSequence: 4 }), metaOf())]);
    expect(sizes).toEqual([3, 3]);
  });

  it('waits only briefly for a client that sends no more', async () => {
    const { batch } = newCustomer();
    const { record, sizes } = counted({ windowMs: 1 });
    await Promise.all([record(batch(), metaOf()), record(batch(), metaOf()), record(batch(), metaOf())]);
    await record(batch({ firstSequence: 4 }), metaOf());
    await record(batch({ firstSequence: 7 }), metaOf());
    expect(sizes).toEqual([3, 1, 1]);
  });

  it('appends duplicates, which the read models count once', async () => {
    const { stream, batch } = newCustomer();
    await Promise.all(Array.from({ length: 3 }, () => counted().record(batch(), metaOf())));
    const events = await readAll(fixture.events, stream);
    expect(events.flatMap(({ event }) => flushesOf(event))).toHaveLength(3);
  });

  it('has the user as actor, or the customer for several users', async () => {
    const { customerId, stream, batch } = newCustomer();
    const { record } = counted();
    const ofUser = (id: string, commandId: string) =>
      record(batch({ userId: id as UserId }), metaOf({ actor: { kind: 'user', id }, commandId }));
    const [ada, bob] = [randomUUID(), randomUUID()];
    await Promise.all([ofUser(ada, 'one'), ofUser(ada, 'two')]);
    await Promise.all([ofUser(ada, 'three'), ofUser(bob, 'four'), ofUser(ada, 'five')]);
    const recorded = await readAll(fixture.events, stream);
    expect(recorded.map(({ meta }) => [meta.actor, meta.commandId])).toEqual([
      [{ kind: 'user', id: ada }, 'one'],
      [{ kind: 'customer', id: customerId }, 'three'],
    ]);
    expect(recorded.flatMap(({ event }) => flushesOf(event).map(({ userId }) => userId))).toEqual([ada, ada, ada, bob, ada]);
  });

  it('does not combine customers', async () => {
    const { record, sizes } = counted();
    await Promise.all([newCustomer(), newCustomer()].map(({ batch }) => record(batch(), metaOf())));
    expect(sizes).toEqual([1, 1]);
  });

  it('waits for a bounded time for the append of another customer', async () => {
    const [slow, quick] = [newCustomer(), newCustomer()];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const append: EventStore['append'] = async (stream, events, options) => {
      if (stream === slow.stream) await released;
      return fixture.events.append(stream, events, options);
    };
    const record = createApiCallRecorder({ events: { append } });
    const late = record(slow.batch(), metaOf());
    await record(quick.batch(), metaOf());
    await record(quick.batch({ firstSequence: 4 }), metaOf());
    expect(await readAll(fixture.events, quick.stream)).toHaveLength(2);
    expect(await readAll(fixture.events, slow.stream)).toHaveLength(0);
    release();
    await late;
    expect(await readAll(fixture.events, slow.stream)).toHaveLength(1);
  });

  it('splits events that are too large for the store, without a gap in the sequences', async () => {
    const { stream, batch } = newCustomer();
    const { record, sizes } = counted();
    const instanceUrl = (i: number) => `https://acme.example/${'é'.repeat(2000)}${i}`;
    const calls = Array.from({ length: 1000 }, (_, i) => recordedCall({ instanceUrl: instanceUrl(i), durationMs: i }));
    await record(batch({ firstSequence: 5001, calls }), metaOf());
    expect(sizes.length).toBeGreaterThan(3);
    expect(new Set(sizes)).toEqual(new Set([1]));
    const flushes = (await readAll(fixture.events, stream)).flatMap(({ event }) => flushesOf(event));
    expect(flushes.flatMap((flush) => flush.calls)).toEqual(calls);
    let next = 5001;
    for (const flush of flushes) {
      expect(flush.firstSequence).toBe(next);
      next += flush.calls.length;
    }
    expect(next).toBe(6001);
  });

  it('combines no more than the store accepts in an event', async () => {
    const { stream, batch } = newCustomer();
    const { record, sizes } = counted();
    const sourceId = 'ü'.repeat(200);
    const calls = (i: number) => Array.from({ length: 1000 }, (_, j) => recordedCall({ operation: `é-${i}-${j}`.padEnd(60, 'é') }));
    await Promise.all(
      Array.from({ length: 12 }, (_, i) => record(batch({ sourceId, firstSequence: 1 + i * 1000, calls: calls(i) }), metaOf())),
    );
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeGreaterThan(1);
    const flushes = (await readAll(fixture.events, stream)).flatMap(({ event }) => flushesOf(event));
    expect(flushes.map((flush) => flush.firstSequence)).toEqual(Array.from({ length: 12 }, (_, i) => 1 + i * 1000));
    expect(flushes[11]?.calls).toEqual(calls(11));
  });

  it('combines many batches, since repeated texts are stored once', async () => {
    const { batch } = newCustomer();
    const { record, sizes } = counted();
    const instanceUrl = `https://acme.example/${'x'.repeat(2000)}`;
    const calls = Array.from({ length: 500 }, (_, i) => recordedCall({ instanceUrl, durationMs: i }));
    await Promise.all(Array.from({ length: 13 }, (_, i) => record(batch({ firstSequence: 1 + i * 500, calls }), metaOf())));
    expect(sizes).toEqual([13]);
  });

  it('fails for all combined recordings, and succeeds for the next', async () => {
    const { batch, stream } = newCustomer();
    let isDown = true;
    const append: EventStore['append'] = async (...asked) => {
      if (isDown) throw new EventStoreUnavailable('down');
      return fixture.events.append(...asked);
    };
    const record = createApiCallRecorder({ events: { append } });
    const failed = await Promise.allSettled([record(batch(), metaOf()), record(batch(), metaOf()), record(batch(), metaOf())]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    isDown = false;
    await record(batch(), metaOf());
    expect(await readAll(fixture.events, stream)).toHaveLength(1);
  });
});

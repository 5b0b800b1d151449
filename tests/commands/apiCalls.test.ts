import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createApiCallRecorder } from '../../src/commands/apiCalls.ts';
import { streams } from '../../src/commands/streams.ts';
import type { ApiCallsRecorded } from '../../src/domain/apiCalls/events.ts';
import type { CustomerId } from '../../src/domain/ids.ts';
import { type EventStore, EventStoreUnavailable } from '../../src/eventstore/port.ts';
import { openBench, readAll } from '../eventstore/adapterSupport.ts';
import { apiCallsRecorded, recordedCall } from '../support/builders/activity.ts';
import { metaOf } from '../support/builders/command.ts';

const bench = openBench();
const DAY = '2026-01-31';
const newCustomer = () => {
  const customerId = randomUUID() as CustomerId;
  const batch = (overrides: Partial<ApiCallsRecorded['data']> = {}) => apiCallsRecorded({ customerId, ...overrides }).data;
  return { customerId, stream: streams.apiCalls(customerId, DAY), batch };
};
/** The store, counting what is asked of it. */
const counted = () => {
  const sizes: number[] = [];
  const append: EventStore['append'] = (stream, events, options) => {
    sizes.push(events.length);
    return bench.events.append(stream, events, options);
  };
  return { sizes, record: createApiCallRecorder({ events: { append } }) };
};

describe('recording API calls', () => {
  it('is durable in the stream of the day it was received', async () => {
    const { stream, batch } = newCustomer();
    const meta = metaOf({ at: `${DAY}T23:59:59.999Z` });
    const position = await counted().record(batch({ calls: [recordedCall({ at: '2025-12-24T00:00:00.000Z' })] }), meta);
    expect(await readAll(bench.events, stream)).toMatchObject([{ position, meta }]);
  });

  it('joins what arrives while an append is under way, each with its own source and metadata', async () => {
    const { stream, batch } = newCustomer();
    const { record, sizes } = counted();
    const commandIds = Array.from({ length: 100 }, (_, i) => `command-${i}`);
    const positions = await Promise.all(
      commandIds.map((commandId, i) => record(batch({ sourceId: `source-${i}` }), metaOf({ commandId }))),
    );
    expect(sizes).toEqual([1, 99]);
    expect(new Set(positions).size).toBe(2);
    const recorded = await readAll(bench.events, stream);
    expect(recorded.map(({ meta }) => meta.commandId)).toEqual(commandIds);
    expect(recorded.map(({ event }) => event)).toEqual(
      commandIds.map((_, i) => ({ type: 'ApiCallsRecorded', data: batch({ sourceId: `source-${i}` }) })),
    );
  });

  it('keeps customers apart', async () => {
    const { record, sizes } = counted();
    await Promise.all([newCustomer(), newCustomer()].map(({ batch }) => record(batch(), metaOf())));
    expect(sizes).toEqual([1, 1]);
  });

  it('splits what is too large for the store, without a gap in the numbers', async () => {
    const { stream, batch } = newCustomer();
    const { record, sizes } = counted();
    const instanceUrl = (i: number) => `https://acme.example/${'é'.repeat(2000)}${i}`;
    const calls = Array.from({ length: 1000 }, (_, i) => recordedCall({ instanceUrl: instanceUrl(i), durationMs: i }));
    await record(batch({ firstSequence: 5001, calls }), metaOf());
    expect(sizes.length).toBeGreaterThan(3);
    const events = (await readAll(bench.events, stream)).map(({ event }) => event as ApiCallsRecorded);
    expect(events.flatMap(({ data }) => data.calls)).toEqual(calls);
    let next = 5001;
    for (const { data } of events) {
      expect(data.firstSequence).toBe(next);
      next += data.calls.length;
    }
    expect(next).toBe(6001);
  });

  it('joins many batches, since texts that come again take no room', async () => {
    const { batch } = newCustomer();
    const { record, sizes } = counted();
    const instanceUrl = `https://acme.example/${'x'.repeat(2000)}`;
    const calls = Array.from({ length: 500 }, (_, i) => recordedCall({ instanceUrl, durationMs: i }));
    await Promise.all(Array.from({ length: 13 }, (_, i) => record(batch({ firstSequence: 1 + i * 500, calls }), metaOf())));
    expect(sizes).toEqual([1, 12]);
  });

  it('fails for all that went together, and works again for the next', async () => {
    const { batch, stream } = newCustomer();
    let isDown = true;
    const append: EventStore['append'] = async (...asked) => {
      if (isDown) throw new EventStoreUnavailable('down');
      return bench.events.append(...asked);
    };
    const record = createApiCallRecorder({ events: { append } });
    const failed = await Promise.allSettled([record(batch(), metaOf()), record(batch(), metaOf()), record(batch(), metaOf())]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    isDown = false;
    await record(batch(), metaOf());
    expect(await readAll(bench.events, stream)).toHaveLength(1);
  });
});

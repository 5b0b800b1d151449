import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { streams } from '../../../src/commands/streams.ts';
import type { CustomerId } from '../../../src/domain/ids.ts';
import { type RunningEventStore, startEventStore } from '../../../src/embedded/eventstore/server.ts';
import { createEventStore } from '../../../src/eventstore/adapter.ts';
import { type EventStore, EventStoreUnavailable } from '../../../src/eventstore/port.ts';
import { eventsOf, readAll } from '../../eventstoreClient/adapterSupport.ts';
import { metaOf } from '../../support/builders/command.ts';
import { seatLimitsEnforced, seatLimitsRelaxed, themeAssigned } from '../../support/builders/customer.ts';
import { eventually } from '../../support/eventually.ts';
import { fixedSealing } from '../../support/fixedSealing.ts';
import { openDatabase, type TestDatabase } from '../../support/stores.ts';
import { IS_AT_LENGTH, itAtLength } from '../../support/tiers.ts';
import { openRelay, type Relay } from './relay.ts';

const meta = metaOf();
const newStream = () => streams.customer(randomUUID() as CustomerId);
let database: TestDatabase;
let server: RunningEventStore;
let relay: Relay;
const opened: EventStore[] = [];

/** A node that connects to the store through the relay. */
const node = (times: { attemptTimeoutMs?: number; retryTimeoutMs?: number } = {}): EventStore => {
  const url = `esdb://127.0.0.1:${relay.port}?tls=false`;
  const events = createEventStore({ url, sealing: fixedSealing, ...times });
  opened.push(events);
  return events;
};

beforeAll(async () => {
  database = await openDatabase();
  server = await startEventStore({
    databaseUrl: database.databaseUrl,
    listen: { host: '127.0.0.1', port: 0 },
    log: () => undefined,
  });
  relay = await openRelay(Number(new URL(server.connectionString.replace('esdb:', 'http:')).port));
});

afterEach(async () => {
  relay.open();
  await Promise.all(opened.splice(0).map((events) => events.close()));
});

afterAll(async () => {
  await relay.close();
  await server.close();
  await database.close();
});

describe('a store that is temporarily unreachable', () => {
  it('receives pending appends once it is reachable again', async () => {
    const events = node();
    const stream = newStream();
    relay.cut();
    const appending = events.append(stream, [seatLimitsEnforced()], { expected: 'no_stream', meta });
    setTimeout(relay.open, 200);
    expect(await appending).toMatchObject({ ok: true, revision: 0n });
    expect(await eventsOf(events, stream)).toEqual([seatLimitsEnforced()]);
  });

  it('delays reads until it is reachable again', async () => {
    const events = node();
    const stream = newStream();
    await events.append(stream, [seatLimitsEnforced()], { expected: 'no_stream', meta });
    relay.cut();
    const reading = readAll(events, stream);
    setTimeout(relay.open, 200);
    expect(await reading).toHaveLength(1);
  });

  it('stores each append once, wherever the connection breaks', async () => {
    const events = node({ retryTimeoutMs: 30_000 });
    const most = IS_AT_LENGTH ? 8 : 3;
    let breaks = 0;
    const breaking = setInterval(() => {
      relay.cut();
      setTimeout(relay.open, 20);
      if (++breaks === most) clearInterval(breaking);
    }, 250);
    const appended: string[] = [];
    const stream = newStream();
    while (breaks < most) {
      const some = Array.from({ length: 30 }, (_, i) => `theme-${appended.length + i}`);
      const results = await Promise.all(
        some.map((theme) => events.append(stream, [themeAssigned(theme)], { expected: 'any', meta })),
      );
      expect(results.every(({ ok }) => ok)).toBe(true);
      appended.push(...some);
    }
    const themes = (await eventsOf(events, stream)).map((event) => (event.type === 'ThemeAssigned' ? event.data.theme : ''));
    expect(themes.sort()).toEqual(appended.sort());
  });

  it('is retried over another connection if it does not reply', async () => {
    const events = node({ attemptTimeoutMs: 1_000, retryTimeoutMs: 60_000 });
    const stream = newStream();
    await events.append(stream, [seatLimitsEnforced()], { expected: 'no_stream', meta });
    relay.pause();
    const appending = Array.from({ length: 40 }, () =>
      events.append(newStream(), [seatLimitsRelaxed()], { expected: 'any', meta }),
    );
    setTimeout(() => {
      relay.cut();
      relay.open();
    }, 2_000);
    expect((await Promise.all(appending)).every(({ ok }) => ok)).toBe(true);
  });
});

describe('a store that stays unreachable', () => {
  it('fails after the retry timeout', async () => {
    const events = node({ attemptTimeoutMs: 200, retryTimeoutMs: 500 });
    relay.cut();
    const stream = newStream();
    await expect(events.append(stream, [seatLimitsEnforced()], { expected: 'any', meta })).rejects.toThrow(EventStoreUnavailable);
    await expect(readAll(events, stream)).rejects.toThrow(EventStoreUnavailable);
    await expect(events.head()).rejects.toThrow(EventStoreUnavailable);
    await expect(events.deleteStream(stream)).rejects.toThrow(EventStoreUnavailable);
    relay.open();
    expect(await node().append(stream, [seatLimitsEnforced()], { expected: 'no_stream', meta })).toMatchObject({ ok: true });
    await eventually(
      () => readAll(events, stream).catch(() => []),
      (read) => read.length === 1,
    );
  });

  it('fails after the retry timeout if it does not reply', async () => {
    const events = node({ attemptTimeoutMs: 200, retryTimeoutMs: 500 });
    const stream = newStream();
    await node().append(stream, [seatLimitsEnforced()], { expected: 'no_stream', meta });
    relay.pause();
    await expect(events.append(stream, [seatLimitsRelaxed()], { expected: 0n, meta })).rejects.toThrow(EventStoreUnavailable);
  });
});

describe('a subscription that is dropped', () => {
  it('ends with an error', async () => {
    const events = node();
    const subscription = events.subscribe({ after: null, categories: ['customer'] });
    const following = (async () => {
      for await (const item of subscription) if (item.kind === 'caughtUp') relay.cut();
    })();
    await expect(following).rejects.toThrow(EventStoreUnavailable);
  });

  it('ends with an error when it cannot start', async () => {
    const events = node();
    relay.cut();
    const following = (async () => {
      for await (const item of events.subscribe({ after: null, categories: ['customer'] })) expect(item).toBeUndefined();
    })();
    await expect(following).rejects.toThrow(EventStoreUnavailable);
  });

  itAtLength('ends when it is closed while it still connects', async () => {
    relay.pause();
    const events = createEventStore({ url: `esdb+discover://127.0.0.1:${relay.port}?tls=false`, sealing: fixedSealing });
    opened.push(events);
    const subscription = events.subscribe({ after: null, categories: ['customer'] });
    const following = (async () => {
      for await (const item of subscription) expect(item).toBeUndefined();
      return 'ended';
    })();
    await subscription.close();
    expect(await following).toBe('ended');
  });
});

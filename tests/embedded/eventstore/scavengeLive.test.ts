import { type EventStoreDBClient, START, streamNameFilter } from '@eventstore/db-client';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scavengingOf } from '../../../src/embedded/eventstore/service/scavenging.ts';
import { openStore } from '../../../src/embedded/eventstore/storage/store.ts';
import { clientOf } from '../../../src/eventstore/connect.ts';
import { scavengeStore } from '../../../src/eventstore/scavenge.ts';
import { collect, newStream, readSeats, seatClaimed, seats, seatsClaimed } from '../../eventstore/support.ts';
import { until } from '../../support/eventually.ts';
import type { Script } from '../../support/scripts.ts';
import { itAtLength } from '../../support/tiers.ts';
import { openServerFixture, type ServerFixture } from './serverSupport.ts';

const never = new AbortController().signal;

let fixture: ServerFixture;
let server: Script;
let url: string;
let client: EventStoreDBClient;
let tables: pg.Client;

const start = async (): Promise<void> => {
  ({ server, connectionString: url } = await fixture.startProcess());
  client = clientOf(url);
};
const kill = async (): Promise<void> => {
  await client.dispose();
  await server.end('SIGKILL');
};

beforeAll(async () => {
  fixture = await openServerFixture();
  await start();
  tables = new pg.Client({ connectionString: fixture.databaseUrl });
  await tables.connect();
});
afterAll(async () => {
  await tables.end();
  await kill();
  await fixture.close();
});

const rowsOf = async (stream: string): Promise<number> => {
  const { rows } = await tables.query<{ n: number }>('select count(*)::int as n from eventstore.event where stream = $1', [stream]);
  return rows[0]?.n ?? 0;
};

/** Locks an event, so that a scavenge waits before it removes it, and does not end before the lock is released. */
const hold = async (stream: string, revision: number): Promise<{ release: () => Promise<unknown> }> => {
  await tables.query('begin');
  await tables.query('select from eventstore.event where stream = $1 and revision = $2 for update', [stream, revision]);
  return { release: () => tables.query('rollback') };
};
const cutOff = () =>
  tables.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'eventstore%'`);

/** Appends to one stream of `category`, between others that it deletes. Resolves to the seats of the first, in order. */
const appendAndDelete = async (category: string, rounds: number): Promise<number[]> => {
  const kept = newStream(category);
  for (let round = 0; round < rounds; round++) {
    const deleted = newStream(category);
    await client.appendToStream(deleted, seatsClaimed(300, 10_000));
    await client.appendToStream(kept, seatsClaimed(20, 20 * round));
    await client.deleteStream(deleted);
  }
  return Array.from({ length: 20 * rounds }, (_, seat) => seat);
};

/** Follows `$all` from the start until `count` events have arrived. */
const followed = async (category: string, count: number): Promise<unknown[]> => {
  const found: unknown[] = [];
  const filter = streamNameFilter({ prefixes: [`${category}-`] });
  for await (const { event } of client.subscribeToAll({ fromPosition: START, filter })) {
    found.push(...seats([{ event } as never]));
    if (found.length === count) break;
  }
  return found;
};

describe('after a scavenge', () => {
  it('$all is read across the gaps, in both directions and filtered', async () => {
    const expected = await appendAndDelete('gaps', 8);
    await scavengeStore(url, never);
    const all = await collect(client.readAll({ fromPosition: START }));
    const own = all.filter(({ event }) => event?.streamId.startsWith('gaps-'));
    expect(seats(own)).toEqual(expected);
    const backwards = await collect(client.readAll({ direction: 'backwards', fromPosition: 'end' }));
    expect(backwards.map(({ event }) => event?.id)).toEqual(all.map(({ event }) => event?.id).reverse());
    expect(await followed('gaps', expected.length)).toEqual(expected);
    await kill();
    await start();
    expect(await followed('gaps', expected.length)).toEqual(expected);
  });

  it('a live subscription has missed no event, also with concurrent appends', async () => {
    await appendAndDelete('live', 8);
    const stream = newStream('during');
    const subscription = client.subscribeToAll({ fromPosition: START, filter: streamNameFilter({ prefixes: ['during-'] }) });
    const received: unknown[] = [];
    subscription.on('data', (resolved) => received.push(...seats([resolved])));
    let isOver = false;
    const scavenging = scavengeStore(url, never).finally(() => {
      isOver = true;
    });
    let seat = 0;
    for (; !isOver; seat++) {
      await client.appendToStream(stream, seatClaimed(seat), { expectedRevision: seat === 0 ? 'no_stream' : BigInt(seat - 1) });
    }
    expect(await scavenging).toMatchObject({ result: 'success' });
    await until(() => received.length === seat);
    expect(received).toEqual(Array.from({ length: seat }, (_, at) => at));
    await subscription.unsubscribe();
  });
});

describe('a scavenge', () => {
  itAtLength('that is killed at any time leaves a consistent store, and the next one completes it', async () => {
    const streams: string[] = [];
    for (let at = 0; at < 12; at++) {
      const stream = newStream('killed');
      await client.appendToStream(stream, seatsClaimed(500));
      await client.deleteStream(stream);
      streams.push(stream);
    }
    const remainingRows = async (): Promise<number> =>
      (await Promise.all(streams.map(rowsOf))).reduce((sum, rows) => sum + rows, 0);
    const before = await remainingRows();
    const { release } = await hold(streams.toSorted().at(-1) ?? '', 499);
    const lost = scavengeStore(url, never).then(
      () => 'it ended',
      () => 'it was killed',
    );
    await until(async () => (await remainingRows()) < before);
    await kill();
    expect(await lost).toBe('it was killed');
    const afterwards = await remainingRows();
    expect(afterwards).toBeGreaterThan(0);
    await cutOff(); // PostgreSQL does not see that a client was killed while its statement waits
    await release();
    await start();
    // The deleted stream is written again before all of its events are removed.
    expect((await client.appendToStream(streams[0] ?? '', seatClaimed(7))).nextExpectedRevision).toBe(500n);
    expect(await scavengeStore(url, never)).toMatchObject({ result: 'success' });
    expect(await remainingRows()).toBe(1);
    await kill();
    await start();
    expect(await readSeats(client, streams[0] ?? '')).toEqual([7]);
    for (const stream of streams.slice(1)) {
      expect((await client.appendToStream(stream, seatClaimed(1))).nextExpectedRevision).toBe(500n);
    }
  });

  itAtLength('that loses PostgreSQL reports the error once it is back, and the next one completes it', async () => {
    const stream = newStream('outage');
    for (let at = 0; at < 12; at++) await client.appendToStream(stream, seatsClaimed(500));
    await client.deleteStream(stream);
    const { release } = await hold(stream, 3000);
    const failing = scavengeStore(url, never);
    await until(async () => (await rowsOf(stream)) < 6000);
    await cutOff();
    await release();
    expect(await failing).toMatchObject({ result: 'errored', error: expect.stringMatching(/./) });
    expect(await rowsOf(stream)).toBeGreaterThan(0);
    expect(await scavengeStore(url, never)).toMatchObject({ result: 'success' });
    expect(await rowsOf(stream)).toBe(0);
  });

  it('can be stopped, and is shared by requests while it runs', async () => {
    const stream = newStream('stopped');
    for (let at = 0; at < 12; at++) await client.appendToStream(stream, seatsClaimed(500));
    await client.deleteStream(stream);
    const { release } = await hold(stream, 3000);
    const stopping = new AbortController();
    const first = scavengeStore(url, stopping.signal);
    await until(async () => (await rowsOf(stream)) < 6000);
    const second = scavengeStore(url, never);
    stopping.abort();
    // Another connection that is opened after theirs, so that the server has both requests.
    const later = clientOf(url);
    await later.appendToStream(newStream(), seatClaimed(0));
    await later.dispose();
    await release();
    const [outcome, joined] = await Promise.all([first, second]);
    expect(outcome.result).toBe('stopped');
    expect(await rowsOf(stream)).toBeGreaterThan(0);
    expect(outcome.eventsRemoved).toBeGreaterThan(0);
    if (joined.id === outcome.id) expect(joined).toEqual(outcome);
    expect(await scavengeStore(url, never)).toMatchObject({ result: 'success' });
    expect(await rowsOf(stream)).toBe(0);
  });
});

describe('a server without requests', () => {
  it('scavenges on its own schedule', async () => {
    const other = await openServerFixture();
    try {
      const lines: string[] = [];
      const log = (_: unknown, line: string) => void lines.push(line);
      const store = await openStore({ databaseUrl: other.databaseUrl, ownerUrl: other.databaseUrl }, log);
      const scavenging = scavengingOf(store, log, { firstAfterMs: 1, everyMs: 20 });
      const event = (id: string) => ({ id, type: 'Any', isJson: true, data: Buffer.from('{}'), metadata: Buffer.alloc(0) });
      for (const [round, id] of ['0f0e4ab4-5d6c-4c11-9f4e-2d1f8f8a1a01', '0f0e4ab4-5d6c-4c11-9f4e-2d1f8f8a1a02'].entries()) {
        const stream = `deleted-${round}`;
        await store.submit({ kind: 'append', stream, expected: 'any', events: [event(id)], deadline: undefined });
        await store.submit({ kind: 'delete', stream, expected: 'any', deadline: undefined });
        await until(() => lines.length > round);
      }
      await scavenging.close();
      await store.close();
      expect(lines).toEqual(['A scavenge removed 1 events of 2 bytes', 'A scavenge removed 1 events of 2 bytes']);
    } finally {
      await other.close();
    }
  });
});

import { join } from 'node:path';
import { type EventStoreDBClient, FORWARDS, jsonEvent, START } from '@eventstore/db-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type RunningEventStore, startEventStore } from '../../../src/embedded/eventstore/server.ts';
import { closeClient } from '../../../src/eventstore/client.ts';
import { clientOf } from '../../../src/eventstore/connect.ts';
import { copyEvents } from '../../../src/eventstore/copy/copyEvents.ts';
import { CopyRefused } from '../../../src/eventstore/copy/target.ts';
import { collect, failureOf } from '../../eventstore/support.ts';
import { newDirectory, start } from '../postgres/serverSupport.ts';
import { openServerFixture } from './serverSupport.ts';

type Opened = { store: RunningEventStore; url: string; client: EventStoreDBClient };

const openStore = async (): Promise<Opened> => {
  const fixture = await openServerFixture();
  onTestFinished(fixture.close);
  const store = await fixture.start();
  onTestFinished(store.close);
  const client = clientOf(store.connectionString);
  onTestFinished(() => closeClient(client));
  return { store, url: store.connectionString, client };
};

/** A source that a server has used. */
const openSource = async (): Promise<Opened> => {
  const opened = await openStore();
  const identity = jsonEvent({ type: 'StoreIdentified', data: { identity: 'source' } });
  await opened.client.appendToStream('storeIdentity', identity);
  return opened;
};

const at = '2026-01-02T03:04:05.000Z';
const eventOf = (seat: number) => ({ ...jsonEvent({ type: 'SeatClaimed', data: { seat, name: 'sealed:ä' } }), metadata: { at } });

const CONCURRENT = 32;

/** Appends `count` events to streams of customers, in batches of up to three, while it runs. */
const fill = async (client: EventStoreDBClient, count: number, first = 0): Promise<void> => {
  const appends: Promise<unknown>[] = [];
  for (let seat = first; seat < first + count; ) {
    const from = seat;
    seat += Math.min(1 + (seat % 3), first + count - seat);
    const events = Array.from({ length: seat - from }, (_, index) => eventOf(from + index));
    appends.push(client.appendToStream(`customer-${from % 7}`, events));
    if (appends.length === CONCURRENT) await Promise.all(appends.splice(0));
  }
  await Promise.all(appends);
};

type Copied = { position: string; revision: string; storedAt: string };

/** The product's events of a store, in order, with the metadata about the originals. */
const contentOf = async (client: EventStoreDBClient) => {
  const read = await collect(client.readAll({ direction: FORWARDS, fromPosition: START }));
  return read.flatMap(({ event }) => {
    if (!event?.streamId.startsWith('customer-')) return [];
    const { copied, ...metadata } = event.metadata as { copied?: Copied };
    const { id, type, streamId, data, revision, position, created } = event;
    return [{ event: { id, type, streamId, data, metadata }, revision, position: position.commit, created, copied }];
  });
};

const copy = (from: Opened, to: Opened, options: { signal?: AbortSignal; onProgress?: (events: number) => void } = {}) =>
  copyEvents({
    from: from.url,
    to: to.url,
    categories: ['customer'],
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...options,
  });

const expectEqual = async (from: Opened, to: Opened): Promise<void> => {
  const [originals, copies] = [await contentOf(from.client), await contentOf(to.client)];
  expect(copies.map(({ event }) => event)).toEqual(originals.map(({ event }) => event));
  expect(copies.map(({ copied }) => copied)).toEqual(
    originals.map(({ position, revision, created }) => ({
      position: String(position),
      revision: String(revision),
      storedAt: created.toISOString(),
    })),
  );
};

describe('a copy of an event store', () => {
  it('has the same events in the same order after the remainder is copied, while the source is in use', async () => {
    const [source, target] = [await openSource(), await openStore()];
    await fill(source.client, 2_000);
    const filling = fill(source.client, 500, 2_000);
    const first = await copy(source, target);
    expect(first).toBeGreaterThanOrEqual(2_000);
    await filling;
    expect(first + (await copy(source, target))).toBe(2_500);
    await expectEqual(source, target);
    expect(await copy(source, target)).toBe(0);
  });

  it('misses and repeats no event if it is interrupted repeatedly', async () => {
    const [source, target] = [await openSource(), await openStore()];
    await fill(source.client, 6_000);
    for (const limit of [1, 700, 1_500]) {
      const interrupted = new AbortController();
      const onProgress = (events: number) => events >= limit && interrupted.abort(new Error('Interrupted'));
      await failureOf(copy(source, target, { signal: interrupted.signal, onProgress }));
    }
    await copy(source, target);
    await expectEqual(source, target);
  });

  it('is refused after an append in the middle failed, because later ones may have been written', async () => {
    const [source, target] = [await openSource(), await openStore()];
    await fill(source.client, 60);
    await target.client.tombstoneStream('customer-3');
    const failure = await failureOf(copy(source, target));
    expect(failure).toBeInstanceOf(CopyRefused);
    expect(failure).toMatchObject({ message: expect.stringContaining('but has later ones: a write to it failed') });
  });

  it("has no gap if the target's PostgreSQL is killed", async () => {
    const source = await openSource();
    const directory = await newDirectory();
    const postgres = await start(directory);
    const listen = { socketPath: join(directory, '../eventstore.sock') };
    const store = await startEventStore({ databaseUrl: postgres.url('kept', 'superuser'), listen, log: () => undefined });
    onTestFinished(store.close);
    const client = clientOf(store.connectionString);
    onTestFinished(() => closeClient(client));
    await fill(source.client, 5_000);
    const target = { store, url: store.connectionString, client };
    let restarted: Promise<unknown> | undefined;
    const kill = (): void => {
      if (restarted) return;
      process.kill(postgres.pid, 'SIGKILL');
      restarted = start(directory);
    };
    // An operator repeats a copy that gave up.
    for (let isWhole = false; !isWhole; ) {
      const failure: unknown = await copy(source, target, { onProgress: kill }).then(
        () => null,
        (error: unknown) => error,
      );
      if (failure instanceof CopyRefused) throw failure;
      isWhole = failure === null;
    }
    await restarted;
    await expectEqual(source, target);
  });

  it('keeps bytes that are not JSON', async () => {
    const [source, target] = [await openSource(), await openStore()];
    const data = Uint8Array.from({ length: 256 }, (_, index) => index);
    const metadata = new TextEncoder().encode('{ "at": 1 }');
    await source.client.appendToStream('customer-1', [
      { id: '6f8cfa0e-0000-4000-8000-000000000001', type: 'Raw', contentType: 'application/octet-stream', data, metadata },
    ]);
    await copy(source, target);
    const [read] = await collect(target.client.readStream('customer-1'));
    expect(read?.event).toMatchObject({ isJson: false, type: 'Raw', id: '6f8cfa0e-0000-4000-8000-000000000001' });
    expect(Buffer.from(read?.event?.data as Uint8Array)).toEqual(Buffer.from(data));
  });

  it('deletes streams that are deleted in the source, and truncates those that were written again', async () => {
    const [source, target] = [await openSource(), await openStore()];
    await source.client.appendToStream('customer-gone', [eventOf(1), eventOf(2)]);
    await source.client.appendToStream('customer-back', [eventOf(3), eventOf(4)]);
    await copy(source, target);
    for (const stream of ['customer-gone', 'customer-back']) await source.client.deleteStream(stream);
    await copy(source, target);
    for (const stream of ['customer-gone', 'customer-back']) {
      expect(await failureOf(collect(target.client.readStream(stream)))).toMatchObject({ type: 'stream-not-found' });
    }
    await source.client.appendToStream('customer-back', [eventOf(5)]);
    await source.client.appendToStream('customer-back', [eventOf(6)]);
    await copy(source, target);
    const read = await collect(target.client.readStream('customer-back'));
    expect(read.map(({ event }) => event?.data)).toMatchObject([{ seat: 5 }, { seat: 6 }]);
    await expectEqual(source, target);
  });

  it('can be copied again, and keeps the original times', async () => {
    const [source, middle, target] = [await openSource(), await openStore(), await openStore()];
    await fill(source.client, 10);
    await copy(source, middle);
    await middle.client.appendToStream('storeIdentity', jsonEvent({ type: 'StoreIdentified', data: { identity: 'middle' } }));
    await copy(middle, target);
    const [originals, copies] = [await contentOf(source.client), await contentOf(target.client)];
    expect(copies.map(({ event }) => event)).toEqual(originals.map(({ event }) => event));
    expect(copies.map(({ copied }) => copied?.storedAt)).toEqual(originals.map(({ created }) => created.toISOString()));
  });

  it('is refused for incompatible stores', async () => {
    const [source, other, target] = [await openSource(), await openStore(), await openStore()];
    expect(await failureOf(copy(other, target))).toMatchObject({
      message: expect.stringContaining('not an event store of Latchkey'),
    });
    expect(await failureOf(copy(source, source))).toMatchObject({ message: 'Source and target are the same event store.' });
    await fill(source.client, 3);
    await fill(other.client, 1);
    expect(await failureOf(copy(source, other))).toMatchObject({ message: expect.stringContaining('The target is not empty') });
    await copy(source, target);
    await other.client.appendToStream('storeIdentity', jsonEvent({ type: 'StoreIdentified', data: { identity: 'other' } }));
    expect(await failureOf(copy(other, target))).toMatchObject({ message: expect.stringContaining('another event store') });
    await fill(target.client, 1);
    expect(await failureOf(copy(source, target))).toMatchObject({ message: expect.stringContaining('not empty') });
  });
});

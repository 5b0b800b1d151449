import { randomUUID } from 'node:crypto';
import { jsonEvent } from '@eventstore/db-client';
import { describe, expect, it } from 'vitest';
import { CopyRefused } from '../../../src/eventstore/copy/target.ts';
import { collect, failureOf } from '../../eventstore/support.ts';
import { itAtLength } from '../../support/tiers.ts';
import { contentOf, copy, eventOf, expectEqual, fill, openSource, openStore } from './copySupport.ts';

const NOT_JSON = { contentType: 'application/octet-stream', data: Uint8Array.of(1, 2), metadata: new Uint8Array() } as const;

describe('a copy of an event store', () => {
  it('has the same events in the same order after the remainder is copied, while the source is in use', async () => {
    const [source, target] = [await openSource(), await openStore()];
    await fill(source.client, 600);
    const filling = fill(source.client, 200, 600);
    const first = await copy(source, target);
    expect(first).toBeGreaterThanOrEqual(600);
    await filling;
    expect(first + (await copy(source, target))).toBe(800);
    await expectEqual(source, target);
    expect(await copy(source, target)).toBe(0);
  });

  itAtLength('is refused after an append in the middle failed, because later ones may have been written', async () => {
    const [source, target] = [await openSource(), await openStore()];
    await fill(source.client, 60);
    await target.client.tombstoneStream('customer-3');
    const failure = await failureOf(copy(source, target));
    expect(failure).toBeInstanceOf(CopyRefused);
    expect(failure).toMatchObject({ message: expect.stringContaining('but has later ones: a write to it failed') });
  });

  it('keeps bytes that are not JSON', async () => {
    const [source, target] = [await openSource(), await openStore()];
    const data = Uint8Array.from({ length: 256 }, (_, index) => index);
    const metadata = new TextEncoder().encode('{ "at": 1 }');
    await source.client.appendToStream('customer-1', [
      { id: '6f8cfa0e-0000-4000-8000-000000000001', type: 'SeatClaimed', contentType: 'application/octet-stream', data, metadata },
    ]);
    await copy(source, target);
    const [read] = await collect(target.client.readStream('customer-1'));
    expect(read?.event).toMatchObject({ isJson: false, type: 'SeatClaimed', id: '6f8cfa0e-0000-4000-8000-000000000001' });
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

  it('leaves out the events of other applications, of which both stores may have some', async () => {
    const [source, target] = [await openSource(), await openStore()];
    const basketOf = (stream: string) => ({ id: randomUUID(), type: `BasketOf${stream}`, ...NOT_JSON });
    await fill(source.client, 5);
    await source.client.appendToStream('customer-of-the-shop', [basketOf('Source'), basketOf('Source')]);
    await source.client.appendToStream('customer-1', [{ id: randomUUID(), type: 'SeatClaimed', ...NOT_JSON }]);
    await target.client.appendToStream('customer-of-the-shop', [basketOf('Target')]);
    await source.client.deleteStream('customer-of-the-shop');
    expect(await copy(source, target)).toBe(6);
    await source.client.appendToStream('customer-of-the-shop', [basketOf('Source')]);
    await fill(source.client, 2, 5);
    expect(await copy(source, target)).toBe(2);
    const read = await collect(target.client.readStream('customer-of-the-shop'));
    expect(read.map(({ event }) => event?.type)).toEqual(['BasketOfTarget']);
  });

  it('ignores metadata of a stream that is not JSON', async () => {
    const [source, target] = [await openSource(), await openStore()];
    await source.client.appendToStream('customer-limited', [eventOf(1), eventOf(2)]);
    await source.client.setStreamMetadata('customer-limited', { maxCount: 1 });
    await copy(source, target);
    expect(await collect(target.client.readStream('customer-limited'))).toHaveLength(1);
    await source.client.appendToStream('$$customer-limited', { id: randomUUID(), type: '$metadata', ...NOT_JSON });
    await source.client.appendToStream('customer-limited', eventOf(3));
    await copy(source, target);
    expect((await collect(target.client.readStream('customer-limited'))).map(({ event }) => event?.data)).toMatchObject(
      (await collect(source.client.readStream('customer-limited'))).map(({ event }) => event?.data as object),
    );
  });

  itAtLength('can be copied again, and keeps the original times', async () => {
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

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashOfLeaf, leafOf } from '../../src/auditLog/leaf.ts';
import { streams } from '../../src/commands/streams.ts';
import { STREAM_CATEGORIES } from '../../src/domain/events.ts';
import type { CustomerId } from '../../src/domain/ids.ts';
import { withOriginal, withoutOriginal } from '../../src/eventstore/copiedMetadata.ts';
import type { StoredDigest } from '../../src/eventstore/port.ts';
import { apiCallsRecorded, recordedCall } from '../support/builders/activity.ts';
import { metaOf } from '../support/builders/command.ts';
import { openStoreFixture, startOf } from './adapterSupport.ts';

const fixture = openStoreFixture();

describe('events as they are stored', () => {
  it('have the same leaf in a subscription, where large data may be a hash, and when they are read alone', async () => {
    const { events } = fixture;
    const after = await startOf(fixture);
    const customerId = randomUUID() as CustomerId;
    const stream = streams.apiCalls(customerId, '2026-01-31');
    const calls = (count: number) =>
      apiCallsRecorded({
        customerId,
        sourceId: 'laptop',
        firstSequence: 1,
        calls: Array.from({ length: count }, () => recordedCall({})),
      });
    await events.append(stream, [calls(1), calls(2_000)], { expected: 'no_stream', meta: metaOf({}) });
    const found: StoredDigest[] = [];
    for await (const item of events.subscribeStored({ after, categories: STREAM_CATEGORIES })) {
      if (item.kind === 'stored' && item.stored.stream === stream) found.push(item.stored);
      if (found.length === 2) break;
    }
    const alone = await Promise.all(found.map(({ position, id }) => events.storedAt(position, id)));
    expect(found.map((stored) => hashOfLeaf(leafOf(stored)))).toEqual(alone.map((stored) => stored && hashOfLeaf(leafOf(stored))));
    expect(alone[1]?.data.length).toBeGreaterThan(4_096);
    expect(await events.storedAt(found[0]?.position ?? 0n, randomUUID())).toBeNull();
  });
});

describe('the metadata of a copy', () => {
  const original = Buffer.from('{"actor":{"kind":"admin","id":"admin"},"codec":1}');
  const place = { position: 12n, revision: 3n, storedAt: '2026-01-31T12:00:00.000Z' };

  it('are those of the original again, also of a copy of a copy', () => {
    const copied = withOriginal(original, place);
    expect(withoutOriginal(copied)).toEqual({ metadata: original, revision: 3n, storedAt: place.storedAt });
    const again = withOriginal(copied, { position: 40n, revision: 2n, storedAt: '2026-02-01T12:00:00.000Z' });
    expect(withoutOriginal(again)).toMatchObject({ metadata: original, storedAt: place.storedAt });
    expect(withoutOriginal(withOriginal(Buffer.from('{}'), place))?.metadata).toEqual(Buffer.from('{}'));
  });

  it('are none where the field is missing or is something else', () => {
    expect(withoutOriginal(original)).toBeNull();
    expect(withoutOriginal(Buffer.from('{"copied":true}'))).toBeNull();
  });
});

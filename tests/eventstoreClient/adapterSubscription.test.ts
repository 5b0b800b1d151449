import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { CustomerId, IntegratorId, UserId } from '../../src/domain/ids.ts';
import { closeClient } from '../../src/eventstore/client.ts';
import { clientOf } from '../../src/eventstore/connect.ts';
import type { Recorded, SubscriptionItem, TypedItem } from '../../src/eventstore/port.ts';
import { adminSignedIn, apiCallsRecorded, userAuthenticated } from '../support/builders/activity.ts';
import { metaOf } from '../support/builders/command.ts';
import { seatLimitsEnforced, seatLimitsRelaxed, userRegistered } from '../support/builders/customer.ts';
import { whiteLabelEnabled } from '../support/builders/integrator.ts';
import { IS_AT_LENGTH } from '../support/tiers.ts';
import { everyCategory, openStoreFixture, recordedOf, startOf, takeUntil } from './adapterSupport.ts';

const fixture = openStoreFixture();
const meta = metaOf();
const newStream = () => streams.customer(randomUUID() as CustomerId);
const count = (items: readonly SubscriptionItem[]) => recordedOf(items).length;

describe('a subscription', () => {
  it('delivers existing events, then that it has caught up, then new events', async () => {
    const stream = newStream();
    const after = await startOf(fixture);
    await fixture.events.append(stream, [seatLimitsEnforced()], { expected: 'no_stream', meta });
    const seen: SubscriptionItem[] = [];
    const subscription = fixture.events.subscribe({ after, categories: everyCategory });
    for await (const item of subscription) {
      seen.push(item);
      if (item.kind === 'caughtUp') await fixture.events.append(stream, [seatLimitsRelaxed()], { expected: 0n, meta });
      if (recordedOf(seen).some(({ event }) => event.type === 'SeatLimitsRelaxed')) break;
    }
    const kinds = seen.map((item) => (item.kind === 'event' ? item.recorded.event.type : item.kind));
    expect(kinds.filter((kind) => kind !== 'checkpoint')).toEqual(['SeatLimitsEnforced', 'caughtUp', 'SeatLimitsRelaxed']);
  });

  it('starts after the given position', async () => {
    const stream = newStream();
    const first = await fixture.events.append(stream, [seatLimitsEnforced()], { expected: 'no_stream', meta });
    const second = await fixture.events.append(stream, [seatLimitsRelaxed()], { expected: 0n, meta });
    if (!first.ok || !second.ok) throw new Error('Not appended');
    const subscription = fixture.events.subscribe({ after: first.position, categories: ['customer'] });
    const [recorded] = recordedOf(await takeUntil(subscription, (items) => count(items) === 1));
    expect(recorded).toMatchObject({ stream, position: second.position, event: seatLimitsRelaxed() });
  });

  it('delivers events of its categories only, and checkpoints for the others', async () => {
    const after = await fixture.events.head();
    const userId = randomUUID() as UserId;
    const others = Array.from({ length: 3000 }, () => userAuthenticated());
    await fixture.events.append(streams.userActivity(userId), others, { expected: 'any', meta });
    await fixture.events.append(streams.integrator(randomUUID() as IntegratorId), [whiteLabelEnabled()], { expected: 'any', meta });
    await fixture.events.append(streams.adminActivity, [adminSignedIn()], { expected: 'any', meta });
    const items = await takeUntil(
      fixture.events.subscribe({ after, categories: ['integrator', 'adminActivity'] }),
      (taken) => count(taken) === 2,
    );
    expect(recordedOf(items).map(({ event }) => event.type)).toEqual(['WhiteLabelEnabled', 'AdminSignedIn']);
    expect(items.some(({ kind }) => kind === 'checkpoint')).toBe(true);
    const positions = items.flatMap((item) =>
      item.kind === 'checkpoint' ? [item.position] : item.kind === 'event' ? [item.recorded.position] : [],
    );
    expect(positions).toEqual([...positions].sort((a, b) => (a < b ? -1 : 1)));
  });

  it('delivers events of its types, and others of their categories without their data', async () => {
    const stream = newStream();
    const after = await fixture.events.head();
    await fixture.events.append(streams.adminActivity, [adminSignedIn()], { expected: 'any', meta });
    await fixture.events.append(stream, [userRegistered('ada')], { expected: 'no_stream', meta, eventIds: [randomUUID()] });
    await fixture.events.append(stream, [seatLimitsEnforced(), seatLimitsRelaxed()], { expected: 0n, meta });
    const subscription = fixture.events.subscribeToTypes({ after, eventTypes: ['SeatLimitsRelaxed', 'WhiteLabelEnabled'] });
    const seen: TypedItem[] = [];
    for await (const item of subscription) {
      if (item.kind !== 'checkpoint' && item.kind !== 'caughtUp') seen.push(item);
      if (item.kind === 'event') break;
    }
    const wanted: Recorded[] = [];
    for await (const recorded of fixture.events.read(stream)) wanted.push(recorded);
    const [registered, enforced, relaxed] = wanted.map(({ id, revision, position }) => ({ stream, id, revision, position }));
    expect(seen).toEqual([
      { kind: 'skipped', skipped: registered },
      { kind: 'skipped', skipped: enforced },
      { kind: 'event', recorded: expect.objectContaining({ ...relaxed, event: seatLimitsRelaxed() }) },
    ]);
  });

  it('opens sealed fields of many customers, in order', async () => {
    const after = await fixture.events.head();
    const customers = Array.from({ length: 200 }, newStream);
    await Promise.all(
      customers.map((stream, i) => fixture.events.append(stream, [userRegistered(`user-${i}`)], { expected: 'any', meta })),
    );
    const items = await takeUntil(fixture.events.subscribe({ after, categories: ['customer'] }), (taken) => count(taken) === 200);
    const positions = recordedOf(items).map(({ position }) => position);
    expect(positions).toEqual([...positions].sort((a, b) => (a < b ? -1 : 1)));
    const names = recordedOf(items).map(({ event }) => (event.type === 'UserRegistered' ? event.data.username : ''));
    expect(new Set(names)).toEqual(new Set(customers.map((_, i) => `user-${i}`)));
  });

  it('delivers undecodable events as such, and continues', async () => {
    const after = await fixture.events.head();
    const stream = newStream();
    const client = clientOf(fixture.stores.eventStoreUrl);
    await client.appendToStream(stream, {
      id: randomUUID(),
      type: 'SeatsImagined',
      contentType: 'application/json',
      data: {},
      metadata: { ...meta, codec: 1 },
    });
    await closeClient(client);
    await fixture.events.append(stream, [seatLimitsEnforced()], { expected: 'any', meta });
    const items = await takeUntil(fixture.events.subscribe({ after, categories: ['customer'] }), (taken) => count(taken) === 1);
    expect(items.filter(({ kind }) => kind === 'undecodable')).toMatchObject([
      { undecodable: { stream, revision: 0n, type: 'SeatsImagined', reason: 'No codec for SeatsImagined' } },
    ]);
  });

  it('waits for a slow consumer and loses no event', async () => {
    const after = await fixture.events.head();
    const stream = streams.apiCalls(randomUUID() as CustomerId, '2026-01-31');
    const batches = Array.from({ length: 50 }, (_, batch) =>
      Array.from({ length: 100 }, (_, i) => apiCallsRecorded({ firstSequence: batch * 100 + i })),
    );
    const subscription = fixture.events.subscribe({ after, categories: ['apiCalls'] });
    const seen: Recorded[] = [];
    for (const batch of batches) await fixture.events.append(stream, batch, { expected: 'any', meta });
    for await (const item of subscription) {
      if (item.kind === 'event') seen.push(item.recorded);
      if (seen.length % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (seen.length === 5000) break;
    }
    expect(seen.map(({ revision }) => revision)).toEqual(Array.from({ length: 5000 }, (_, i) => BigInt(i)));
  });

  it('ends when it is closed, even while it waits for events', async () => {
    const subscription = fixture.events.subscribe({ after: await fixture.events.head(), categories: ['themes'] });
    const ended = (async () => {
      for await (const item of subscription) if (item.kind === 'caughtUp') setImmediate(() => void subscription.close());
      return 'ended';
    })();
    expect(await ended).toBe('ended');
    await subscription.close();
  });

  it('does not affect reads and other subscriptions when it is closed', async () => {
    const times = IS_AT_LENGTH ? 100 : 20;
    const stream = newStream();
    const after = await fixture.events.head();
    const other = takeUntil(fixture.events.subscribe({ after, categories: ['customer'] }), (items) => count(items) === times);
    for (let i = 0; i < times; i++) {
      const closing = fixture.events.subscribe({ after, categories: ['customer'] });
      const closed = closing.close();
      await fixture.events.append(stream, [seatLimitsEnforced()], { expected: 'any', meta });
      for await (const _ of fixture.events.read(stream)) break;
      await closed;
    }
    expect(recordedOf(await other)).toHaveLength(times);
  });
});

import { describe, expect, it } from 'vitest';
import type { AllSubscription, EventStore } from '../../../src/eventstore/port.ts';
import { until } from '../../support/eventually.ts';
import type { FakeEventStore } from '../../support/fakeEventStore.ts';
import { failures, replies } from '../../support/fakeEventStoreMessages.ts';
import { appendTo, failureOf, newCustomerStream, openAdapter, openFake } from './support.ts';

const subscribed = (events: EventStore): AllSubscription => events.subscribe({ after: null, categories: ['customer'] });

/** Collects the positions of events in the background until the subscription ends. */
const collecting = (subscription: AllSubscription) => {
  const positions: bigint[] = [];
  const ended = (async () => {
    for await (const item of subscription) if (item.kind === 'event') positions.push(item.recorded.position);
  })();
  ended.catch(() => undefined);
  return { positions, ended };
};

const positionsOf = (fake: FakeEventStore): bigint[] => fake.events.map(({ position }) => BigInt(position));

/** Repeats the first event of the fake, as another writer. */
const repeat = (fake: FakeEventStore, count: number): void => {
  const [first] = fake.events;
  if (!first) throw new Error('Nothing to repeat');
  for (let index = 0; index < count; index++) fake.add(first.stream, first.type, first.data, first.metadata);
};

/** Events while the subscription ends again and again. `npm run test:proofs` sets more. */
const ARRIVING = Number(process.env.ARRIVING_EVENTS ?? 10_000);
const ROUNDS = 10;

describe('a subscription that the server ends because its consumer is slow', () => {
  it(`resumes without a missed or repeated event while ${ARRIVING} events arrive`, async () => {
    const fake = await openFake();
    const events = openAdapter(fake.url);
    await appendTo(events, newCustomerStream());
    const subscription = subscribed(events);
    const { positions } = collecting(subscription);
    await until(() => fake.subscriptions() === 1);
    for (let round = 0; round < ROUNDS; round++) {
      repeat(fake, ARRIVING / ROUNDS);
      fake.endSubscriptions(failures.consumerTooSlow());
      await until(() => fake.subscriptions() === 1);
    }
    await until(() => positions.length >= fake.events.length);
    expect(positions).toEqual(positionsOf(fake));
    await subscription.close();
  });

  it('fails when that happens again and again without an event', async () => {
    const fake = await openFake();
    fake.script.read = () => failures.consumerTooSlow();
    const { ended } = collecting(subscribed(openAdapter(fake.url)));
    expect(await failureOf(ended)).toMatchObject({ name: 'EventStoreUnavailable' });
  });
});

describe('a subscription that fell behind', () => {
  it('continues, and catches up again', async () => {
    const fake = await openFake();
    const events = openAdapter(fake.url);
    await appendTo(events, newCustomerStream());
    const subscription = subscribed(events);
    const { positions } = collecting(subscription);
    await until(() => fake.subscriptions() === 1);
    fake.send(replies.fellBehind());
    repeat(fake, 10);
    fake.send(replies.caughtUp());
    repeat(fake, 1);
    await until(() => positions.length >= 12);
    expect(positions).toEqual(positionsOf(fake));
    await subscription.close();
  });
});

describe('an election', () => {
  const electedOf = (former: FakeEventStore, leader: FakeEventStore): void => {
    former.script.append = () => failures.notLeader(leader.port);
    former.script.read = () => failures.notLeader(leader.port);
  };

  it('leads a subscription to the new leader when it opens', async () => {
    const [former, leader] = [await openFake(), await openFake()];
    electedOf(former, leader);
    await appendTo(openAdapter(leader.url), newCustomerStream(), 3);
    const subscription = subscribed(openAdapter(former.url));
    const { positions } = collecting(subscription);
    await until(() => positions.length === 3);
    await subscription.close();
  });

  it('leads an open subscription to the new leader, after its last event', async () => {
    const [former, leader] = [await openFake(), await openFake()];
    const events = openAdapter(former.url);
    const stream = newCustomerStream();
    await appendTo(events, stream, 3);
    for (const { stream: name, type, data, metadata } of former.events) leader.add(name, type, data, metadata);
    const subscription = subscribed(events);
    const { positions } = collecting(subscription);
    await until(() => positions.length === 3);
    electedOf(former, leader);
    await appendTo(events, stream, 2);
    await until(() => positions.length === 5);
    expect(positions).toEqual(positionsOf(leader));
    await subscription.close();
  });

  it('does not move a subscription that prefers followers', async () => {
    const [follower, leader] = [await openFake(), await openFake()];
    follower.script.append = () => failures.notLeader(leader.port);
    const events = openAdapter(`${follower.url}&nodePreference=follower`);
    const subscription = subscribed(events);
    const { ended } = collecting(subscription);
    await until(() => follower.subscriptions() === 1);
    await appendTo(events, newCustomerStream());
    expect([follower.subscriptions(), leader.subscriptions()]).toEqual([1, 0]);
    await subscription.close();
    await ended;
  });
});

describe('a subscription without the right to read $all', () => {
  it('says what is missing', async () => {
    const fake = await openFake();
    fake.script.read = () => failures.accessDenied();
    const { ended } = collecting(subscribed(openAdapter(fake.url)));
    expect(await failureOf(ended)).toMatchObject({
      outage: 'access_denied',
      message: expect.stringContaining('may not read $all'),
    });
  });

  it('ends when the right is withdrawn', async () => {
    const fake = await openFake();
    const { ended } = collecting(subscribed(openAdapter(fake.url)));
    await until(() => fake.subscriptions() === 1);
    fake.endSubscriptions(failures.accessDenied());
    expect(await failureOf(ended)).toMatchObject({ outage: 'access_denied' });
  });
});

describe('a store that other applications use', () => {
  it('yields their events neither from other streams nor from streams with names like those of the product', async () => {
    const fake = await openFake();
    const events = openAdapter(fake.url);
    const bytes = Buffer.from('{}');
    for (const stream of ['orders-1', 'customer-of-the-shop', 'adminActivityOfTheShop'])
      fake.add(stream, 'OrderPlaced', bytes, Buffer.alloc(0));
    await appendTo(events, newCustomerStream());
    const own = fake.events.at(-1);
    fake.add('customer-1', 'OfALaterVersion', bytes, own?.metadata ?? bytes);
    const kinds: string[] = [];
    for await (const item of events.subscribe({ after: null, categories: ['customer', 'adminActivity'] })) {
      if (item.kind === 'caughtUp') break;
      kinds.push(item.kind);
    }
    expect(kinds).toEqual(['event', 'undecodable']);
  });
});

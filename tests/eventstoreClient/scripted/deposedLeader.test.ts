import { setTimeout as delay } from 'node:timers/promises';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import { describe, expect, it } from 'vitest';
import type { AllSubscription, EventStore } from '../../../src/eventstore/port.ts';
import { until } from '../../support/eventually.ts';
import type { FakeEventStore } from '../../support/fakeEventStore.ts';
import { failures } from '../../support/fakeEventStoreMessages.ts';
import { appendTo, newCustomerStream, openAdapter, openFake } from './support.ts';

const { LEADER, FOLLOWER, UNKNOWN } = gossip.MemberInfo.VNodeState;

/** Two nodes, of which the first leads, and the connection string that names both. */
const openCluster = async (): Promise<{ former: FakeEventStore; next: FakeEventStore; url: string }> => {
  const [former, next] = [await openFake(), await openFake()];
  const members = [
    { state: LEADER, isAlive: true, port: former.port },
    { state: FOLLOWER, isAlive: true, port: next.port },
  ];
  for (const fake of [former, next]) fake.script.members = members;
  return { former, next, url: `esdb://127.0.0.1:${former.port},127.0.0.1:${next.port}?tls=false` };
};

/** Makes `next` the leader. The former one stays up with its open calls, and knows the new leader or nobody. */
const depose = (former: FakeEventStore, next: FakeEventStore, knows: 'the new leader' | 'no leader'): void => {
  for (const { stream, type, data, metadata } of former.events.slice(next.events.length)) next.add(stream, type, data, metadata);
  former.script.members = [
    { state: knows === 'no leader' ? UNKNOWN : FOLLOWER, isAlive: true, port: former.port },
    { state: LEADER, isAlive: knows === 'the new leader', port: next.port },
  ];
  next.script.members = [
    { state: LEADER, isAlive: true, port: next.port },
    { state: FOLLOWER, isAlive: knows === 'the new leader', port: former.port },
  ];
  const failure = () => (knows === 'no leader' ? failures.notReady() : failures.notLeader(next.port));
  former.script.append = failure;
  former.script.read = failure;
};

/** Subscribes again after each failure, as projections do, and collects positions. */
const following = (events: EventStore) => {
  const positions: bigint[] = [];
  let current: AllSubscription | null = null;
  let stopped = false;
  const ended = (async () => {
    while (!stopped) {
      current = events.subscribe({ after: positions.at(-1) ?? null, categories: ['customer'] });
      try {
        for await (const item of current) if (item.kind === 'event') positions.push(item.recorded.position);
      } catch {
        await current.close();
      }
    }
  })();
  const stop = async () => {
    stopped = true;
    await current?.close();
    await ended;
  };
  return { positions, stop };
};

describe.each(['the new leader', 'no leader'] as const)('a deposed leader that stays up and knows %s', (knows) => {
  it('is left by a quiet subscription, although its call stays open', async () => {
    const { former, next, url } = await openCluster();
    const reading = openAdapter(url, { leaderCheckMs: 50 });
    await appendTo(openAdapter(former.url), newCustomerStream(), 3);
    const { positions, stop } = following(reading);
    await until(() => positions.length === 3 && former.subscriptions() === 1);
    depose(former, next, knows);
    await appendTo(openAdapter(next.url), newCustomerStream(), 2);
    await until(() => positions.length === 5);
    expect(positions).toEqual(next.events.map(({ position }) => BigInt(position)));
    expect(next.subscriptions()).toBe(1);
    await stop();
  });

  it('is left by all quiet subscriptions, although one of them asks', async () => {
    const { former, next, url } = await openCluster();
    const reading = openAdapter(url, { leaderCheckMs: 50 });
    const followers = Array.from({ length: 3 }, () => following(reading));
    await until(() => former.subscriptions() === 3);
    depose(former, next, knows);
    const denial = former.script.read;
    let questions = 0;
    former.script.read = (request, headers) => {
      const isQuestion = request.getOptions()?.hasSubscription() !== true;
      return isQuestion && ++questions > 1 ? 'silence' : denial(request, headers);
    };
    await appendTo(openAdapter(next.url), newCustomerStream(), 2);
    await until(() => followers.every(({ positions }) => positions.length === 2));
    await until(() => next.subscriptions() === 3);
    for (const { stop } of followers) await stop();
  });

  it('is left by appends and reads', async () => {
    const { former, next, url } = await openCluster();
    const events = openAdapter(url);
    const stream = newCustomerStream();
    await appendTo(events, stream);
    expect(former.events).toHaveLength(1);
    depose(former, next, knows);
    expect(await appendTo(events, stream)).toMatchObject({ ok: true, revision: 1n });
    const revisions: bigint[] = [];
    for await (const { revision } of events.read(stream)) revisions.push(revision);
    expect(revisions).toEqual([0n, 1n]);
    expect([former.events.length, next.events.length]).toEqual([1, 2]);
  });
});

/** Counts the subscriptions and questions that a node receives. */
const countReads = ({ script }: FakeEventStore, answer: () => 'silence' | undefined = () => undefined) => {
  const counts = { questions: 0, subscriptions: 0 };
  script.read = (request) => {
    if (request.getOptions()?.hasSubscription()) {
      counts.subscriptions += 1;
      return undefined;
    }
    counts.questions += 1;
    return answer();
  };
  return counts;
};

describe('a leader', () => {
  it('keeps a quiet subscription', async () => {
    const { former, url } = await openCluster();
    const counts = countReads(former);
    const { stop } = following(openAdapter(url, { leaderCheckMs: 20 }));
    await until(() => counts.questions > 3);
    expect(counts.subscriptions).toBe(1);
    await stop();
  });

  it('is asked by one of several quiet subscriptions', async () => {
    const { former, url } = await openCluster();
    const counts = countReads(former, () => 'silence');
    const reading = openAdapter(url, { leaderCheckMs: 20 });
    const followers = Array.from({ length: 5 }, () => following(reading));
    await until(() => former.subscriptions() === 5 && counts.questions > 0);
    await delay(200);
    expect(counts).toEqual({ questions: 1, subscriptions: 5 });
    for (const { stop } of followers) await stop();
  });
});

describe('a deposed leader that keeps connections open and does not reply', () => {
  it('is left by an append after its timeout', async () => {
    const { former, next, url } = await openCluster();
    const events = openAdapter(url, { attemptTimeoutMs: 300 });
    const stream = newCustomerStream();
    await appendTo(events, stream);
    depose(former, next, 'no leader');
    former.script.append = () => 'silence';
    expect(await appendTo(events, stream)).toMatchObject({ ok: true, revision: 1n });
    expect(next.events).toHaveLength(2);
  });
});

import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkEventStore } from '../../../src/bootstrap/storeChecks.ts';
import { currentOutage } from '../../../src/eventstore/examine.ts';
import { describeOutage } from '../../../src/eventstore/outage.ts';
import { EventStoreUnavailable, pauseAfter } from '../../../src/eventstore/port.ts';
import { eventStoreProbe, examine } from '../../../src/http/health.ts';
import { failures, replies } from '../../support/fakeEventStoreMessages.ts';
import { appendTo, newCustomerStream, openAdapter, openFake } from './support.ts';

const { FOLLOWER, LEADER, READONLYREPLICA, UNKNOWN } = gossip.MemberInfo.VNodeState;
const members = (...states: number[]) => states.map((state) => ({ state, isAlive: true }));
const down = { state: FOLLOWER, isAlive: false };

describe('an examination of the store', () => {
  it.each([
    ['no leader', failures.notReady(), members(UNKNOWN, UNKNOWN, UNKNOWN), 'no_leader'],
    ['no leader that the node knows', failures.noLeader(), members(FOLLOWER, FOLLOWER, FOLLOWER), 'no_leader'],
    ['no quorum', failures.notReady(), [...members(UNKNOWN), down, down], 'no_quorum'],
    ['no quorum beside read-only replicas', failures.notReady(), [...members(UNKNOWN, READONLYREPLICA), down, down], 'no_quorum'],
    ['no right to read $all', failures.accessDenied(), members(LEADER), 'access_denied'],
    ['a wrong password', failures.unauthenticated(), members(LEADER), 'unauthenticated'],
  ])('reports %s', async (_, failure, given, kind) => {
    const fake = await openFake();
    const events = openAdapter(fake.url);
    fake.script.members = given;
    fake.script.read = () => failure;
    expect(await events.examine()).toMatchObject({ outage: { kind, text: expect.any(String) } });
    fake.script.read = () => undefined;
    expect(await events.examine()).toMatchObject({ outage: null });
  });

  it('reports a store that is not there, until it is back', async () => {
    const first = await openFake();
    const events = openAdapter(first.url);
    await appendTo(events, newCustomerStream());
    await first.close();
    expect(await events.examine()).toMatchObject({ outage: { kind: 'unreachable' } });
    await openFake({ port: first.port });
    expect(await events.examine()).toMatchObject({ outage: null });
  });
});

describe('the text for a missing right', () => {
  it.each([
    ['read $all', /may not read \$all\. Grant it the right with latchkey-admin grant-store-access\.$/],
    ['read customer-1', /may not read customer-1\. Add it to \$r of \$userStreamAcl/],
    ['append to customer-1', /may not append to customer-1\. Add it to \$w of \$userStreamAcl/],
    ['delete customer-1', /may not delete customer-1\. Add it to \$d of \$userStreamAcl/],
  ] as const)('to %s names how to grant it', (access, text) => {
    expect(describeOutage('access_denied', access)).toMatch(text);
  });
});

describe('the health check', () => {
  const checked = async (status: Awaited<ReturnType<Parameters<typeof eventStoreProbe>[0]['examine']>>) => {
    const probes = { eventStore: eventStoreProbe({ examine: async () => status }) };
    const { checks } = await examine(probes, { uptime: 0, version: '', onError: () => undefined });
    return checks.eventStore;
  };

  it('names the part that is unavailable', async () => {
    const outage = { kind: 'no_quorum', text: 'The event store has no quorum' } as const;
    expect(await checked({ outage, clockSkewMs: null })).toMatchObject({
      status: 'critical',
      message: outage.text,
      details: 'no_quorum',
    });
  });

  it.each([
    [5_200, 'warning', 'Its clock is 5.2 s ahead'],
    [-1_500, 'warning', 'Its clock is 1.5 s behind'],
    [900, 'healthy', 'Reachable'],
    [null, 'healthy', 'Reachable'],
  ])('with a clock that is %s ms ahead is %s', async (clockSkewMs, status, message) => {
    expect(await checked({ outage: null, clockSkewMs })).toMatchObject({ status, message: expect.stringContaining(message) });
  });
});

describe('a store that stalls', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  const replyAfter = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  it('for 3 s, as a healthy node of two cores does under 20 concurrent reads, can be used', async () => {
    const outage = currentOutage(() => replyAfter(3_000), { url: 'no nodes', appendFailure: null });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await outage).toBeNull();
  });

  it.each([
    [4_300, 'healthy'], // the longest examination: a probe and a question to the nodes
    [4_600, 'critical'],
  ])('is checked for %s ms and is %s', async (ms, status) => {
    const probe = eventStoreProbe({ examine: () => replyAfter(ms).then(() => ({ outage: null, clockSkewMs: null })) });
    const health = examine({ eventStore: probe }, { uptime: 0, version: '', onError: () => undefined });
    await vi.advanceTimersByTimeAsync(ms);
    expect((await health).checks.eventStore).toMatchObject({ status });
  });
});

describe('a probe of the store', () => {
  it('that fails is repeated once', async () => {
    const failing = (failures: number) => {
      let probes = 0;
      return currentOutage(
        async () => {
          if (++probes <= failures) throw new Error('Server Is Busy');
        },
        { url: 'no nodes', appendFailure: null },
      );
    };
    expect(await failing(1)).toBeNull();
    expect(await failing(2)).toMatchObject({ kind: 'busy' });
  });
});

describe('a start', () => {
  const limits = { giveUpAfterMs: 0, attemptMs: 30_000 };

  it.each([
    ['without the right to read $all', failures.accessDenied(), /may not read \$all.*grant-store-access/],
    ['with a wrong password', failures.unauthenticated(), /wrong user or password/],
    ['during an election', failures.notReady(), /no leader/],
  ])('%s ends with the reason', async (_, failure, reason) => {
    const fake = await openFake();
    fake.script.read = () => failure;
    await expect(checkEventStore(fake.url, limits)).rejects.toThrow(reason);
  });

  it('without the right to append ends with the reason, also if the store has its identity', async () => {
    const fake = await openFake();
    await openAdapter(fake.url).identity();
    fake.script.append = (request) => replies.accessDenied(request);
    const checked = checkEventStore(fake.url, { ...limits, appends: true });
    await expect(checked).rejects.toThrow(/^EVENTSTORE_URL: .* may not append to storeIdentity\. Add it to \$w/);
  });

  it('with the right to append appends nothing to check it', async () => {
    const fake = await openFake();
    let attempts = 0;
    fake.script.append = (_request, attempt) => {
      attempts = attempt;
      return undefined;
    };
    await checkEventStore(fake.url, { ...limits, appends: true });
    expect([attempts, fake.events]).toEqual([1, []]);
  });

  it('waits for the end of an election', async () => {
    const fake = await openFake();
    let reads = 0;
    fake.script.read = () => (++reads < 3 ? failures.notReady() : undefined);
    await checkEventStore(fake.url, { attemptMs: 30_000 });
    expect(reads).toBe(3);
  });
});

describe('the pause after a failure', () => {
  it('is short if the event store was unavailable', () => {
    expect(pauseAfter(new EventStoreUnavailable('gone'), 10_000)).toBe(2_000);
    expect(pauseAfter(new EventStoreUnavailable('gone'), 100)).toBe(100);
    expect(pauseAfter(new Error('another reason'), 10_000)).toBe(10_000);
  });
});

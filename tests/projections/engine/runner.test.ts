import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { streams } from '../../../src/commands/streams.ts';
import { type Changes, EVERYTHING_CHANGED, listenForChanges } from '../../../src/projections/engine/changes.ts';
import type { ProjectionGroup } from '../../../src/projections/engine/projection.ts';
import { type Notice, type Runner, startRunner } from '../../../src/projections/engine/runner.ts';
import { customerSuspended, seatsAllocated } from '../../support/builders/customer.ts';
import { createMemoryEventStore, type MemoryEventStore } from '../../support/memoryEventStore.ts';
import { describeAtLength } from '../../support/tiers.ts';
import { daysUpTo, record } from '../calls.ts';
import { appendEvents, eventually, openFixture, plans, runnerDeps, settled } from '../fixture.ts';
import { newCustomer, newIntegrator } from '../tenants.ts';

let store: MemoryEventStore;
const fixture = openFixture((sealing) => {
  store = createMemoryEventStore(sealing);
  return store;
});

const runners: Runner[] = [];
const run = (
  plan: ProjectionGroup = plans.main,
  notices: Notice[] = [],
): { runner: Runner; notices: Notice[]; saw: (kind: Notice['kind']) => Promise<Notice> } => {
  const runner = startRunner(
    plan,
    runnerDeps(fixture, (notice) => notices.push(notice)),
  );
  runners.push(runner);
  return { runner, notices, saw: (kind) => eventually(async () => notices.find((notice) => notice.kind === kind)) };
};

afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  store.mend();
});

const killSessions = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'latchkey-projector%'`.execute(fixture.db);

describe('two runners of a group', () => {
  it('write one at a time: the second continues where the first stopped', async () => {
    const first = run();
    await first.saw('leading');
    const second = run();
    await second.saw('following');
    const before = await newCustomer(fixture);
    await settled(fixture, 'read', before.position);
    expect(second.notices.map(({ kind }) => kind)).toEqual(['following']);
    await first.runner.stop();
    await second.saw('leading');
    const after = await newCustomer(fixture);
    await settled(fixture, 'read', after.position);
    expect(await fixture.queries.customers.get(after.customerId)).not.toBeNull();
    expect(first.notices.at(-1)?.kind).toBe('stopped');
  });
});

describeAtLength('a runner whose connection is killed repeatedly', () => {
  it('loses no call and counts no call twice', async () => {
    const { notices } = run(plans.usage);
    const { customerId } = await newCustomer(fixture);
    let position = 0n;
    for (let batch = 0; batch < 40; batch++) {
      position = await record(fixture, customerId, [batch * 10 + 1, batch * 10 + 10]);
      if (batch % 4 === 3) {
        await killSessions();
        await sleep(20);
      }
    }
    await settled(fixture, 'usage', position);
    expect(notices.some(({ kind }) => kind === 'lost')).toBe(true);
    expect(await fixture.queries.usage.total()).toMatchObject({ calls: 400 });
    expect((await fixture.queries.usage.of({ customerId }, daysUpTo('2026-01-31', 30))).totalApiCalls).toBe(400);
  });
});

describe('a runner whose event store is unreachable', () => {
  it('retries until it is reachable', async () => {
    const { notices, saw } = run();
    await settled(fixture, 'read', (await newCustomer(fixture)).position);
    store.breakDown();
    await saw('lost');
    const lost = () => notices.filter(({ kind }) => kind === 'lost').length;
    const already = lost();
    await eventually(async () => lost() > already);
    store.mend();
    const { customerId, position } = await newCustomer(fixture);
    await settled(fixture, 'read', position);
    expect(await fixture.queries.customers.get(customerId)).not.toBeNull();
  });
});

describe('an event store that was rolled back', () => {
  it('is detected, and the read models are rebuilt from it', async () => {
    const integratorId = await newIntegrator(fixture);
    const kept = await newCustomer(fixture, { integratorId, name: 'Kept' });
    const { runner } = run();
    await settled(fixture, 'read', kept.position);
    await runner.stop();
    const all: unknown[] = [];
    for await (const item of fixture.events.subscribe({ after: null, categories: plans.main.categories })) {
      if (item.kind === 'caughtUp') break;
      all.push(item);
    }
    const lost = await newCustomer(fixture, { integratorId, name: 'Lost' });
    const second = run();
    await settled(fixture, 'read', lost.position);
    await second.runner.stop();
    const calls = (await fixture.queries.usage.total()).calls;
    store.rollBackTo(all.length + calls / 10);
    const instead = await newCustomer(fixture, { integratorId, name: 'Instead' });
    const third = run();
    expect(await third.saw('storeDiffers')).toMatchObject({ reason: 'The event store was rolled back' });
    await third.saw('caughtUp');
    expect(await fixture.queries.customers.get(lost.customerId)).toBeNull();
    expect(await fixture.queries.customers.get(instead.customerId)).toMatchObject({ customer: { name: 'Instead' } });
    expect(await fixture.queries.customers.get(kept.customerId)).toMatchObject({ customer: { name: 'Kept' } });
    await third.runner.stop();
    expect(instead.position).toBe(lost.position);
  });
});

describe('a new version of a projection', () => {
  it('is built beside the current one, which serves reads until the swap and is not written afterwards', async () => {
    const old = run();
    const { customerId, position } = await newCustomer(fixture, { name: 'Served' });
    await settled(fixture, 'read', position);
    const bumped = run({ ...plans.main, version: plans.main.version + 1 });
    await bumped.saw('following');
    await bumped.runner.stop();
    const { customerId: second } = await newCustomer(fixture);
    await old.runner.stop();
    await sql`insert into read.customer select * from (
      select (json_populate_record(c, '{"customer_id": "00000000-0000-4000-8000-000000000000", "name": "Wrong"}')).* from read.customer c limit 1) w`.execute(
      fixture.db,
    );
    const served: boolean[] = [];
    let watching = true;
    const watch = (async () => {
      while (watching) served.push((await fixture.queries.customers.get(customerId)) !== null);
    })();
    const next = run({ ...plans.main, version: plans.main.version + 1 });
    await next.saw('rebuilt');
    await next.saw('leading');
    watching = false;
    await watch;
    expect(served.length).toBeGreaterThan(0);
    expect(served).not.toContain(false);
    expect(next.notices.some((notice) => notice.kind === 'rebuilding' && notice.progress.events > 0)).toBe(true);
    expect(await fixture.queries.customers.get(second)).not.toBeNull();
    const { rows } = await sql<{ n: number }>`select count(*) as n from read.customer where name = 'Wrong'`.execute(fixture.db);
    expect(rows[0]?.n).toBe(0);
    await next.runner.stop();
    const outdated = run();
    expect(await outdated.saw('outdated')).toMatchObject({ version: plans.main.version, running: plans.main.version + 1 });
    await outdated.runner.stop();
    await sql`update read.checkpoint set version = ${plans.main.version}`.execute(fixture.db);
    const { rows: indexes } = await sql<{ n: number }>`
      select count(*) as n from pg_indexes where schemaname = 'read' and indexname in ('customer_created', 'customer_search')`.execute(
      fixture.db,
    );
    expect(indexes[0]?.n).toBe(2);
  });
});

describe('waiting for a position', () => {
  it('ends for all callers as soon as the read models reach it', async () => {
    run();
    const { customerId, position } = await newCustomer(fixture);
    expect(await fixture.readPosition.waitUntil(position, 60_000)).toBe(true);
    const stream = streams.customer(customerId);
    const positions = await Promise.all(
      Array.from({ length: 200 }, (_, n) => appendEvents(fixture, stream, [seatsAllocated({ developerSeats: n })])),
    );
    const waited = await Promise.all(positions.map((each) => fixture.readPosition.waitUntil(each, 60_000)));
    expect(new Set(waited)).toEqual(new Set([true]));
    expect(await fixture.readPosition.waitUntil(position, 60_000)).toBe(true);
  });

  it('times out if no runner is active', async () => {
    const { position } = await newCustomer(fixture);
    expect(await fixture.readPosition.waitUntil(position, 50)).toBe(false);
  });

  it('succeeds despite interrupted notifications', async () => {
    run();
    const { position } = await newCustomer(fixture);
    const waiting = fixture.readPosition.waitUntil(position, 60_000);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'latchkey-notices'`.execute(
      fixture.db,
    );
    expect(await waiting).toBe(true);
  });
});

describe('changes', () => {
  it('are announced with the rooms of the tenants that may see them, each topic once', async () => {
    const { saw } = run();
    await saw('caughtUp');
    const received: Changes[] = [];
    const stop = listenForChanges(fixture.notices, (changes) => received.push(changes));
    const { customerId, integratorId } = await newCustomer(fixture);
    const position = await appendEvents(fixture, streams.customer(customerId), [customerSuspended(), seatsAllocated()]);
    const last = await eventually(async () => received.find((changes) => BigInt(changes.position) >= position));
    stop();
    const rooms = ['admin', `integrator:${integratorId}`, `customer:${customerId}`];
    const all = received.flatMap(({ changes }) => changes);
    for (const topic of [['customers'], ['history', customerId], ['stats']]) expect(all).toContainEqual({ topic, rooms });
    expect(all).toContainEqual({ topic: ['customer', customerId], rooms: [...rooms, `customer:${customerId} portal`] });
    const topics = last.changes.map(({ topic }) => topic.join(' '));
    expect(new Set(topics).size).toBe(topics.length);
  });

  it('are announced as everything after an interruption', async () => {
    const received: Changes[] = [];
    const stop = listenForChanges(fixture.notices, (changes) => received.push(changes));
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'latchkey-notices'`.execute(
      fixture.db,
    );
    await eventually(async () => received.length > 0);
    stop();
    expect(received[0]?.changes).toEqual([EVERYTHING_CHANGED]);
  });
});

describe('the progress of a group', () => {
  it('is reported by the node that runs the group, and grows while none does', async () => {
    const { saw, runner } = run();
    await saw('caughtUp');
    const main = async (now = new Date()) =>
      (await fixture.queries.monitoring.projections(now)).find(({ group }) => group === 'main');
    const progress = await eventually(async () => {
      const found = await main();
      return found?.heartbeatAt && found.lagMs === 0 ? found : null;
    });
    expect(progress).toMatchObject({ group: 'main', lagMs: 0, node: 'test', position: expect.stringMatching(/^\d+$/) });
    await runner.stop();
    expect((await main(new Date(Date.now() + 60_000)))?.lagMs).toBeGreaterThan(50_000);
  });
});

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { CustomerEvent } from '../../src/domain/customer/events.ts';
import type { CustomerId } from '../../src/domain/ids.ts';
import { type EventStore, EventStoreUnavailable, type Recorded } from '../../src/eventstore/port.ts';
import { examine, policyProbe } from '../../src/http/health.ts';
import { confirmStore, unconfirmedPolicies } from '../../src/policies/engine/checkpoint.ts';
import { policyFailures, recordFailure } from '../../src/policies/engine/failures.ts';
import { type Policy, policyOn } from '../../src/policies/engine/policy.ts';
import { createPolicyRunner, type PolicyRunner, type PolicyRunnerDeps } from '../../src/policies/engine/runner.ts';
import { createSealing } from '../../src/security/sealing.ts';
import { openStoreFixture } from '../eventstoreClient/adapterSupport.ts';
import { metaOf } from '../support/builders/command.ts';
import { seatLimitsRelaxed, themeAssigned } from '../support/builders/customer.ts';
import { until } from '../support/eventually.ts';
import { createMemoryEventStore } from '../support/memoryEventStore.ts';
import { itAtLength } from '../support/tiers.ts';

const fixture = openStoreFixture();
const runners: PolicyRunner[] = [];
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await fixture.db.deleteFrom('policy.failure').execute();
});

const run = (policies: readonly Policy[], overrides: Partial<PolicyRunnerDeps> = {}): PolicyRunner => {
  const runner = createPolicyRunner({
    policies,
    events: fixture.events,
    db: fixture.db,
    pool: fixture.pool,
    now: Date.now,
    newId: randomUUID,
    random: Math.random,
    onError: () => undefined,
    dueMs: 10,
    standbyMs: 10,
    ...overrides,
  });
  runners.push(runner);
  void runner.start();
  return runner;
};

/** A policy that notes which themes it saw being assigned. */
const watcher = (name: string, react: (theme: string, recorded: Recorded) => Promise<void> = async () => undefined) => {
  const seen: string[] = [];
  const policy = policyOn({
    name,
    eventTypes: ['ThemeAssigned'],
    react: async (recorded) => {
      await react(recorded.event.data.theme, recorded);
      seen.push(recorded.event.data.theme);
    },
  });
  return { policy, seen };
};
const assign = (theme: string) =>
  fixture.events.append(streams.customer(randomUUID() as CustomerId), [themeAssigned(theme)], { expected: 'any', meta: metaOf() });
const seenAt = (name: string) =>
  fixture.db.selectFrom('policy.checkpoint').selectAll().where('policy', '=', name).executeTakeFirst();

/** What `latchkey-admin confirm-store` does, for one policy. */
const confirm = async (name: string, answer: 'same' | 'different', events: EventStore = fixture.events) => {
  const waiting = await unconfirmedPolicies(fixture.db, events);
  return confirmStore(
    fixture.db,
    events,
    waiting.filter(({ policy }) => policy === name),
    answer,
  );
};

const breakLockOf = (name: string) =>
  sql`
  select pg_terminate_backend(pid) from pg_locks
  where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
    and objid = (hashtext(${name})::bigint & 4294967295)::oid`.execute(fixture.db);

describe('a policy', () => {
  it('receives existing and new events in order', async () => {
    await assign('order-1');
    const { policy, seen } = watcher('order');
    run([policy]);
    await until(() => seen.includes('order-1'));
    await assign('order-2');
    await assign('order-3');
    await until(() => seen.includes('order-3'));
    expect(seen.filter((theme) => theme.startsWith('order-'))).toEqual(['order-1', 'order-2', 'order-3']);
  });

  it('continues from its checkpoint', async () => {
    const before = watcher('resume');
    const first = run([before.policy]);
    await assign('resume-1');
    await until(() => before.seen.includes('resume-1'));
    await first.stop();
    expect(await seenAt('resume')).toMatchObject({ store_id: await fixture.events.identity() });
    await assign('resume-2');
    const after = watcher('resume');
    run([after.policy]);
    await until(() => after.seen.includes('resume-2'));
    expect(after.seen).toEqual(['resume-2']);
  });

  describe('with another store than it followed', () => {
    /** A policy that reached a position of another store, with a note that is due, and its runner. */
    const unconfirmed = async (name: string, checkpoint: { position: string; store_id: string }) => {
      await assign(`${name}-1`);
      const due: string[] = [];
      const { policy, seen } = watcher(name);
      await fixture.db
        .insertInto('policy.checkpoint')
        .values({ policy: name, ...checkpoint })
        .execute();
      const note = { policy: name, key: 'k', value: 'v', due_at: new Date(0) };
      await fixture.db.insertInto('policy.note').values(note).execute();
      run([{ ...policy, onDue: async ({ key }) => void due.push(key) }]);
      const failure = () => policyFailures(fixture.db).then((failures) => failures.find((failed) => failed.policy === name));
      await until(async () => (await failure()) !== undefined);
      return { seen, due, error: (await failure())?.error };
    };

    it('keeps its notes, handles nothing, and fails until the operator confirms it', async () => {
      const { seen, due, error } = await unconfirmed('other', { position: '1', store_id: randomUUID() });
      expect(error).toMatch(/not the one that this policy followed. Run latchkey-admin confirm-store/);
      expect([seen, due]).toEqual([[], []]);
      expect(await unconfirmedPolicies(fixture.db, fixture.events)).toEqual([
        { policy: 'other', difference: 'different', notes: 1 },
      ]);
      expect(await confirm('other', 'different')).toEqual(['other']);
      await until(() => seen.includes('other-1'));
      expect(due).toEqual([]);
      expect(await fixture.db.selectFrom('policy.note').selectAll().where('policy', '=', 'other').execute()).toEqual([]);
    });

    it('continues with its notes when the operator confirms that it is the same', async () => {
      // Not the start of the store: the last event that it handles must be of this test.
      const handled = await assign('kept-0');
      if (!handled.ok) throw new Error('An append to any revision was refused');
      const { seen, due } = await unconfirmed('kept', { position: String(handled.position), store_id: randomUUID() });
      expect(await confirm('kept', 'same')).toEqual(['kept']);
      await until(() => seen.includes('kept-1') && due.length === 1);
      expect(await seenAt('kept')).toMatchObject({ store_id: await fixture.events.identity() });
    });

    it.each(['this', 'another'])('starts over only when %s store was rolled back', async (which) => {
      const name = `rolled-${which}`;
      const store_id = which === 'this' ? await fixture.events.identity() : randomUUID();
      const { seen, due, error } = await unconfirmed(name, { position: '9007199254740993000', store_id });
      expect(error).toMatch(/lacks events that this policy has handled. Run latchkey-admin confirm-store different/);
      expect(await confirm(name, 'same')).toEqual([]);
      expect(await confirm(name, 'different')).toEqual([name]);
      await until(() => seen.includes(`${name}-1`));
      expect(due).toEqual([]);
    });
  });

  it.each([
    ['of the types of its reactions', themeAssigned('lost'), ['kept', 'lost']],
    ['of another type', seatLimitsRelaxed(), ['kept']],
  ])('detects that its store was rolled back when that has newer events than the lost one, %s', async (kind, lost, reacted) => {
    const name = `overtaken ${kind}`;
    const store = createMemoryEventStore(createSealing(fixture.vault));
    const appendIn = (event: CustomerEvent) =>
      store.append(streams.customer(randomUUID() as CustomerId), [event], { expected: 'any', meta: metaOf() });
    const { policy, seen } = watcher(name);
    const first = run([policy], { events: store });
    await appendIn(themeAssigned('kept'));
    await appendIn(lost);
    const head = await store.head();
    await until(async () => first.status()[0]?.position === head);
    await first.stop();
    store.rollBackTo(1);
    await appendIn(themeAssigned('instead'));
    await appendIn(themeAssigned('newer'));
    const second = run([policy], { events: store });
    await until(async () => second.status()[0]?.role === 'failing' || seen.includes('newer'));
    expect(seen).toEqual(reacted);
    expect(await confirm(name, 'same', store)).toEqual([]);
    expect(await confirm(name, 'different', store)).toEqual([name]);
    await until(() => seen.includes('newer'));
    expect(seen).toEqual([...reacted, 'kept', 'instead', 'newer']);
  });

  it('retries a failed reaction, and reports the error', async () => {
    let failures = 3;
    const errors: unknown[] = [];
    const { policy, seen } = watcher('failing', async (theme) => {
      if (theme === 'failing-2' && failures-- > 0) throw new Error('not now');
    });
    const runner = run([policy], { onError: (name, error) => errors.push([name, error]) });
    await assign('failing-1');
    await assign('failing-2');
    await assign('failing-3');
    await until(() => errors.length > 0);
    await until(() => seen.includes('failing-3'));
    expect(errors).toEqual(Array.from({ length: 3 }, () => ['failing', new Error('not now')]));
    const mine = seen.filter((theme) => theme.startsWith('failing-'));
    expect([...new Set(mine)]).toEqual(['failing-1', 'failing-2', 'failing-3']);
    expect(runner.status()).toMatchObject([{ name: 'failing', role: 'leading', error: null }]);
  });

  it('continues after its subscription was dropped', async () => {
    let drops = 2;
    const { policy, seen } = watcher('dropped');
    run([policy], {
      events: {
        ...fixture.events,
        subscribeToTypes: (options) => {
          if (drops-- > 0) throw new EventStoreUnavailable('dropped');
          return fixture.events.subscribeToTypes(options);
        },
      },
    });
    await assign('dropped-1');
    await until(() => seen.includes('dropped-1'));
  });

  it('gives its commands a cause', async () => {
    const metas: unknown[] = [];
    const ids: string[] = [];
    run([
      policyOn({
        name: 'cause',
        eventTypes: ['ThemeAssigned'],
        react: async (recorded, { metaFor }) => {
          if (recorded.event.data.theme !== 'cause-1') return;
          metas.push(metaFor(recorded));
          ids.push(recorded.id);
        },
      }),
    ]);
    await assign('cause-1');
    await until(() => metas.length > 0);
    expect(metas[0]).toMatchObject({
      actor: { kind: 'system', id: 'cause' },
      causationId: ids[0],
      correlationId: metaOf().correlationId,
    });
  });
});

describe('the health check', () => {
  const health = () =>
    examine(
      { policies: policyProbe(() => policyFailures(fixture.db)) },
      { uptime: 0, version: '1', onError: (error) => expect(error).toBeNull() },
    );
  const policies = async () => (await health()).checks.policies;

  it('names a policy that fails repeatedly and its error, until it works again', async () => {
    let isBroken = true;
    const { policy, seen } = watcher('unhealthy', async (theme) => {
      if (theme === 'unhealthy-1' && isBroken) throw new Error('no route to host');
    });
    run([policy, watcher('healthy').policy]);
    await assign('unhealthy-1');
    await until(async () => (await health()).status === 'degraded');
    expect(await policies()).toMatchObject({
      status: 'warning',
      message: 'Failing policies: 1. They are retried automatically.',
      details: 'unhealthy: no route to host',
    });
    isBroken = false;
    await until(() => seen.includes('unhealthy-1'));
    await until(async () => (await health()).status === 'healthy');
    expect(await policies()).toMatchObject({ message: 'Failing policies: none', details: null });
  });

  itAtLength('names a policy that fails at a due note, even while it handles events', async () => {
    let isBroken = true;
    let attempts = 0;
    const policy = policyOn({
      name: 'overdue',
      eventTypes: ['ThemeAssigned'],
      react: async ({ event }, { notes }) => {
        if (event.data.theme === 'overdue-1') await notes.put('key', '', new Date('2020-01-01'));
      },
      onDue: async () => {
        attempts += 1;
        if (isBroken) throw new Error('not yet');
      },
    });
    run([policy]);
    await assign('overdue-1');
    await until(async () => (await policies())?.details === 'overdue: not yet');
    const before = attempts;
    await until(() => attempts > before + 1);
    expect((await policies())?.details).toBe('overdue: not yet');
    isBroken = false;
    await until(async () => (await health()).status === 'healthy');
  });

  it('does not name a policy that a former version had', async () => {
    await recordFailure(fixture.db, {
      policy: 'removed',
      error: 'no route to host',
      failedAt: new Date('2026-03-01T12:00:00.000Z'),
    });
    expect((await health()).status).toBe('degraded');
    run([watcher('remaining').policy]);
    await until(async () => (await health()).status === 'healthy');
  });

  it('does not name a policy that failed once', async () => {
    let failures = 1;
    const errors: string[] = [];
    const { policy, seen } = watcher('once', async (theme) => {
      if (theme === 'once-1' && failures-- > 0) throw new Error('not now');
    });
    run([policy], {
      onError: async (name) => errors.push(name, `${(await policyFailures(fixture.db)).length}`),
    });
    await assign('once-1');
    await until(() => seen.includes('once-1') && errors.length === 2);
    expect(errors).toEqual(['once', '0']);
  });
});

describe('a note of a policy', () => {
  it('is passed to the policy when it is due, and then deleted', async () => {
    const due: string[] = [];
    run([
      policyOn({
        name: 'notes',
        eventTypes: ['ThemeAssigned'],
        react: async ({ event }, { notes }) => {
          if (!event.data.theme.startsWith('notes-')) return;
          await notes.put(event.data.theme, 'value', new Date(event.data.theme === 'notes-later' ? '2099-01-01' : '2020-01-01'));
          await notes.put('lasting', 'value');
          expect(await notes.keysOf('value')).toContain('lasting');
          expect(await notes.get(event.data.theme)).toMatchObject({ key: event.data.theme, value: 'value' });
        },
        onDue: async ({ key }) => void due.push(key),
      }),
    ]);
    await assign('notes-later');
    await assign('notes-due');
    await until(async () => {
      const left = await fixture.db.selectFrom('policy.note').select('key').where('policy', '=', 'notes').orderBy('key').execute();
      return due.length === 1 && left.length === 2;
    });
    expect(due).toEqual(['notes-due']);
  });
});

describe('of several nodes', () => {
  it('one runs a policy, and another takes over when it stops', async () => {
    const [one, other] = [watcher('shared'), watcher('shared')];
    const first = run([one.policy]);
    await assign('shared-1');
    await until(() => one.seen.includes('shared-1'));
    const second = run([other.policy]);
    await until(() => second.status().every(({ role }) => role === 'standby'));
    await assign('shared-2');
    await until(() => one.seen.includes('shared-2'));
    expect(other.seen).toEqual([]);
    await first.stop();
    await assign('shared-3');
    await until(() => other.seen.includes('shared-3'));
    expect(one.seen).not.toContain('shared-3');
  });

  it('another takes over when its database connection breaks, and none hangs', async () => {
    const [one, other] = [watcher('broken'), watcher('broken')];
    run([one.policy]);
    await assign('broken-1');
    await until(() => one.seen.includes('broken-1'));
    run([other.policy]);
    await breakLockOf('broken');
    await assign('broken-2');
    await until(() => one.seen.includes('broken-2') || other.seen.includes('broken-2'));
  });

  it('the last reactions before a broken connection are repeated, since a crash of the database may have lost them', async () => {
    await assign('unsure-1');
    const { policy, seen } = watcher('unsure');
    run([policy], { now: () => 0 }); // it saves when it has caught up, and then not before time passes
    await until(async () => (await seenAt('unsure')) !== undefined);
    await assign('unsure-2');
    await until(() => seen.includes('unsure-2'));
    await breakLockOf('unsure');
    await until(() => seen.filter((theme) => theme === 'unsure-2').length === 2);
    expect(seen.filter((theme) => theme === 'unsure-1')).toHaveLength(1);
  });
});

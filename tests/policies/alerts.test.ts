import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Commands, createCommands } from '../../src/commands/commands.ts';
import { streams } from '../../src/commands/streams.ts';
import type { AlertRuleId, CustomerId } from '../../src/domain/ids.ts';
import { MAX_ALERT_CUSTOMERS } from '../../src/domain/limits.ts';
import type { AlertRuleData } from '../../src/domain/operations/alertEvents.ts';
import type { AlertMetric } from '../../src/domain/operations/metrics.ts';
import type { Measuring } from '../../src/policies/alerts/measure.ts';
import { watchAlerts } from '../../src/policies/alerts/watchAlerts.ts';
import { createPolicyRunner, type PolicyRunner } from '../../src/policies/engine/runner.ts';
import { eventsOf, openStoreFixture } from '../eventstoreClient/adapterSupport.ts';
import { metaOf } from '../support/builders/command.ts';
import { alertRule } from '../support/builders/operations.ts';
import { until } from '../support/eventually.ts';

const fixture = openStoreFixture();
let commands: Commands;
let values: Partial<Record<AlertMetric, number>> = {};
/** The percentage of the seats that customers use, by id. */
let full: Record<string, number> = {};
let evaluations = 0;
/** Ahead of the clock, so that no test waits for the time of a rule. */
let aheadMs = 0;
const nodes: PolicyRunner[] = [];

beforeEach(() => {
  commands = createCommands({ events: fixture.events });
  values = {};
  full = {};
});
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
});

/** A node that evaluates the rules all the time. */
const startNode = (): PolicyRunner => {
  const measure: Measuring = async ({ metric, threshold }, { followed }) => {
    evaluations += 1;
    if (metric === 'seats') {
      const found = Object.entries(full).filter(([, value]) => value >= threshold) as [CustomerId, number][];
      const isFollowed = ([id]: [CustomerId, number]): number => (followed.includes(id) ? 0 : 1);
      return found
        .sort((one, other) => isFollowed(one) - isFollowed(other) || other[1] - one[1])
        .slice(0, MAX_ALERT_CUSTOMERS)
        .map(([concernedId, value]) => ({ value, concernedId, checks: [] }));
    }
    const value = values[metric];
    return value === undefined ? [] : [{ value, concernedId: null, checks: [] }];
  };
  const node = createPolicyRunner({
    policies: [watchAlerts({ commands: createCommands({ events: fixture.events }), measure, everyMs: 5 })],
    events: fixture.events,
    db: fixture.db,
    pool: fixture.pool,
    now: () => Date.now() + aheadMs,
    newId: randomUUID,
    random: Math.random,
    onError: () => undefined,
    dueMs: 5,
    standbyMs: 5,
  });
  nodes.push(node);
  void node.start();
  return node;
};

const started = () =>
  commands.servers.handle({ type: 'RecordServerStart', data: { version: '1.0.0', roles: ['projector'] }, meta: metaOf() });
const rules = async () => (await commands.alerts.load('alerts')).state.rules;
const create = async (overrides: Partial<AlertRuleData>): Promise<AlertRuleId> => {
  const ruleId = randomUUID() as AlertRuleId;
  await commands.alerts.handle({ type: 'CreateAlertRule', data: alertRule({ ...overrides, ruleId }), meta: metaOf() });
  return ruleId;
};
const isFiring = async (ruleId: AlertRuleId): Promise<boolean> => ((await rules()).get(ruleId)?.alerts.size ?? 0) > 0;
/** What the rule fired and resolved, in order. */
const alertsOf = async (ruleId: AlertRuleId) =>
  (await eventsOf(fixture.events, streams.alerts)).flatMap((event) =>
    (event.type === 'AlertFired' || event.type === 'AlertResolved') && event.data.ruleId === ruleId ? [event.type] : [],
  );
/** Waits until all rules were evaluated again. */
const evaluated = async (): Promise<void> => {
  const enough = evaluations + 2 * (new Set([...(await rules()).values()].map(({ metric }) => metric)).size + 1);
  await until(() => evaluations >= enough);
};

describe('the alert rules', () => {
  it('are introduced by a start, and not again after they were removed', async () => {
    startNode();
    await started();
    await until(async () => (await rules()).size === 6);
    for (const ruleId of (await rules()).keys()) {
      await commands.alerts.handle({ type: 'RemoveAlertRule', data: { ruleId }, meta: metaOf() });
    }
    await started();
    const ruleId = await create({ metric: 'p95' });
    await evaluated();
    expect([...(await rules()).keys()]).toEqual([ruleId]);
  });
});

describe('an alert', () => {
  it('fires after the condition was true for its time, and is resolved when it is not', async () => {
    startNode();
    const ruleId = await create({ metric: 'error_rate', threshold: 10, forSeconds: 60 });
    values = { error_rate: 10 };
    await evaluated();
    expect(await isFiring(ruleId)).toBe(false);
    aheadMs += 61_000;
    await until(() => isFiring(ruleId));
    values = { error_rate: 9.9 };
    await until(async () => !(await isFiring(ruleId)));
    values = { error_rate: 50 };
    await evaluated();
    expect(await isFiring(ruleId)).toBe(false);
    expect(await alertsOf(ruleId)).toEqual(['AlertFired', 'AlertResolved']);
  });

  it('does not fire where the condition was interrupted, and not without anything to measure', async () => {
    startNode();
    const ruleId = await create({ metric: 'p95', threshold: 100, forSeconds: 60 });
    values = { p95: 200 };
    await evaluated();
    values = {};
    await evaluated();
    values = { p95: 200 };
    aheadMs += 61_000;
    await evaluated();
    expect(await alertsOf(ruleId)).toEqual([]);
  });

  it('fires for each customer, and is resolved for each of them', async () => {
    startNode();
    const ruleId = await create({ metric: 'seats', threshold: 100, forSeconds: 60 });
    const [one, other] = [randomUUID(), randomUUID()];
    const firing = async () => [...((await rules()).get(ruleId)?.alerts.keys() ?? [])].sort();
    full = { [one]: 100 };
    await evaluated();
    aheadMs += 30_000;
    // An evaluation that began before has the time before.
    await evaluated();
    full = { [one]: 100, [other]: 100 };
    await evaluated();
    aheadMs += 31_000;
    await until(async () => (await firing()).join() === one);
    await evaluated();
    expect(await firing()).toEqual([one]);
    aheadMs += 30_000;
    await until(async () => (await firing()).length === 2);
    await evaluated();
    full = { [other]: 100 };
    await until(async () => (await firing()).join() === other);
    expect(await alertsOf(ruleId)).toEqual(['AlertFired', 'AlertFired', 'AlertResolved']);

    const crowd = Array.from({ length: 3 * MAX_ALERT_CUSTOMERS }, () => randomUUID());
    full = { [other]: 100, ...Object.fromEntries(crowd.map((id) => [id, 150])) };
    aheadMs += 61_000;
    await evaluated();
    aheadMs += 61_000;
    await until(async () => (await firing()).length === MAX_ALERT_CUSTOMERS);
    await evaluated();
    expect((await firing()).includes(other as CustomerId)).toBe(true);
    expect((await alertsOf(ruleId)).filter((type) => type === 'AlertFired')).toHaveLength(1 + MAX_ALERT_CUSTOMERS);
  });

  it('continues with how long a condition was true in the version before', async () => {
    const rule = alertRule({ ruleId: randomUUID() as AlertRuleId, metric: 'p95', threshold: 100, forSeconds: 3600 });
    await sql`insert into policy.note (policy, key, value)
      values ('watchAlerts', ${`since:${rule.ruleId}`}, ${`${Date.now() + aheadMs - 3_601_000} p95 100 3600`})`.execute(fixture.db);
    values = { p95: 100 };
    await commands.alerts.handle({ type: 'CreateAlertRule', data: rule, meta: metaOf() });
    startNode();
    await until(() => isFiring(rule.ruleId));
  });

  it('fires once on two nodes, and is resolved by the other node after one was killed', async () => {
    startNode();
    startNode();
    const ruleId = await create({ metric: 'p95', threshold: 100, forSeconds: 0 });
    const noted = await create({ metric: 'projection_lag', threshold: 100, forSeconds: 60 });
    values = { p95: 100, projection_lag: 100 };
    await until(() => isFiring(ruleId));
    await evaluated();
    // As a crash does: the lock is lost, and what was not saved is done again.
    await sql`
      select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())
        and objid = (hashtext('watchAlerts')::bigint & 4294967295)::oid`.execute(fixture.db);
    await evaluated();
    await nodes.shift()?.stop();
    aheadMs += 61_000;
    await until(() => isFiring(noted)); // since before the crash
    values = {};
    await until(async () => !(await isFiring(ruleId)) && !(await isFiring(noted)));
    expect([await alertsOf(ruleId), await alertsOf(noted)]).toEqual([
      ['AlertFired', 'AlertResolved'],
      ['AlertFired', 'AlertResolved'],
    ]);
  });
});

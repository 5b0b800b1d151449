import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { ChartDimension, ChartFilter } from '../../src/contracts/charts.ts';
import type { ConnectionId, CustomerId, IntegratorId, UserId } from '../../src/domain/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import type { Position } from '../../src/eventstore/port.ts';
import { verify } from '../../src/projections/engine/verify.ts';
import { customerDeleted } from '../support/builders/customer.ts';
import { createMemoryEventStore } from '../support/memoryEventStore.ts';
import { createRandom } from '../support/random.ts';
import { appendEvents, openFixture, plans, runGroups, runnerDeps, settled } from './fixture.ts';
import { newCustomer, newIntegrator } from './tenants.ts';

const fixture = openFixture(createMemoryEventStore);
runGroups(fixture);

const END = Date.parse('2126-03-01T12:00:00Z');

type Owned = { customerId: CustomerId; integratorId: IntegratorId };
/** A user who was connected from an instant until before another; `until` is infinite while connected. */
type Presence = { customer: Owned; from: number; until: number };
type Change = { at: number; apply: () => Promise<Position> };

const presences: Presence[] = [];
let integrators: IntegratorId[];
let customers: Owned[];

const changesOf = ({ customer: { customerId }, from, until }: Presence): Change[] => {
  const [userId, connectionId] = [randomUUID() as UserId, randomUUID() as ConnectionId];
  const of = { userId, customerId, connectionId };
  const append = (at: number, event: Parameters<typeof appendEvents>[2][number]): Change => ({
    at,
    apply: () => appendEvents(fixture, streams.userActivity(userId), [event], { at: new Date(at).toISOString() }),
  });
  return [
    append(from, { type: 'UserConnected', data: { ...of, node: 'n' } }),
    ...(Number.isFinite(until) ? [append(until, { type: 'UserDisconnected', data: { ...of, reason: 'closed' } })] : []),
  ];
};

const applyAll = async (changes: readonly Change[]): Promise<void> => {
  let last: Position = 0n;
  for (const { apply } of changes.toSorted((one, other) => one.at - other.at)) last = await apply();
  await settled(fixture, 'usage', last);
};

const LENGTHS = [20 * MINUTE_MS, 5 * HOUR_MS, 20 * HOUR_MS, 6 * DAY_MS, 28 * DAY_MS];

beforeAll(async () => {
  const random = createRandom(5);
  integrators = [await newIntegrator(fixture, 'North'), await newIntegrator(fixture, 'South')];
  customers = [];
  for (let index = 0; index < 13; index++) {
    const integratorId = integrators[index % 2];
    if (!integratorId) throw new Error('No integrator');
    const { position, ...customer } = await newCustomer(fixture, { integratorId, name: `Customer ${index}` });
    customers.push(customer);
    if (index === 12) await settled(fixture, 'read', position);
  }
  for (const [index, customer] of customers.entries()) {
    for (const length of LENGTHS) {
      const from = END - 1 - random(length);
      const stays = random(4) === 0;
      presences.push({ customer, from, until: stays ? Number.POSITIVE_INFINITY : from + random((index + 1) * HOUR_MS) });
    }
  }
  await applyAll(presences.flatMap(changesOf));
});

const read = async (period: { from: number; to: number }, filter: ChartFilter, by: ChartDimension | null, now = END) => {
  const { chart } = await fixture.queries.monitoring.breakdown(period, new Date(now), filter, null);
  const users = await fixture.queries.monitoring.connectedUsers(period, new Date(now), filter, by);
  const ends = chart.points.map(({ at }) => Date.parse(at) + chart.stepSeconds * 1000);
  return { ends, users };
};

const countAt = (end: number, isCounted: (customer: Owned) => boolean): number =>
  presences.filter(({ customer, from, until }) => isCounted(customer) && from < end && until >= end).length;

const applies =
  ({ customer, integrator }: ChartFilter) =>
  (of: Owned): boolean =>
    (customer ?? of.customerId) === of.customerId && (integrator ?? of.integratorId) === of.integratorId;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const keysOf = { customer: (of: Owned): string => of.customerId, integrator: (of: Owned): string => of.integratorId };

/** Compares each point with the users that were connected at its end. */
const expectRaw = async (period: { from: number; to: number }, filter: ChartFilter, by: 'customer' | 'integrator') => {
  const { ends, users } = await read(period, filter, by);
  const isCounted = applies(filter);
  expect(users?.whole).toEqual(ends.map((end) => countAt(end, isCounted)));
  const keys = [...new Set(customers.map(keysOf[by]))];
  const parts = keys
    .map((key) => ({ key, users: ends.map((end) => countAt(end, (of) => isCounted(of) && keysOf[by](of) === key)) }))
    .filter(({ users: levels }) => sum(levels) > 0)
    .sort((one, other) => sum(other.users) - sum(one.users) || (one.key < other.key ? -1 : 1));
  const others = ends.map((_, at) => sum(parts.slice(10).map(({ users: levels }) => levels[at] ?? 0)));
  expect(users?.series).toEqual([...parts.slice(0, 10), ...(sum(others) > 0 ? [{ key: null, users: others }] : [])]);
};

const expectNoDifferences = async (): Promise<void> => {
  const deps = {
    ...runnerDeps(fixture),
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onParked: () => undefined,
  };
  expect((await verify(plans.usage, deps)).differences).toEqual([]);
};

const PERIODS = [
  ...[15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, 7 * DAY_MS, 30 * DAY_MS].map((length) => ({ from: END - length, to: END })),
  { from: END - 3 * HOUR_MS, to: END - HOUR_MS },
  { from: END - 20 * DAY_MS, to: END - 5 * DAY_MS },
];

describe('connected users', () => {
  it('are divided by customer and integrator, and add up, in each period', async () => {
    const [{ customerId } = { customerId: undefined }] = customers;
    for (const period of PERIODS) {
      for (const by of ['customer', 'integrator'] as const) {
        await expectRaw(period, {}, by);
        await expectRaw(period, { integrator: integrators[1] }, by);
        await expectRaw(period, { customer: customerId }, by);
      }
    }
    const { users } = await read({ from: END - DAY_MS, to: END }, {}, 'integrator');
    expect(Object.values(users?.names ?? {}).toSorted()).toEqual(['North', 'South']);
  });

  it('are those of all customers where neither the filter nor the dimension applies to users', async () => {
    const period = { from: END - HOUR_MS, to: END };
    expect((await read(period, { service: 'jira' }, 'operation')).users).toBeNull();
    const filtered = await read(period, { integrator: integrators[0], service: 'jira' }, 'service');
    expect(filtered.users?.series).toBeNull();
    const isCounted = applies({ integrator: integrators[0] });
    expect(filtered.users?.whole).toEqual(filtered.ends.map((end) => countAt(end, isCounted)));
  });

  it('have no points in a period that has not begun', async () => {
    const period = { from: END + DAY_MS, to: END + 2 * DAY_MS };
    expect((await read(period, {}, 'customer')).users).toEqual({ whole: [], series: [], names: {} });
  });

  it('move with their customer, and are removed with a deleted one, as by a rebuild', async () => {
    const [moved, deleted] = customers;
    const [, next] = integrators;
    if (!moved || !deleted || !next) throw new Error('No customers');
    const stream = streams.customer(moved.customerId);
    await appendEvents(fixture, stream, [
      { type: 'CustomerMovedAway', data: { integratorId: moved.integratorId } },
      { type: 'CustomerMoved', data: { integratorId: next } },
    ]);
    moved.integratorId = next;
    const at = new Date(END).toISOString();
    await settled(fixture, 'usage', await appendEvents(fixture, streams.customer(deleted.customerId), [customerDeleted()], { at }));
    const kept = presences.filter(({ customer }) => customer !== deleted);
    presences.splice(0, presences.length, ...kept);
    for (const period of PERIODS) for (const by of ['customer', 'integrator'] as const) await expectRaw(period, {}, by);
    for (const table of ['usage.connected_minute', 'usage.connected_hour'] as const) {
      expect(await fixture.db.selectFrom(table).selectAll().where('customer_id', '=', deleted.customerId).execute()).toEqual([]);
    }
    await expectNoDifferences();
  });

  it('have a row for each customer and minute or hour with a change, which is removed when it is too old', async () => {
    const [, , customer] = customers;
    if (!customer) throw new Error('No customer');
    const late = END + 62 * DAY_MS;
    await applyAll([
      ...changesOf({ customer, from: late - DAY_MS, until: late - DAY_MS + 1_000 }),
      ...changesOf({ customer, from: late, until: Number.POSITIVE_INFINITY }),
    ]);
    const atOf = async (table: 'usage.connected_minute' | 'usage.connected_hour') =>
      await fixture.db.selectFrom(table).select(['at', 'customer_id', 'connected']).orderBy('at').execute();
    expect((await atOf('usage.connected_minute')).map(({ at, connected }) => [at.getTime(), connected])).toEqual([
      [late - DAY_MS, 0],
      [late, 1],
    ]);
    expect((await atOf('usage.connected_hour')).every(({ at }) => at.getTime() >= END)).toBe(true);
    await expectNoDifferences();
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { ChartDimension, ChartFilter, ChartPoint, ChartSeries } from '../../src/contracts/charts.ts';
import type { RecordedCall } from '../../src/domain/apiCalls/events.ts';
import { outcomeOf } from '../../src/domain/apiCalls/outcome.ts';
import type { CustomerId, IntegratorId } from '../../src/domain/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { decodeCells } from '../../src/projections/breakdown/cells.ts';
import { verify } from '../../src/projections/engine/verify.ts';
import { localDayAt, localTimeOf } from '../../src/projections/localTime.ts';
import { apiCallsRecorded, recordedCall } from '../support/builders/activity.ts';
import { customerDeleted } from '../support/builders/customer.ts';
import { integratorIdOf } from '../support/builders/ids.ts';
import { createMemoryEventStore } from '../support/memoryEventStore.ts';
import { createRandom } from '../support/random.ts';
import { IS_AT_LENGTH, itAtLength } from '../support/tiers.ts';
import { appendEvents, openFixture, plans, runGroups, runnerDeps, settled } from './fixture.ts';
import { newCustomer, newIntegrator } from './tenants.ts';

const fixture = openFixture(createMemoryEventStore);
runGroups(fixture);

const END = Date.parse('2126-03-01T12:00:00Z');

/** A call as it was recorded, with its owners and the time of its arrival. */
type Raw = RecordedCall & { customer: CustomerId; integrator: IntegratorId; arrived: number };

const raw: Raw[] = [];
const sequences = new Map<string, number>();
let integrators: IntegratorId[];
let customers: { customerId: CustomerId; integratorId: IntegratorId }[];

/** Records calls that arrive together, and remembers them. */
const send = (customer: (typeof customers)[number], age: number, calls: readonly RecordedCall[]) => {
  const { customerId, integratorId } = customer;
  const firstSequence = sequences.get(customerId) ?? 1;
  sequences.set(customerId, firstSequence + calls.length);
  for (const call of calls) raw.push({ ...call, customer: customerId, integrator: integratorId, arrived: END - age });
  const event = apiCallsRecorded({ customerId, sourceId: 'tool', firstSequence, calls });
  return appendEvents(fixture, streams.apiCalls(customerId, '2126-03-01'), [event], { at: new Date(END - age).toISOString() });
};

const randomCall = (random: (below: number) => number): RecordedCall => {
  const status = [200, 200, 201, 302, 404, 503, null][random(7)] ?? null;
  return recordedCall({
    service: (['jira', 'azdo', 'confluence'] as const)[random(3)] ?? 'jira',
    instanceUrl: `https://team-${random(3)}.example`,
    operation: `GET:/thing-${random(13)}`,
    status,
    ok: status === null ? random(2) === 0 : status < 400,
    // Each of these durations has a bucket of its own, so that percentiles are exact.
    durationMs: random(32),
  });
};

/** Before the ranges of the other tests. */
const LONG_AGO = 45 * DAY_MS;
const FAILING_AGE = 50 * DAY_MS;
const RARE_AGE = 55 * DAY_MS;
const STEADY_AGE = 57 * DAY_MS;
const AGES = [
  1_000,
  30_000,
  61_000,
  12 * MINUTE_MS,
  50 * MINUTE_MS,
  5 * HOUR_MS,
  20 * HOUR_MS,
  3 * DAY_MS,
  20 * DAY_MS,
  40 * DAY_MS,
];

beforeAll(async () => {
  const random = createRandom(11);
  integrators = [
    await newIntegrator(fixture, 'North'),
    await newIntegrator(fixture, 'South'),
    await newIntegrator(fixture, 'West'),
  ];
  customers = [];
  for (let index = 0; index < 14; index++) {
    const integratorId = integrators[index % 3];
    if (!integratorId) throw new Error('No integrator');
    const { position, ...customer } = await newCustomer(fixture, { integratorId, name: `Customer ${index}` });
    customers.push(customer);
    if (index === 13) await settled(fixture, 'read', position);
  }
  for (const age of AGES.toReversed()) {
    for (const [index, customer] of customers.entries()) {
      const calls = Array.from({ length: 3 + random(index + 4) }, () => randomCall(random));
      const position = await send(customer, age, calls);
      if (age === AGES[0] && index === customers.length - 1) await settled(fixture, 'usage', position);
    }
  }
});

const read = (lengthMs: number, filter: ChartFilter = {}, by: ChartDimension | null = null) =>
  fixture.queries.monitoring.breakdown({ from: END - lengthMs, to: END }, new Date(END), filter, by);

const applies = (call: Raw, { integrator, customer, service, operation, outcome, instance }: ChartFilter): boolean =>
  (integrator ?? call.integrator) === call.integrator &&
  (customer ?? call.customer) === call.customer &&
  (service ?? call.service) === call.service &&
  (operation ?? call.operation) === call.operation &&
  (outcome ?? outcomeOf(call)) === outcomeOf(call) &&
  (instance ?? call.instanceUrl) === call.instanceUrl;

const keyOf: Record<ChartDimension, (call: Raw) => string> = {
  integrator: (call) => call.integrator,
  customer: (call) => call.customer,
  service: (call) => call.service,
  operation: (call) => call.operation,
  outcome: outcomeOf,
  instance: (call) => call.instanceUrl,
};

/** The nearest rank of the durations. */
const p95Of = (calls: readonly Raw[]): number | null =>
  calls.map(({ durationMs }) => durationMs).toSorted((one, other) => one - other)[Math.ceil(calls.length * 0.95) - 1] ?? null;

const expectSums = (points: readonly ChartPoint[], series: readonly ChartSeries[]): void => {
  for (const [at, point] of points.entries()) {
    for (const column of ['calls', 'failed'] as const) {
      const sum = series.reduce((total, values) => total + (values[column][at] ?? 0), 0);
      expect([point.at, column, sum]).toEqual([point.at, column, point[column] ?? 0]);
    }
  }
};

/** Compares a chart and its series, point by point, with the calls that were sent. */
const expectRaw = async (lengthMs: number, filter: ChartFilter, by: ChartDimension): Promise<void> => {
  const { chart, series } = await read(lengthMs, filter, by);
  const found = series ?? [];
  expectSums(chart.points, found);
  const counted = raw.filter((call) => applies(call, filter) && call.arrived >= Date.parse(chart.from));
  const at = (call: Raw): number => Math.floor((call.arrived - Date.parse(chart.from)) / (chart.stepSeconds * 1000));
  expect(chart.points.reduce((sum, { calls }) => sum + (calls ?? 0), 0)).toBe(counted.length);
  for (const { key, customerId, calls, failed, p95 } of found) {
    if (key === null) continue;
    const own = counted.filter((call) => keyOf[by](call) === key && (customerId ?? call.customer) === call.customer);
    for (const [index] of chart.points.entries()) {
      const inPoint = own.filter((call) => at(call) === index);
      expect([by, key, calls[index], failed[index], p95[index]]).toEqual([
        by,
        key,
        inPoint.length,
        inPoint.filter(({ ok }) => !ok).length,
        p95Of(inPoint),
      ]);
    }
  }
};

type OfKey = Readonly<{ key: string | null; calls: number; errors: number }>;
const byKey = (parts: readonly OfKey[]) =>
  Object.fromEntries(parts.filter(({ calls }) => calls > 0).map(({ key, calls, errors }) => [key, [calls, errors]]));
const tally = (calls: readonly Raw[], of: (call: Raw) => string) => {
  const counts: Record<string, [number, number]> = {};
  for (const call of calls) {
    const [known, errors] = counts[of(call)] ?? [0, 0];
    counts[of(call)] = [known + 1, errors + (call.ok ? 0 : 1)];
  }
  return counts;
};

describe('the calls of all customers of a service integrator by arrival', () => {
  const usageOf = async (integratorId: IntegratorId | undefined, zone: string, from: string) => {
    const asked = { zone, from, to: '2126-03-01', today: '2126-03-01', isCompared: true };
    const { usage } = fixture.queries;
    const parts = await usage.partsOfCustomers(integratorId as IntegratorId, asked);
    return { arrived: (await usage.ofCustomers(integratorId as IntegratorId, asked)).arrived, parts };
  };

  it('add up by day, hour of the week and part', async () => {
    for (const [zone, shownZone] of [
      ['UTC', 'UTC'],
      ['Europe/Berlin', 'Europe/Berlin'],
      ['America/New_York', 'America/New_York'],
      ['Asia/Kolkata', 'UTC'],
    ] as const) {
      const { arrived, parts } = await usageOf(integrators[0], zone, '2126-02-01');
      if (!arrived) throw new Error('No calls by arrival');
      const within = (from: string, to: string): Raw[] =>
        raw.filter(({ integrator, arrived: at }) => {
          const day = localDayAt(shownZone, at);
          return integrator === integrators[0] && day >= from && day <= to;
        });
      const counted = within('2126-02-01', '2126-03-01');
      const failed = counted.filter(({ ok }) => !ok);
      expect([arrived.zone, arrived.from]).toEqual([shownZone, arrived.daily[0]?.from]);
      expect(parts).toMatchObject({
        zone: shownZone,
        from: arrived.from,
        totalApiCalls: counted.length,
        totalErrors: failed.length,
      });
      expect([arrived.totalApiCalls, arrived.totalErrors, arrived.p95]).toEqual([counted.length, failed.length, p95Of(counted)]);
      const dayOf = (call: Raw): string => localDayAt(shownZone, call.arrived);
      expect(byKey(arrived.daily.map((day) => ({ ...day, key: day.day })))).toEqual(tally(counted, dayOf));
      for (const { day, p95 } of arrived.daily) expect(p95).toBe(p95Of(counted.filter((call) => dayOf(call) === day)) ?? 0);
      expect(byKey(parts.services)).toEqual(tally(counted, keyOf.service));
      expect(byKey(parts.operations)).toEqual(tally(counted, keyOf.operation));
      expect(byKey(arrived.outcomes)).toEqual(tally(failed, keyOf.outcome));
      expect(arrived.week.calls.reduce((sum, calls) => sum + calls, 0)).toBe(counted.length);
      const noon = localTimeOf(shownZone, '2126-02-28', '2126-03-01').weekHourAt(END - 1);
      const atNoon = counted.filter(
        ({ arrived: at }) => localTimeOf(shownZone, '2126-02-01', '2126-03-01').weekHourAt(at) === noon,
      );
      expect(arrived.week.calls[noon]).toBe(atNoon.length);
      expect(arrived.previous?.totalApiCalls).toBe(within('2126-01-03', '2126-01-31').length);
    }
  });

  it('are those of the days of which all hours are kept', async () => {
    const { arrived } = await usageOf(integrators[0], 'UTC', '2125-12-02');
    expect(arrived).toMatchObject({ from: '2125-12-30T00:00:00.000Z', previous: null });
    expect(arrived?.daily).toHaveLength(90);
    const nobody = await usageOf(integratorIdOf('nobody'), 'UTC', '2126-02-24');
    expect(nobody.arrived).toMatchObject({ totalApiCalls: 0, outcomes: [], p95: 0 });
    expect(nobody.parts).toMatchObject({ totalApiCalls: 0, services: [] });
  });
});

const TRAFFIC_TABLES = ['usage.traffic_minute', 'usage.traffic_hour', 'usage.traffic_four_hours'] as const;
const NOT_COUNTED = { calls_4xx: null, calls_5xx: null, calls_error: null };

/** Compares the merged rows of four hours with the sums of those that are over, and with the cells of their hours. */
const expectMerged = async (): Promise<void> => {
  const { db } = fixture;
  const sums = await db.selectFrom('usage.traffic_four_hours').selectAll().orderBy('at').orderBy('scope').execute();
  const merged = await db.selectFrom('usage.traffic_merged_hours').selectAll().orderBy('at').orderBy('scope').execute();
  const newest = sums.at(-1)?.at.getTime() ?? 0;
  const kept = sums.filter(({ at }) => at.getTime() < newest && at.getTime() > newest - 62 * DAY_MS);
  const totalsOf = ({ at, scope, calls, errors, histogram }: (typeof sums)[number] | (typeof merged)[number]) => [
    [at.toISOString(), scope, calls, errors],
    histogram.toString('hex'),
  ];
  expect(merged.map(totalsOf)).toEqual(kept.map(totalsOf));
  const hours = await db.selectFrom('usage.traffic_hour').select(['at', 'scope', 'cells']).execute();
  const callsOf = (rows: readonly { at: Date; scope: string; cells: Buffer }[]) => {
    const calls: Record<string, number> = {};
    for (const { at, scope, cells } of rows) {
      const fourHours = Math.floor(at.getTime() / (4 * HOUR_MS));
      for (const [key, counts] of decodeCells(cells)) {
        const id = `${fourHours} ${scope} ${key}`;
        calls[id] = (calls[id] ?? 0) + counts.calls;
      }
    }
    return calls;
  };
  const first = kept[0]?.at.getTime() ?? 0;
  expect(callsOf(merged)).toEqual(callsOf(hours.filter(({ at }) => at.getTime() >= first && at.getTime() < newest)));
};

const expectNoDifferences = async (): Promise<void> => {
  await expectMerged();
  const deps = {
    ...runnerDeps(fixture),
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onParked: () => undefined,
  };
  expect((await verify(plans.usage, deps)).differences).toEqual([]);
};

/** Compares the calls of each failed outcome in the rows of all with the calls that were sent. */
const expectFailedCalls = async (table: (typeof TRAFFIC_TABLES)[number]): Promise<void> => {
  const rows = await fixture.db.selectFrom(table).selectAll().where('kind', '=', 'all').orderBy('at').execute();
  const lengthMs = { 'usage.traffic_minute': MINUTE_MS, 'usage.traffic_hour': HOUR_MS, 'usage.traffic_four_hours': 4 * HOUR_MS }[
    table
  ];
  const failedOf = ({ at }: { at: Date }) => {
    const during = raw.filter(({ arrived }) => arrived >= at.getTime() && arrived < at.getTime() + lengthMs);
    return ['4xx', '5xx', 'error'].map((outcome) => during.filter((call) => outcomeOf(call) === outcome).length);
  };
  expect(rows.map((row) => [row.calls_4xx, row.calls_5xx, row.calls_error])).toEqual(rows.map(failedOf));
  expect(rows.length).toBeGreaterThan(0);
};

const RANGES = [15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, 7 * DAY_MS, 30 * DAY_MS];
const DIMENSIONS = ['integrator', 'customer', 'service', 'operation', 'outcome', 'instance'] as const;

describe('the calls of a chart', () => {
  it.each(DIMENSIONS)('divided by %s add up to the calls that were recorded, in each range', async (by) => {
    for (const range of RANGES) await expectRaw(range, {}, by);
  });

  it('are those of all filters together, divided by each other dimension', async () => {
    const [first] = customers;
    if (!first) throw new Error('No customer');
    const filters: ChartFilter[] = [
      { service: 'jira' },
      { outcome: '5xx' },
      { operation: 'GET:/thing-3', outcome: '2xx' },
      { integrator: first.integratorId },
      { integrator: first.integratorId, service: 'azdo', outcome: '4xx' },
      { customer: first.customerId },
      { customer: first.customerId, instance: 'https://team-1.example', service: 'jira', outcome: 'success' },
      { customer: first.customerId, integrator: first.integratorId },
    ];
    const parts = DIMENSIONS.filter((_, index) => IS_AT_LENGTH || index % 3 === 0);
    for (const filter of filters) for (const by of parts) await expectRaw(30 * DAY_MS, filter, by);
    const { integratorId: other } = customers[1] ?? first;
    const { chart } = await read(30 * DAY_MS, { customer: first.customerId, integrator: other });
    expect(chart.points.every(({ calls }) => !calls)).toBe(true);
  });

  it('are divided into the ten largest parts and the others, with names', async () => {
    // Of five hours and a half, and of most days, the larger spans begin and end within a stored one.
    for (const length of [HOUR_MS, 5.5 * HOUR_MS, DAY_MS, 7 * DAY_MS, 25 * DAY_MS, 30 * DAY_MS]) {
      const { chart, series, names } = await read(length, {}, 'customer');
      expect(series?.map(({ key }) => key).at(-1)).toBeNull();
      const totals = (series ?? []).slice(0, -1).map(({ calls }) => calls.reduce((sum, count) => sum + count, 0));
      expect(totals).toHaveLength(10);
      expect(totals).toEqual(totals.toSorted((one, other) => other - one));
      const from = Date.parse(chart.from);
      const sent = (id: string) => raw.filter(({ customer, arrived }) => customer === id && arrived >= from).length;
      const largest = customers.map(({ customerId }) => sent(customerId)).toSorted((one, other) => other - one);
      expect(totals).toEqual(largest.slice(0, 10));
      for (const { key } of (series ?? []).slice(0, -1)) expect(names[key ?? '']).toMatch(/^Customer \d+$/);
    }
    const integratorId = integrators[0] ?? '';
    expect((await read(HOUR_MS, { integrator: integratorId as IntegratorId }, null)).names).toEqual({ [integratorId]: 'North' });
  });

  it('of a client that invents operations fill a row no further, are counted, and are the same after a rebuild', async () => {
    const { customerId, integratorId } = await newCustomer(fixture, { integratorId: integrators[0] ?? ('' as IntegratorId) });
    const invented = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => recordedCall({ operation: `invented-${from + index}`, durationMs: 7 }));
    await send({ customerId, integratorId }, LONG_AGO + 500, invented(0, 150));
    await send({ customerId, integratorId }, LONG_AGO + 400, invented(100, 150));
    await settled(fixture, 'usage', await send({ customerId, integratorId }, LONG_AGO + 300, invented(0, 300)));
    const rows = await fixture.db
      .selectFrom('usage.traffic_hour')
      .select(['calls', 'cells'])
      .where('scope', '=', customerId)
      .execute();
    expect(rows.map(({ calls, cells }) => [calls, decodeCells(cells).size])).toEqual([[600, 201]]);
    const period = { from: END - LONG_AGO - HOUR_MS, to: END - LONG_AGO };
    const { chart, series } = await fixture.queries.monitoring.breakdown(
      period,
      new Date(END),
      { customer: customerId },
      'operation',
    );
    expectSums(chart.points, series ?? []);
    expect(chart.points.reduce((sum, { calls }) => sum + (calls ?? 0), 0)).toBe(600);
    await expectNoDifferences();
  });

  it('are divided into the ten parts with the most calls of a failed outcome, though others fail more often', async () => {
    const period = { from: END - FAILING_AGE - HOUR_MS, to: END - FAILING_AGE + HOUR_MS };
    const failing = [404, 503, null].flatMap((status, index) =>
      Array.from({ length: 12 }, (_, rank) => ({ status, outcome: (['4xx', '5xx', 'error'] as const)[index], calls: 2 + rank })),
    );
    const sent = await Promise.all(
      failing.map(async ({ status, outcome, calls }, index) => {
        const { customerId, integratorId } = await newCustomer(fixture, {
          integratorId: integrators[index % 3] ?? ('' as IntegratorId),
          name: `Failing ${index}`,
        });
        // The tool accepts half of the calls with a status: the outcome counts, not the failure.
        const some = Array.from({ length: calls }, (_, call) =>
          recordedCall({ status, ok: status !== null && call % 2 === 0, durationMs: call }),
        );
        const position = await send({ customerId, integratorId }, FAILING_AGE, some);
        return { customerId, outcome, calls, position };
      }),
    );
    const [last = 0n] = sent.map(({ position }) => position).sort((one, other) => (one < other ? 1 : -1));
    await settled(fixture, 'usage', last);
    const callsByCustomer = async (outcome: (typeof sent)[number]['outcome']) => {
      const { series } = await fixture.queries.monitoring.breakdown(period, new Date(END), { outcome }, 'customer');
      return (series ?? []).map(({ key, calls }) => [key, calls.reduce((sum, count) => sum + count, 0)]);
    };
    for (const outcome of ['4xx', '5xx', 'error'] as const) {
      const largest = sent.filter((one) => one.outcome === outcome).toSorted((one, other) => other.calls - one.calls);
      expect(await callsByCustomer(outcome)).toEqual([
        ...largest.slice(0, 10).map(({ customerId, calls }) => [customerId, calls]),
        [null, 2 + 3],
      ]);
    }
    await expectNoDifferences();
  });

  it('are divided into the largest parts, also of customers with few other calls', async () => {
    const from = END - RARE_AGE - HOUR_MS;
    const busy = Array.from({ length: 21 }, (_, index) => ({ others: 40, rare: index < 3 ? 2 : 0 }));
    const quiet = Array.from({ length: 12 }, (_, index) => ({ others: 0, rare: 3 + index }));
    const sent = await Promise.all(
      [...busy, ...quiet].map(async ({ others, rare }, index) => {
        const customer = await newCustomer(fixture, {
          integratorId: integrators[0] ?? ('' as IntegratorId),
          name: `Rare ${index}`,
        });
        const calls = [
          ...Array.from({ length: others }, () => recordedCall({ operation: 'GET:/usual', instanceUrl: 'https://usual.example' })),
          ...Array.from({ length: rare }, () =>
            recordedCall({ operation: 'GET:/rare', instanceUrl: `https://rare-${index}.example` }),
          ),
        ];
        return { customerId: customer.customerId, rare, position: await send(customer, RARE_AGE, calls) };
      }),
    );
    const [last = 0n] = sent.map(({ position }) => position).sort((one, other) => (one < other ? 1 : -1));
    await settled(fixture, 'usage', last);
    const during = (hours: number) => ({ from, to: from + hours * HOUR_MS });
    const customersOf = async (hours: number) => {
      const period = during(hours);
      const { chart, series, partsAmong } = await fixture.queries.monitoring.breakdown(
        period,
        new Date(END),
        { operation: 'GET:/rare' },
        'customer',
      );
      expectSums(chart.points, series ?? []);
      return { partsAmong, parts: (series ?? []).map(({ key, calls }) => [key, calls.reduce((sum, count) => sum + count, 0)]) };
    };
    const largest = sent.toSorted((one, other) => other.rare - one.rare).slice(0, 10);
    const expected = {
      partsAmong: undefined,
      parts: [...largest.map(({ customerId, rare }) => [customerId, rare]), [null, 3 + 4 + 3 * 2]],
    };
    for (const hours of [2, 4 * 24]) expect(await customersOf(hours)).toEqual(expected);
    const instances = await fixture.queries.monitoring.breakdown(during(2), new Date(END), {}, 'instance');
    expect(instances.partsAmong).toBeUndefined();
    expect(instances.series?.map(({ key }) => key)).toEqual([...Array.from({ length: 10 }, () => 'https://usual.example'), null]);
  });

  it('name how many customers were compared, if these have more rows than are read for a chart', async () => {
    const ids = await Promise.all(
      Array.from({ length: 22 }, async () => {
        const customer = await newCustomer(fixture, { integratorId: integrators[0] ?? ('' as IntegratorId) });
        const calls = ['GET:/one', 'GET:/other'].map((operation) => recordedCall({ operation }));
        return { ...customer, position: await send(customer, STEADY_AGE, calls) };
      }),
    );
    const [last = 0n] = ids.map(({ position }) => position).sort((one, other) => (one < other ? 1 : -1));
    await settled(fixture, 'usage', last);
    const scopes = ids.map(({ customerId }) => customerId);
    const tables = [
      ['usage.traffic_hour', 1],
      ['usage.traffic_four_hours', 4],
    ] as const;
    const first = new Date(END - STEADY_AGE + 4 * HOUR_MS);
    // The calls of each hour of 30 days, as if they were sent each hour.
    for (const [table, hours] of tables) {
      const rows = await fixture.db.selectFrom(table).selectAll().where('scope', 'in', scopes).execute();
      if (table === 'usage.traffic_hour') await fixture.db.deleteFrom('usage.traffic_merged_hours').execute();
      for (const row of rows) {
        const more = Array.from({ length: (30 * 24) / hours }, (_, index) => new Date(first.getTime() + index * hours * HOUR_MS));
        await fixture.db
          .insertInto(table)
          .values(
            more.map((at) => ({
              ...row,
              calls: row.calls * hours,
              at: new Date(Math.floor(at.getTime() / (hours * HOUR_MS)) * hours * HOUR_MS),
            })),
          )
          .execute();
      }
    }
    const period = { from: first.getTime() - 5 * HOUR_MS, to: first.getTime() + 30 * DAY_MS };
    const { partsAmong } = await fixture.queries.monitoring.breakdown(period, new Date(END), { operation: 'GET:/one' }, 'customer');
    expect(partsAmong).toBe(20);
    for (const [table, hours] of tables) {
      const after = new Date(first.getTime() - hours * HOUR_MS);
      await fixture.db.deleteFrom(table).where('scope', 'in', scopes).where('at', '>', after).execute();
    }
  });

  it('do not include deleted customers', async () => {
    const [gone] = customers;
    if (!gone) throw new Error('No customer');
    const { customerId } = gone;
    await settled(
      fixture,
      'usage',
      await appendEvents(fixture, streams.customer(customerId), [customerDeleted()], { at: new Date(END).toISOString() }),
    );
    const kept = raw.filter(({ customer }) => customer !== customerId);
    raw.splice(0, raw.length, ...kept);
    for (const by of DIMENSIONS) await expectRaw(30 * DAY_MS, {}, by);
    for (const range of [6 * HOUR_MS, 30 * DAY_MS]) {
      const { points } = await fixture.queries.monitoring.chart({ from: END - range, to: END }, new Date(END));
      expect(points.map(({ calls }) => calls)).toEqual((await read(range)).chart.points.map(({ calls }) => calls));
    }
    const left = await fixture.db.selectFrom('usage.traffic_minute').selectAll().where('scope', '=', customerId).execute();
    expect(left).toEqual([]);
    for (const table of TRAFFIC_TABLES) await expectFailedCalls(table);
    await expectNoDifferences();
  });

  itAtLength('are the same in read models of a version before, until these are rebuilt', async () => {
    const failed: ChartFilter = { outcome: '5xx' };
    const asked = DIMENSIONS.flatMap((by) => [6 * HOUR_MS, 7 * DAY_MS, 30 * DAY_MS].map((length) => [length, by] as const));
    const filters: ChartFilter[] = [{}, failed, { service: 'jira' }];
    const readAll = () => Promise.all(filters.flatMap((filter) => asked.map(([length, by]) => read(length, filter, by))));
    const rebuilt = await readAll();
    // Merged are the hours since an upgrade, then none.
    await fixture.db
      .deleteFrom('usage.traffic_merged_hours')
      .where('at', '<', new Date(END - 10 * DAY_MS))
      .execute();
    expect(await readAll()).toEqual(rebuilt);
    await fixture.db.deleteFrom('usage.traffic_merged_hours').execute();
    const first = fixture.db.selectFrom('usage.traffic_four_hours').select(({ fn }) => fn.min('at').as('at'));
    await fixture.db.deleteFrom('usage.traffic_four_hours').where('at', '=', first).execute();
    for (const table of ['usage.traffic_minute', 'usage.traffic_hour'] as const) {
      await fixture.db.updateTable(table).set({ histogram: null, outcomes: null }).execute();
    }
    for (const table of TRAFFIC_TABLES) await fixture.db.updateTable(table).set(NOT_COUNTED).execute();
    expect(await readAll()).toEqual(rebuilt);
    const [customer] = customers.slice(1);
    if (!customer) throw new Error('No customer');
    await settled(fixture, 'usage', await send(customer, 1_000, [recordedCall({ durationMs: 9 })]));
    for (const by of DIMENSIONS) await expectRaw(30 * DAY_MS, {}, by);
    for (const length of [6 * HOUR_MS, 30 * DAY_MS]) await expectRaw(length, failed, 'customer');
    await expectMerged();
  });
});

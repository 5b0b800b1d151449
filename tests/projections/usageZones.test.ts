import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCallEvents } from '../../src/commands/callEvents.ts';
import { streams } from '../../src/commands/streams.ts';
import type { UsageFilter } from '../../src/contracts/usage.ts';
import type { RecordedCall } from '../../src/domain/apiCalls/events.ts';
import type { CustomerId, UserId } from '../../src/domain/ids.ts';
import { dayAfter } from '../../src/domain/time.ts';
import { localDayAt, localTimeOf } from '../../src/projections/localTime.ts';
import { filteredUsage, limitCallCounts } from '../../src/projections/usage/filtered.ts';
import { apiCallsRecorded, recordedCall } from '../support/builders/activity.ts';
import { userIdOf } from '../support/builders/ids.ts';
import { IS_AT_LENGTH } from '../support/tiers.ts';
import { appendEvents, openFixture, runGroups, settled } from './fixture.ts';
import { newCustomer, newIntegrator } from './tenants.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Beirut',
];
const WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const clocks = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      hourCycle: 'h23',
    }),
  ]),
);
const remembered = new Map<string, { day: string; hour: number }>();

/** The day and the hour of the week that a clock of the zone shows, as the runtime says for this very instant. */
const shown = (zone: string, at: number): { day: string; hour: number } => {
  const known = remembered.get(`${zone} ${at}`);
  if (known) return known;
  const parts = new Map(
    clocks
      .get(zone)
      ?.formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const day = `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
  const found = { day, hour: WEEK.indexOf(parts.get('weekday') ?? '') * 24 + Number(parts.get('hour')) };
  remembered.set(`${zone} ${at}`, found);
  return found;
};

describe('the time of a zone', () => {
  it('is what its clocks show, across the changes of two years', () => {
    const time = new Map(ZONES.map((zone) => [zone, localTimeOf(zone, '2025-01-01', '2026-12-31')]));
    const instant = fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2026-12-31') });
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), instant, (zone, at) => {
        const found = time.get(zone);
        expect({ day: found?.dayAt(at), hour: found?.weekHourAt(at) }).toEqual(shown(zone, at));
        expect(localDayAt(zone, at)).toBe(shown(zone, at).day);
      }),
      { numRuns: 400 },
    );
  });

  it('has days that follow each other without gaps, of 23 and 25 hours where clocks change', () => {
    for (const zone of ZONES) {
      const days = localTimeOf(zone, '2026-01-01', '2026-12-31').days('2026-01-01', '2026-12-31');
      expect(days).toHaveLength(365);
      for (const [index, { day, start, end }] of days.entries()) {
        expect([shown(zone, start).day, shown(zone, start - 1).day]).toEqual([day, dayAfter(day, -1)]);
        if (index > 0) expect(days[index - 1]?.end).toBe(start);
        expect(shown(zone, end - 1).day).toBe(day);
      }
    }
    const hoursOf = (zone: string, day: string) =>
      localTimeOf(zone, day, day)
        .days(day, day)
        .map(({ start, end }) => (end - start) / 3_600_000);
    expect(hoursOf('Europe/Berlin', '2026-03-29')).toEqual([23]);
    expect(hoursOf('Europe/Berlin', '2026-10-25')).toEqual([25]);
    expect(hoursOf('Australia/Lord_Howe', '2026-04-05')).toEqual([24.5]);
    expect(hoursOf('Asia/Beirut', '2026-03-29')).toEqual([23]);
  });
});

const fixture = openFixture();
runGroups(fixture);

type Recorded = RecordedCall & { user: UserId };

/** A pseudo-random sequence, the same each time. */
const sequence = () => {
  let state = 7;
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
};

const FIRST = Date.parse('2026-03-01T00:00:00Z');
const USERS = ['ada', 'bob', 'eve'].map(userIdOf);

const someCalls = (count: number): Recorded[] => {
  const next = sequence();
  return Array.from({ length: count }, () => {
    const status = [200, 200, 200, 404, 500, 503, null][next(7)] ?? null;
    return {
      ...recordedCall({
        at: new Date(FIRST + next(56 * 86_400) * 1000).toISOString(),
        service: next(2) === 0 ? 'jira' : 'azdo',
        instanceUrl: `https://team-${next(3)}.example`,
        operation: `GET:/thing/${next(5)}`,
        durationMs: next(3_000),
        status,
        ok: status === 200 || (status === null && next(2) === 0),
      }),
      user: USERS[next(USERS.length)] ?? userIdOf('ada'),
    };
  });
};

const recordAll = async (customerId: CustomerId, calls: readonly Recorded[]) => {
  let position = 0n;
  for (let from = 0; from < calls.length; from += 300) {
    const events = USERS.map((userId) => {
      const own = calls.slice(from, from + 300).filter(({ user }) => user === userId);
      const plain = own.map(({ user: _, ...call }) => call);
      return apiCallsRecorded({ customerId, userId, sourceId: userId, firstSequence: from + 1, calls: plain });
    });
    position = await appendEvents(fixture, streams.apiCalls(customerId, '2026-04-30'), events);
  }
  await settled(fixture, 'usage', position);
};

const passes = ({ service, operation, instanceUrl, ok, status }: Recorded, filter: UsageFilter): boolean =>
  (filter.service === undefined || service === filter.service) &&
  (filter.operation === undefined || operation === filter.operation) &&
  (filter.instanceUrl === undefined || instanceUrl === filter.instanceUrl) &&
  (filter.reason === undefined || (!ok && String(status ?? 'none') === String(filter.reason)));

const tallyBy = <Call extends Recorded>(calls: readonly Call[], keyOf: (call: Call) => string): Record<string, number[]> => {
  const tally: Record<string, number[]> = {};
  for (const call of calls) {
    const [known = 0, errors = 0, totalMs = 0] = tally[keyOf(call)] ?? [];
    tally[keyOf(call)] = [known + 1, errors + (call.ok ? 0 : 1), totalMs + call.durationMs];
  }
  return tally;
};

type Counted = { calls: number; errors: number; avgResponseTime: number };
const tallyOf = <Part extends Counted>(parts: readonly Part[], keyOf: (part: Part) => string | null): Record<string, number[]> =>
  Object.fromEntries(
    parts
      .filter(({ calls }) => calls > 0)
      .map((part) => [keyOf(part), [part.calls, part.errors, Math.round(part.avgResponseTime * part.calls)]]),
  );

describe('the usage of a range', () => {
  it('and each of its breakdowns add up to the recorded calls, for every range and zone', async () => {
    const { customerId } = await newCustomer(fixture);
    const calls = someCalls(900);
    await recordAll(customerId, calls);
    const range = fc.record({ zone: fc.constantFrom(...ZONES), skipped: fc.nat(50), length: fc.integer({ min: 1, max: 40 }) });
    const caller = fc.constantFrom(undefined, ...USERS);
    const lastInstant = fc.option(
      fc.oneof(
        fc.integer({ min: FIRST, max: FIRST + 56 * 86_400_000 }),
        fc.constantFrom(...calls).chain(({ at }) => fc.constantFrom(Date.parse(at) - 1, Date.parse(at))),
      ),
      { nil: undefined },
    );
    const filters = fc.record(
      {
        service: fc.constantFrom('jira', 'azdo'),
        operation: fc.constantFrom('GET:/thing/1', 'GET:/thing/2', 'GET:/nothing'),
        instanceUrl: fc.constantFrom('https://team-0.example', 'https://team-1.example'),
        reason: fc.constantFrom<(500 | 'none')[]>(500, 'none'),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(range, caller, fc.option(filters, { nil: {} }), lastInstant, async (days, userId, filter, until) => {
        const { zone, skipped, length } = days;
        const from = dayAfter('2026-02-28', skipped);
        const to = dayAfter(from, length - 1);
        const asked = {
          zone,
          from,
          to,
          today: '2026-04-20',
          isCompared: true,
          withUsers: true,
          filter,
          ...(until !== undefined && { until }),
        };
        const usage = await fixture.queries.usage.of({ customerId, ...(userId && { userId }) }, asked);
        const own = calls.filter(
          (call) =>
            (userId === undefined || call.user === userId) &&
            passes(call, filter) &&
            (until === undefined || Date.parse(call.at) <= until),
        );
        const within = (first: string, last: string) =>
          own.filter(({ at }) => {
            const { day } = shown(zone, Date.parse(at));
            return day >= first && day <= last;
          });
        const expected = within(from, to);
        const failed = expected.filter(({ ok }) => !ok);

        expect([usage.totalApiCalls, usage.totalErrors]).toEqual([expected.length, failed.length]);
        expect(tallyOf(usage.daily, ({ day }) => day)).toEqual(tallyBy(expected, ({ at }) => shown(zone, Date.parse(at)).day));
        expect(tallyOf(usage.operations, ({ key }) => key)).toEqual(tallyBy(expected, ({ operation }) => operation));
        expect(tallyOf(usage.services, ({ key }) => key)).toEqual(tallyBy(expected, ({ service }) => service));
        expect(tallyOf(usage.reasons, ({ key }) => key)).toEqual(tallyBy(failed, ({ status }) => String(status ?? 'none')));
        const instances = usage.instanceUsage.map(({ apiCalls, ...instance }) => ({ ...instance, calls: apiCalls }));
        expect(tallyOf(instances, ({ service, instanceUrl }) => `${service} ${instanceUrl}`)).toEqual(
          tallyBy(expected, ({ service, instanceUrl }) => `${service} ${instanceUrl}`),
        );
        expect(tallyOf(usage.users ?? [], ({ key }) => key)).toEqual(tallyBy(expected, ({ user }) => user));
        expect(usage.countedFrom).toBeNull();
        const hours = tallyBy(expected, ({ at }) => String(shown(zone, Date.parse(at)).hour));
        expect(usage.week.calls).toEqual(Array.from({ length: 168 }, (_, hour) => hours[hour]?.[0] ?? 0));
        expect(usage.week.errors).toEqual(Array.from({ length: 168 }, (_, hour) => hours[hour]?.[1] ?? 0));
        const isFiltered = Object.keys(filter).length > 0;
        expect(usage.apiCallsLast30Days).toBe(isFiltered ? null : within('2026-03-22', '2026-04-20').length);
        const daysBefore = within(dayAfter(from, -length), dayAfter(from, -1));
        expect(usage.previous?.totalApiCalls).toBe(daysBefore.length);
        expect(usage.previous?.daily).toHaveLength(length);
        expect(usage.previous?.calls).toEqual(usage.previous?.daily.map(({ calls }) => calls));
        expect(tallyOf(usage.previous?.daily ?? [], ({ day }) => day)).toEqual(
          tallyBy(daysBefore, ({ at }) => shown(zone, Date.parse(at)).day),
        );
      }),
      { numRuns: IS_AT_LENGTH ? 40 : 10 },
    );
  });

  it('with a filter that leaves too many calls has all of them from a quarter of an hour on', async () => {
    const { customerId } = await newCustomer(fixture);
    const calls = someCalls(400);
    await recordAll(customerId, calls);
    const limits = { chunks: Number.POSITIVE_INFINITY, events: 1, calls: Number.POSITIVE_INFINITY, ms: Number.POSITIVE_INFINITY };
    const count = filteredUsage(
      fixture.db,
      { readCalls: (...asked) => readCallEvents(fixture.events, ...asked), callCounts: limitCallCounts(), now: () => new Date() },
      limits,
    );
    const interval = { start: FIRST, end: FIRST + 56 * 86_400_000 };
    const quarters: number[] = [];
    let found = 0;
    const counted = await count({ customerId }, { service: 'jira' }, interval, {
      quarter: (at, quarter) => {
        quarters.push(at);
        found += quarter.calls;
      },
      oldDay: () => undefined,
    });
    expect(counted.countedFrom).toBeGreaterThan(interval.start);
    expect(counted.countedFrom).toBeLessThan(interval.end);
    expect(counted.countedFrom % 900_000).toBe(0);
    const expected = calls.filter(({ at, service }) => service === 'jira' && Date.parse(at) >= counted.countedFrom);
    expect(found).toBe(expected.length);
    expect(quarters).toEqual(quarters.toSorted((one, other) => one - other));
  });

  it('of all customers of a service integrator adds up by day and by customer, for every range and zone', async () => {
    const integratorId = await newIntegrator(fixture);
    const customers = await Promise.all([1, 2, 3].map(() => newCustomer(fixture, { integratorId })));
    const ids = customers.map(({ customerId }) => customerId);
    const calls = someCalls(600).map((call, index) => ({ ...call, customerId: ids[index % 5] ?? ids[0] }));
    for (const id of ids) {
      await recordAll(
        id,
        calls.filter(({ customerId }) => customerId === id).map(({ customerId: _, ...call }) => call),
      );
    }
    const range = fc.record({ zone: fc.constantFrom(...ZONES), skipped: fc.nat(50), length: fc.integer({ min: 1, max: 40 }) });
    await fc.assert(
      fc.asyncProperty(range, async ({ zone, skipped, length }) => {
        const from = dayAfter('2026-02-28', skipped);
        const to = dayAfter(from, length - 1);
        const usage = await fixture.queries.usage.ofCustomers(integratorId, {
          zone,
          from,
          to,
          today: '2026-04-20',
          isCompared: true,
        });
        const within = (first: string, last: string) =>
          calls.filter(({ at }) => {
            const { day } = shown(zone, Date.parse(at));
            return day >= first && day <= last;
          });
        const expected = within(from, to);
        expect([usage.zone, usage.totalApiCalls, usage.totalErrors]).toEqual([
          zone,
          expected.length,
          expected.filter(({ ok }) => !ok).length,
        ]);
        expect(tallyOf(usage.daily, ({ day }) => day)).toEqual(tallyBy(expected, ({ at }) => shown(zone, Date.parse(at)).day));
        const byCustomer = tallyBy(expected, ({ customerId }) => String(customerId));
        expect(tallyOf(usage.customers, ({ key }) => key)).toEqual(byCustomer);
        expect(usage.activeCustomers).toBe(Object.keys(byCustomer).length);
        expect(usage.apiCallsLast30Days).toBe(within('2026-03-22', '2026-04-20').length);
        const daysBefore = within(dayAfter(from, -length), dayAfter(from, -1));
        expect(usage.previous?.totalApiCalls).toBe(daysBefore.length);
        expect(usage.previous?.activeCustomers).toBe(new Set(daysBefore.map(({ customerId }) => customerId)).size);
        expect(tallyOf(usage.previous?.daily ?? [], ({ day }) => day)).toEqual(
          tallyBy(daysBefore, ({ at }) => shown(zone, Date.parse(at)).day),
        );
      }),
      { numRuns: IS_AT_LENGTH ? 25 : 8 },
    );
  });

  it('counts users and operations beyond the first 200 together, and still adds up', async () => {
    const { customerId } = await newCustomer(fixture);
    const calls = Array.from({ length: 450 }, (_, index) =>
      recordedCall({ at: '2026-03-10T10:20:00.000Z', operation: `GET:/${index % 225}` }),
    );
    const event = apiCallsRecorded({ customerId, sourceId: 'many', firstSequence: 1, calls });
    await settled(fixture, 'usage', await appendEvents(fixture, streams.apiCalls(customerId, '2026-03-10'), [event]));
    for (const zone of ['UTC', 'Asia/Kolkata']) {
      const asked = { zone, from: '2026-03-10', to: '2026-03-10', today: '2026-03-10' };
      const { operations } = await fixture.queries.usage.of({ customerId }, asked);
      expect(operations).toHaveLength(101);
      expect(operations.at(-1)).toMatchObject({ key: null, calls: 250 });
    }
  });
});

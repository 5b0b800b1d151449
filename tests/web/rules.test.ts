import { describe, expect, it } from 'vitest';
import type { MetricsPoint } from '../../src/contracts/monitoring.ts';
import { DAY_MS, dayOf, MINUTE_MS } from '../../src/domain/time.ts';
import { areaOf, isLoginPath } from '../../web/src/areas.ts';
import { effectsOnSeats } from '../../web/src/features/impact/effects.ts';
import { chartPoints } from '../../web/src/features/monitoring/api/points.ts';
import { nearestSeries } from '../../web/src/features/monitoring/components/nearestSeries.ts';
import { hoursOfCell } from '../../web/src/features/usage/components/weekHours.ts';
import { format } from '../../web/src/lib/format.ts';
import { wholeNumber } from '../../web/src/lib/numbers.ts';
import { labelledDays } from '../../web/src/ui/charts/labelledDays.ts';
import { hasLonePoint } from '../../web/src/ui/charts/lone.tsx';
import { isMidnight, timeTicks } from '../../web/src/ui/charts/timeTicks.ts';
import { seatUsage } from '../../web/src/ui/seats.ts';
import { sortedRows } from '../../web/src/ui/sortedRows.ts';

describe('the rows of a complete list', () => {
  type Row = { name: string; n: number | null };
  const columns = [
    { header: 'Name', sort: 'name', by: ({ name }: Row) => name, cell: () => null },
    { header: 'Number', sort: 'n', by: ({ n }: Row) => n, cell: () => null },
    { header: 'Actions', cell: () => null },
  ];
  const rows: Row[] = [
    { name: 'Part 10', n: 2 },
    { name: 'part 9', n: null },
    { name: 'Zoë', n: 10 },
    { name: 'Anna', n: 2 },
  ];
  it.each([
    ['name', ['Anna', 'part 9', 'Part 10', 'Zoë']],
    ['-name', ['Zoë', 'Part 10', 'part 9', 'Anna']],
    ['n', ['part 9', 'Part 10', 'Anna', 'Zoë']],
    ['-n', ['Zoë', 'Part 10', 'Anna', 'part 9']],
    ['', ['Part 10', 'part 9', 'Zoë', 'Anna']],
    ['unknown', ['Part 10', 'part 9', 'Zoë', 'Anna']],
  ])('are sorted by %j', (sort, names) => {
    expect(sortedRows(rows, columns, sort).map(({ name }) => name)).toEqual(names);
  });

  it('have no order among those without a limit', () => {
    const unlimited = [4, Number.POSITIVE_INFINITY, 1, Number.POSITIVE_INFINITY].map((n, nr) => ({ name: String(nr), n }));
    expect(sortedRows(unlimited, columns, '-n').map(({ name }) => name)).toEqual(['1', '3', '0', '2']);
  });
});

describe('seat usage', () => {
  it.each([
    [0, 10, 0, 'success'],
    [69, 100, 69, 'success'],
    [70, 100, 70, 'warning'],
    [89, 100, 89, 'warning'],
    [90, 100, 90, 'danger'],
    [12, 10, 120, 'danger'],
    [1, 0, 100, 'danger'],
    [0, 0, 0, 'success'],
  ] as const)('of %i active and %i allocated is %i percent, %s', (active, allocated, percent, tone) => {
    expect(seatUsage(active, allocated)).toEqual({ percent, tone });
  });

  it('has no percentage if seats are unlimited', () => {
    expect(seatUsage(300, -1)).toEqual({ percent: null, tone: 'success' });
  });
});

describe('a change of seats', () => {
  const change = { kind: 'developer', limit: 5, isFloating: false, isEnforced: true, users: 5 } as const;

  it('is harmless if nobody is above the limit', () => {
    const effects = [change, { ...change, limit: -1 }, { ...change, isFloating: true }, { ...change, users: 4 }].flatMap(
      (changed) => effectsOnSeats({ overLimit: [], changedSeats: [changed] }),
    );
    expect(effects.map(({ isHarmless }) => isHarmless)).toEqual([true, true, true, true]);
  });

  it('warns if a user is', () => {
    const overLimit = [{ kind: 'developer' as const, limit: 1, holders: { count: 2, names: ['Ada', 'Bob'] } }];
    const effects = effectsOnSeats({ overLimit, changedSeats: [{ ...change, limit: 1, users: 2 }] });
    expect(effects.map(({ text }) => text)).toEqual([
      '1 user exceeds the limit of 1 developer seat.',
      'They keep their seats. New users are rejected until enough seats are free.',
    ]);
    expect(effects.some(({ isHarmless }) => isHarmless)).toBe(false);
  });
});

describe('uptime', () => {
  it.each([
    [59, '0 minutes'],
    [60, '1 minute'],
    [3600, '60 minutes'],
    [3601, '1.0 hours'],
    [90_211, '25.1 hours'],
  ])('of %i seconds is formatted as %s', (seconds, text) => {
    expect(format.uptime(seconds)).toBe(text);
  });
});

it('a number has a plus sign where counting ended', () => {
  expect([format.counted(10_000, 10_000), format.counted(8_012, 10_000)]).toEqual(['10,000+', '8,012+']);
  expect(format.counted(10_000)).toBe('10,000');
});

describe('a time', () => {
  const now = Date.parse('2026-01-31T12:00:00Z');
  it.each([
    ['2026-01-31T11:59:57Z', 'just now'],
    ['2026-01-31T11:59:18Z', '42s ago'],
    ['2026-01-31T11:17:00Z', '43m ago'],
    ['2026-01-31T02:00:00Z', '10h ago'],
    ['2026-01-01T12:00:00Z', '30d ago'],
    ['2026-01-31T12:00:05Z', 'just now'],
  ])('%s is %s', (instant, text) => {
    expect(format.ago(instant, now)).toBe(text);
  });

  it('that does not exist is shown as Never or N/A', () => {
    expect(format.ago(null, now)).toBe('Never');
    expect(format.date(null)).toBe('N/A');
  });
});

describe('a typed number of seats', () => {
  it.each([
    ['12', 12],
    ['-1', -1],
    ['', 0],
    ['many', 0],
  ])('%j is sent as %i', (typed, sent) => {
    expect(wholeNumber(typed)).toBe(sent);
  });
});

describe('the area of a path', () => {
  it.each([
    ['/admin', 'admin'],
    ['/admin/customers/1', 'admin'],
    ['/administrator', undefined],
    ['/portal/usage', 'portal'],
    ['/service-integrator/login', 'integrator'],
    ['/', undefined],
  ])('%s is %s', (path, area) => {
    expect(areaOf(path)).toBe(area);
  });

  it('is recognized for a sign-in', () => {
    expect([isLoginPath('/portal/login'), isLoginPath('/portal/login/'), isLoginPath('/portal')]).toEqual([true, true, false]);
  });
});

describe('the days on the axis of a chart', () => {
  const daysOf = (count: number) => Array.from({ length: count }, (_day, at) => ({ day: dayOf(Date.UTC(2026, 0, 1 + at)) }));

  it.each([
    [7, ['01', '02', '03', '04', '05', '06', '07']],
    [30, ['05', '10', '15', '20', '25', '30']],
    [0, []],
  ])('have labels at equal distances up to the newest of %i', (count, labels) => {
    expect(labelledDays(daysOf(count)).map((day) => day.slice(8))).toEqual(labels);
  });
});

describe('the points of a chart', () => {
  const point = (at: string, over: Partial<MetricsPoint>): MetricsPoint => ({
    at,
    callsPerSecond: 0,
    failedPerSecond: 0,
    p50: null,
    p95: null,
    p99: null,
    connectedUsers: 0,
    projectionLagMs: 0,
    mainLagMs: 0,
    usageLagMs: 0,
    ...over,
  });

  const noServer = {
    callsPerSecond: null,
    failedPerSecond: null,
    connectedUsers: null,
    projectionLagMs: null,
    mainLagMs: null,
    usageLagMs: null,
  };

  it('are the mean rates, the maximum lag and the latest percentiles of an interval', () => {
    const points = chartPoints(
      [
        point('2026-01-31T12:00:00Z', { callsPerSecond: 30, p99: 180, connectedUsers: 5, projectionLagMs: 12 }),
        point('2026-01-31T12:00:01Z', { callsPerSecond: 10, failedPerSecond: 2, p99: 90, connectedUsers: 3 }),
        point('2026-01-31T12:00:04Z', noServer),
        point('2026-01-31T12:00:05Z', {}),
      ],
      5000,
    );
    expect(points).toHaveLength(2);
    expect(points[0]).toMatchObject({
      at: Date.parse('2026-01-31T12:00:00Z'),
      successful: 19,
      failed: 1,
      p50: null,
      p99: 90,
      connectedUsers: 3,
      projectionLagMs: 12,
    });
  });

  it('are gaps for time without a server', () => {
    expect(chartPoints([point('2026-01-31T12:00:01Z', noServer)], 5000)).toEqual([
      {
        at: Date.parse('2026-01-31T12:00:00Z'),
        successful: null,
        failed: null,
        p50: null,
        p95: null,
        p99: null,
        connectedUsers: null,
        projectionLagMs: null,
        mainLagMs: null,
        usageLagMs: null,
      },
    ]);
  });
});

describe('the labels of a time axis', () => {
  const local = (time: string): number => new Date(`2026-03-27T${time}`).getTime();

  it.each([
    [local('10:03:20'), 40_000, ['10:03:20', '10:03:30', '10:03:40', '10:03:50']],
    [local('10:03:20'), 60 * MINUTE_MS, ['10:15:00', '10:30:00', '10:45:00', '11:00:00']],
    [local('22:30:00'), 6 * 60 * MINUTE_MS, ['00:00:00', '02:00:00', '04:00:00']],
    [local('10:03:00'), 7 * DAY_MS, ['00:00:00', '00:00:00', '00:00:00']],
  ])('are at round times from %i for %i ms', (from, length, expected) => {
    const ticks = timeTicks(from, from + length);
    expect(ticks.map((at) => new Date(at).toTimeString().slice(0, 8))).toEqual(expected);
    expect(ticks.every((at) => at >= from && at <= from + length)).toBe(true);
  });

  it('are at midnight of each day, also after the clock changes', () => {
    const ticks = timeTicks(local('12:00:00'), local('12:00:00') + 62 * DAY_MS);
    expect(ticks.length).toBeGreaterThan(2);
    expect(ticks.length).toBeLessThanOrEqual(5);
    expect(ticks.every(isMidnight)).toBe(true);
  });
});

describe('the line of a chart that is pointed at', () => {
  const axes = { from: 0, to: 10, highest: 100, plot: { top: 8, right: 24, bottom: 28, left: 48 } } as const;
  const points = [
    { at: 0, low: 10, high: 80 },
    { at: 5, low: 10, high: null },
    { at: 10, low: 90, high: 80 },
  ];
  /** The plot has 1 px for a value of 1, and 10 px for 1 ms. */
  const at = (ms: number, value: number) =>
    nearestSeries(points, ['low', 'high'], axes, { x: 48 + 10 * ms, y: 8 + 100 - value, width: 172, height: 136 });

  it('is the nearest one within reach, also between its points', () => {
    expect([at(0, 14), at(0, 74), at(0, 45)]).toEqual(['low', 'high', null]);
    expect([at(2.5, 12), at(7.5, 50), at(9, 74)]).toEqual(['low', 'low', 'low']);
  });

  it('is not drawn through gaps, and is the first one of several', () => {
    expect([at(5, 80), at(2.5, 80), at(10, 80)]).toEqual([null, null, 'high']);
    expect(nearestSeries(points, ['high', 'low', 'low'], axes, { x: 48, y: 98, width: 172, height: 136 })).toBe('low');
  });

  it('is none without points or size', () => {
    expect(nearestSeries([], ['low'], axes, { x: 60, y: 60, width: 172, height: 136 })).toBeNull();
    expect(nearestSeries(points, ['low'], axes, { x: 0, y: 0, width: 0, height: 0 })).toBeNull();
  });
});

describe('a series of a chart', () => {
  it.each([
    [[null, 1, null], true],
    [[1, null, 2, 3], true],
    [[1], true],
    [[0, 1, null, 2, 3], false],
    [[null, null], false],
    [[], false],
  ])('%j has an isolated value between gaps: %s', (values, expected) => {
    expect(
      hasLonePoint(
        values.map((p50, at) => ({ at, p50 })),
        'p50',
      ),
    ).toBe(expected);
  });
});

describe('the hours that a cell of the week adds up', () => {
  const SUNDAY_TWO = 6 * 24 + 2;
  const day = (name: string, from: string, to: string, calls = 1) => ({
    day: name,
    from: `${from}:00.000Z`,
    to: `${to}:00.000Z`,
    calls,
    errors: 0,
    avgResponseTime: 1,
    p95: 1,
  });

  it('are those of days with calls, newest first, also where clocks show an hour twice or skip it', () => {
    const daily = [
      day('2026-03-29', '2026-03-28T23:00', '2026-03-29T22:00'), // 02:00 is skipped
      day('2026-10-11', '2026-10-10T22:00', '2026-10-11T22:00', 0),
      day('2026-10-18', '2026-10-17T22:00', '2026-10-18T22:00'),
      day('2026-10-24', '2026-10-23T22:00', '2026-10-24T22:00'), // a Saturday
      day('2026-10-25', '2026-10-24T22:00', '2026-10-25T23:00'), // 02:00 is shown twice
    ];
    expect(hoursOfCell({ daily, zone: 'Europe/Berlin' }, SUNDAY_TWO)).toEqual([
      { day: '2026-10-25', from: '2026-10-25T00:00:00.000Z', to: '2026-10-25T02:00:00.000Z' },
      { day: '2026-10-18', from: '2026-10-18T00:00:00.000Z', to: '2026-10-18T01:00:00.000Z' },
    ]);
  });

  it('begin at the quarter of an hour of the zone', () => {
    const daily = [day('2026-10-18', '2026-10-17T18:15', '2026-10-18T18:15')];
    expect(hoursOfCell({ daily, zone: 'Asia/Kathmandu' }, SUNDAY_TWO)).toEqual([
      { day: '2026-10-18', from: '2026-10-17T20:15:00.000Z', to: '2026-10-17T21:15:00.000Z' },
    ]);
  });
});

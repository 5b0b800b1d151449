import { z } from 'zod';
import { CHART_DAYS, CHART_RANGES, type ChartRange } from './chartSpans.ts';
import { instant } from './fields.ts';
import { ok } from './replies.ts';

/**
 * A point of a chart: the calls that arrived from `at` until the next point. `seconds` is the time of it in which a server ran, until
 * now for the newest point: rates are counts divided by it. If no server ran it is 0 and all values are null. Latencies in ms are those
 * of all calls of the point; null if it has none. `projectionLagMs` is the maximum, `connectedUsers` the number at the end.
 */
const chartPoint = z.object({
  at: instant,
  seconds: z.number(),
  calls: z.int().nullable(),
  failed: z.int().nullable(),
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
  connectedUsers: z.int().nullable(),
  projectionLagMs: z.number().nullable(),
});
/** A point of a chart. */
export type ChartPoint = z.infer<typeof chartPoint>;

/** `from` and `to` are the period that was asked for, extended to whole steps. */
const chart = z.object({ from: instant, to: instant, stepSeconds: z.int(), points: z.array(chartPoint) });
/** The points of a period, oldest first. */
export type Chart = z.infer<typeof chart>;

const DAY_MS = 86_400_000;
const ranges = Object.keys(CHART_RANGES) as [ChartRange, ...ChartRange[]]; // the keys of a constant

/**
 * The query of `GET /monitoring/charts`: `range` until now (an hour if nothing is given), or the period from `from` to `to`. `compare`
 * adds the period of the same length before it.
 */
export const chartsQuery = z
  .strictObject({
    range: z.enum(ranges).optional(),
    from: instant.optional(),
    to: instant.optional(),
    compare: z.enum(['previous']).optional(),
  })
  .refine(({ range, from, to }) => (from === undefined) === (to === undefined) && (range === undefined || from === undefined), {
    path: ['from'],
    message: 'Give either range, or from and to',
  })
  .refine(({ from = '', to = '' }) => from === '' || Date.parse(from) < Date.parse(to), {
    path: ['to'],
    message: 'Must be later than from',
  })
  .refine(({ from = '', to = '' }) => from === '' || Date.parse(to) - Date.parse(from) <= CHART_DAYS * DAY_MS, {
    path: ['to'],
    message: `Must be at most ${CHART_DAYS} days after from`,
  });
/** The checked query of the charts. */
export type ChartsQuery = z.infer<typeof chartsQuery>;

/** Steps are as short as the stored counts and about 180 points permit: from 5 seconds for 15 minutes to 4 hours for 30 days. */
export const chartsReply = ok({ chart, previous: chart.nullable() });
export type ChartsReply = z.infer<typeof chartsReply>;

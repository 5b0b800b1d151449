import { z } from 'zod';
import { OUTCOMES } from '../domain/apiCalls/outcome.ts';
import { MAX_OPERATION, MAX_URL } from '../domain/limits.ts';
import { DAY_MS } from '../domain/time.ts';
import { CHART_DAYS, CHART_RANGES, type ChartRange } from './chartSpans.ts';
import { customerId, instant, integratorId, service, text } from './fields.ts';
import { groupLags } from './monitoring.ts';
import { ok } from './replies.ts';

/**
 * A point of a chart: the calls that arrived from `at` until the next point. `seconds` is the time of it in which a server ran, until
 * now for the newest point: rates are counts divided by it. If no server ran it is 0 and all values are null. Latencies in ms are those
 * of all calls of the point; null if it has none. `projectionLagMs` is the maximum, also of each projection group, `connectedUsers` the
 * number at the end.
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
  ...groupLags,
});
/** A point of a chart. */
export type ChartPoint = z.infer<typeof chartPoint>;

/** `from` and `to` are the period that was asked for, extended to whole steps. */
const chart = z.object({ from: instant, to: instant, stepSeconds: z.int(), points: z.array(chartPoint) });
/** The points of a period, oldest first. */
export type Chart = z.infer<typeof chart>;

/** A range up to now. */
export const chartRange = z.enum(Object.keys(CHART_RANGES) as [ChartRange, ...ChartRange[]]); // the keys of a constant

/** What the calls of a chart are divided by. An outcome is the class of the HTTP status; without a status `success` or `error`. */
const DIMENSIONS = ['integrator', 'customer', 'service', 'operation', 'outcome', 'instance'] as const;
/** One of the dimensions by which the calls of a chart are divided. */
export type ChartDimension = (typeof DIMENSIONS)[number];

/** The calls that a chart counts: those to which all given values apply. */
const filter = {
  integrator: integratorId.optional(),
  customer: customerId.optional(),
  service: service.optional(),
  operation: text(MAX_OPERATION).optional(),
  outcome: z.enum(OUTCOMES).optional(),
  /** The address of an instance of the customer. */
  instance: text(MAX_URL).optional(),
};

/**
 * A part of the calls: `key` is the value that it was divided by, or null for all others. With `instance` it also has the customer.
 * The lists have a value for each point of the chart; `p95` is in ms, and null without calls.
 */
const chartSeries = z.object({
  key: z.string().nullable(),
  customerId: z.string().nullable(),
  calls: z.array(z.int()),
  failed: z.array(z.int()),
  p95: z.array(z.number().nullable()),
});
/** A part of the calls of a chart. */
export type ChartSeries = z.infer<typeof chartSeries>;

/** Connected users of a customer or service integrator at the end of each point of the chart; `key` is null for all others. */
const connectedSeries = z.object({ key: z.string().nullable(), users: z.array(z.int()) });
/** A part of the connected users of a chart. */
export type ConnectedSeries = z.infer<typeof connectedSeries>;

/**
 * The query of `GET /monitoring/charts`: `range` until now (an hour if nothing is given), or the period from `from` to `to`. `compare`
 * adds the period of the same length before it. `by` divides the calls into the ten largest parts and all others, which add up to the
 * chart.
 *
 * All filters combine, and with each `by`. `instance` needs `customer`. Breakdowns are counted by minute in the last day and for at
 * most six hours, else by hour. If the ten largest parts cannot be found in all customers or integrators with a limited effort,
 * `partsAmong` of the reply says among how many of those with the most calls they are the largest. The operations and instances of a
 * customer beyond about 200 combinations in a minute or hour are counted together.
 *
 * Connected users are those of `customer` and `integrator`; other filters do not apply to them. `by=customer` and `by=integrator` divide
 * them too, into the ten parts with the most users in the period and all others.
 */
export const chartsQuery = z
  .strictObject({
    range: chartRange.optional(),
    from: instant.optional(),
    to: instant.optional(),
    compare: z.enum(['previous']).optional(),
    by: z.enum(DIMENSIONS).optional(),
    ...filter,
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
  })
  .refine(({ instance, customer }) => instance === undefined || customer !== undefined, {
    path: ['customer'],
    message: 'Give the customer of the instance',
  });
/** The checked query of the charts. */
export type ChartsQuery = z.infer<typeof chartsQuery>;
/** The filter of a chart's calls. */
export type ChartFilter = Pick<ChartsQuery, keyof typeof filter>;

/**
 * A chart of some calls; `series` is null where they are not divided. `names` are those of the customers and integrators, by id.
 * `partsAmong` is missing if no part among the others has more calls than a shown one. Else it is the number of customers or
 * integrators, those with the most calls, whose parts were compared.
 */
const brokenDown = z.object({
  chart,
  series: z.array(chartSeries).nullable(),
  names: z.record(z.string(), z.string()),
  partsAmong: z.int().optional(),
});
/** A chart of some calls, divided. */
export type BrokenDown = z.infer<typeof brokenDown>;

/** `connected` divides the connected users; null where `by` does not. Steps are as short as the stored counts and about 180 points permit: from 5 seconds for 15 minutes to 4 hours for 30 days. */
export const chartsReply = ok({
  ...brokenDown.shape,
  connected: z.array(connectedSeries).nullable(),
  previous: chart.nullable(),
});
export type ChartsReply = z.infer<typeof chartsReply>;

import { z } from 'zod';
import {
  DEFAULT_USAGE_RANGE,
  FIRST_USAGE_DAY,
  MAX_OPERATION,
  MAX_URL,
  MAX_USAGE_DAYS,
  MAX_ZONE,
  USAGE_RANGES,
} from '../domain/limits.ts';
import { DAY_MS } from '../domain/time.ts';
import { callQuotaUse } from './callQuotas.ts';
import { day, instant, service, text, userId } from './fields.ts';
import { ok } from './replies.ts';
import { isTimeZone } from './timeZones.ts';

/** A range of usage, in days. */
export type UsageRange = (typeof USAGE_RANGES)[number];

const days = z
  .enum(['7', '30', '90'], 'Must be 7, 30 or 90')
  .transform((text): UsageRange => USAGE_RANGES.find((days) => String(days) === text) ?? DEFAULT_USAGE_RANGE);

/** The query of a theme's usage: 7, 30 or 90 days up to today, UTC. */
export const themeUsageQuery = z.strictObject({ days: days.default(DEFAULT_USAGE_RANGE) });

export const usageDay = day.refine(
  (value) => value >= FIRST_USAGE_DAY && value < '9999',
  `Must be a day from ${FIRST_USAGE_DAY} to 9998-12-31`,
);

const isUsageInstant = (value: string): boolean => value >= FIRST_USAGE_DAY && value < '9998-12-31';

/** An IANA time zone, UTC by default. */
export const zone = text(MAX_ZONE).refine(isTimeZone, 'Must be a time zone like Europe/Berlin or UTC').default('UTC');

const range = {
  days: days.optional(),
  from: usageDay.optional(),
  to: usageDay.optional(),
  zone,
  compare: z.literal('previous', 'Must be previous').optional(),
};
type Range = Readonly<{ days?: number | undefined; from?: string | undefined; to?: string | undefined }>;

/** Checks that a query has either `days`, or both of `from` and `to` in their order and not too far apart. */
export const checkRange = ({ days, from, to }: Range, context: z.RefinementCtx): void => {
  const fail = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
  if (from === undefined && to === undefined) return;
  if (from === undefined || to === undefined) fail(from === undefined ? 'from' : 'to', 'Give both from and to, or days');
  else if (days !== undefined) fail('days', 'Give either days, or from and to');
  else if (from > to) fail('to', 'Must not be before from');
  else if (Date.parse(to) - Date.parse(from) >= MAX_USAGE_DAYS * DAY_MS) {
    fail('to', `Must be less than ${MAX_USAGE_DAYS} days after from`);
  }
};

/** Limits the calls to those to which all values apply. `reason` is the HTTP status of failed calls, `none` without one. */
const filter = {
  service: service.optional(),
  operation: text(MAX_OPERATION).optional(),
  instanceUrl: text(MAX_URL).optional(),
  reason: z
    .union([z.literal('none'), z.coerce.number().int().min(100).max(599)], 'Must be a status from 100 to 599, or none')
    .optional(),
};

/**
 * The query of usage: 7, 30 or 90 days up to today, or the days `from` to `to`, both included. Days are those of the time zone;
 * `compare` adds the same number of days before.
 */
export const usageQuery = z
  .strictObject({
    ...range,
    ...filter,
    userId: userId.optional(),
    /** Ends the range at this moment, so that later calls do not count. `days` are those up to it. */
    until: instant.refine(isUsageInstant, `Must be a time from ${FIRST_USAGE_DAY} to 9998`).optional(),
  })
  .superRefine(checkRange);
export type UsageQuery = z.infer<typeof usageQuery>;
/** What the calls of a customer are limited to, beside a user. */
export type UsageFilter = Pick<UsageQuery, keyof typeof filter>;

/** The query of the usage of one user. */
export const ownUsageQuery = z.strictObject({ ...range, ...filter }).superRefine(checkRange);

/** The query of the usage of all customers of a service integrator. */
export const customersUsageQuery = z.strictObject(range).superRefine(checkRange);
export type CustomersUsageQuery = z.infer<typeof customersUsageQuery>;

/** One third-party base address seen in API calls, over the range asked for. Times in ms. */
const instanceUsage = z.object({
  instanceUrl: z.string(),
  service,
  apiCalls: z.int(),
  errors: z.int(),
  avgResponseTime: z.number(),
  lastActive: instant.nullable(),
});
/** The calls of a customer to one instance. */
export type InstanceUsage = z.infer<typeof instanceUsage>;

/** From an instant until before another: 23 to 25 hours where clocks change. */
const dailyUsage = z.object({
  day,
  from: instant,
  to: instant,
  calls: z.int(),
  errors: z.int(),
  avgResponseTime: z.number(),
  p95: z.number(),
});
/** The calls of a customer on one day of the time zone. */
export type DailyUsage = z.infer<typeof dailyUsage>;

/**
 * A part of the calls. `key` is what they were divided by: the id of a user, an operation, a service, or the HTTP status of failed calls
 * (`none` without one). Null stands for all others.
 */
const usagePart = z.object({
  key: z.string().nullable(),
  calls: z.int(),
  errors: z.int(),
  avgResponseTime: z.number(),
  lastActive: instant.nullable(),
});
/** A part of the calls of a range. */
export type UsagePart = z.infer<typeof usagePart>;

/** A user's calls; `username` is null for all others, and for a user who no longer exists. */
const userPart = usagePart.extend({ username: z.string().nullable() });
export type UserPart = z.infer<typeof userPart>;

/** The figures of the calls of a range. `errorRate` is a fraction, times are ms. */
const figures = {
  totalApiCalls: z.int(),
  activeInstances: z.int(),
  avgResponseTime: z.number(),
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
  peakUsageDay: day.nullable(),
  peakUsageCalls: z.int(),
  errorRate: z.number(),
  totalErrors: z.int(),
};

/** By hour of the week in the time zone: 168 numbers, the first of Monday from 00:00. */
const week = z.object({ calls: z.array(z.int()), errors: z.array(z.int()) });

/**
 * Of the days `from` to `to` of the time zone, but for `apiCallsLast30Days`, which is null with a filter other than by user. Each breakdown
 * adds up to the calls of the range.
 */
const usage = z.object({
  from: day,
  to: day,
  zone: z.string(),
  /** With a filter that leaves too many calls: calls before are not counted. Null where all calls of the range are. */
  countedFrom: instant.nullable(),
  /**
   * With `until`: the last instant of which calls are counted. It is that of the query, or where the quarter of an hour in which that is
   * has too many calls, the last one before this quarter.
   */
  until: instant.optional(),
  ...figures,
  apiCallsLast30Days: z.int().nullable(),
  instanceUsage: z.array(instanceUsage),
  /** A row for every day of the range, oldest first, also where nothing was called. */
  daily: z.array(dailyUsage),
  week,
  /** Null where the session may not read the calls of users. */
  users: z.array(userPart).nullable(),
  operations: z.array(usagePart),
  services: z.array(usagePart),
  /** Failed calls only. */
  reasons: z.array(usagePart),
  /** Calls of the range to services that the license did not include when they were made, of all users. Absent without one. */
  notIncluded: z.array(z.object({ service, calls: z.int() })).optional(),
  /** The same number of days before, with `compare=previous`; `daily` has a row for each of them, and `calls` only its calls. */
  previous: z.object({ from: day, to: day, ...figures, calls: z.array(z.int()), daily: z.array(dailyUsage) }).nullable(),
});
/** The calls of a customer in a range. */
export type Usage = z.infer<typeof usage>;
/** The figures of usage that a range is compared by; see `Usage`. */
export type UsageFigures = Pick<Usage, keyof typeof figures>;

/** The reply of `GET …/usage`. */
export const usageReply = ok({
  usage,
  /** The monthly quota of the customer; absent without one. */
  callQuota: callQuotaUse.optional(),
});
export type UsageReply = z.infer<typeof usageReply>;
const dailyUsageOfCustomers = dailyUsage.omit({ p95: true });

const arrivedPart = usagePart.pick({ key: true, calls: true, errors: true });
/** A part of the calls that arrived in a range. */
export type ArrivedPart = z.infer<typeof arrivedPart>;

/** The calls that arrived in a range. Times are ms. */
const arrivedFigures = {
  totalApiCalls: z.int(),
  totalErrors: z.int(),
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
  daily: z.array(z.object({ day, from: instant, to: instant, calls: z.int(), errors: z.int(), p50: z.number(), p95: z.number() })),
};

/**
 * The calls of all customers by the hour of their arrival, also those that were voided later. Hours are kept for 62 days: `from` is the
 * start of the first day of the range that has all of its hours, or the end of the range. The zone is UTC where days of the other one do
 * not begin with an hour of UTC. `outcomes` are those of failed calls, and add up to them.
 */
const arrivedUsage = z.object({
  zone: z.string(),
  from: instant,
  ...arrivedFigures,
  week,
  outcomes: z.array(arrivedPart),
  /** Null without `compare=previous`, and where hours of the days before are no longer kept. */
  previous: z.object({ from: day, to: day, ...arrivedFigures }).nullable(),
});
/** The calls of all customers of a service integrator that arrived in a range. */
export type ArrivedUsage = z.infer<typeof arrivedUsage>;

/**
 * The calls of all customers of a service integrator on the days `from` to `to`. The zone is UTC where the integrator has too many customers
 * to add up the days of another zone.
 */
const customersUsage = z.object({
  from: day,
  to: day,
  zone: z.string(),
  totalApiCalls: z.int(),
  totalErrors: z.int(),
  errorRate: z.number(),
  avgResponseTime: z.number(),
  peakUsageDay: day.nullable(),
  peakUsageCalls: z.int(),
  activeCustomers: z.int(),
  /** Null where there are too many customers to divide UTC days of other days than those of the range. */
  apiCallsLast30Days: z.int().nullable().optional(),
  /** Instances of each customer. Null where the range ends before today, and for too many customers. */
  activeInstances: z.int().nullable().optional(),
  daily: z.array(dailyUsageOfCustomers),
  /** The customers with most calls, and all others. */
  customers: z.array(usagePart.omit({ lastActive: true }).extend({ name: z.string().nullable() })),
  previous: z
    .object({
      from: day,
      to: day,
      totalApiCalls: z.int(),
      totalErrors: z.int(),
      avgResponseTime: z.number(),
      /** Null for too many customers. */
      activeCustomers: z.int().nullable().optional(),
      /** The calls of each day. */
      calls: z.array(z.int()),
      daily: z.array(dailyUsageOfCustomers),
    })
    .nullable(),
  arrived: arrivedUsage.optional(),
});
/** The calls of all customers of a service integrator in a range. */
export type CustomersUsage = z.infer<typeof customersUsage>;
/** The reply of `GET /api/service-integrator/usage`. */
export const customersUsageReply = ok({ usage: customersUsage });
export type CustomersUsageReply = z.infer<typeof customersUsageReply>;

/** The calls from `from` until before `to`, as in `arrived`. Each breakdown adds up to them. */
const arrivedParts = z.object({
  zone: z.string(),
  from: instant,
  to: instant,
  totalApiCalls: z.int(),
  totalErrors: z.int(),
  services: z.array(arrivedPart),
  operations: z.array(arrivedPart),
});
/** The calls of all customers of a service integrator by service and operation. */
export type ArrivedParts = z.infer<typeof arrivedParts>;
/** The reply of `GET /api/service-integrator/usage/parts`. */
export const arrivedPartsReply = ok({ parts: arrivedParts });
export type ArrivedPartsReply = z.infer<typeof arrivedPartsReply>;

/** The instances that a customer called, of all time. */
export const instancesReply = ok({ instances: z.array(instanceUsage) });
export type InstancesReply = z.infer<typeof instancesReply>;

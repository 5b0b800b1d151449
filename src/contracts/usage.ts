import { z } from 'zod';
import { DEFAULT_USAGE_RANGE, USAGE_RANGES } from '../domain/limits.ts';
import { day, instant, service } from './fields.ts';
import { ok } from './replies.ts';

/** A range of usage, in days. */
export type UsageRange = (typeof USAGE_RANGES)[number];

/** The query of usage: 7, 30 or 90 days up to today, UTC. */
export const usageQuery = z.strictObject({
  days: z
    .enum(['7', '30', '90'], 'Must be 7, 30 or 90')
    .transform((text): UsageRange => USAGE_RANGES.find((days) => String(days) === text) ?? DEFAULT_USAGE_RANGE)
    .default(DEFAULT_USAGE_RANGE),
});

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

const dailyUsage = z.object({ day, calls: z.int(), errors: z.int(), avgResponseTime: z.number(), p95: z.number() });
/** The calls of a customer on one UTC day. */
export type DailyUsage = z.infer<typeof dailyUsage>;

/** Of the range asked for, but for `apiCallsLast30Days`. `errorRate` is a fraction, times are ms. */
const usage = z.object({
  totalApiCalls: z.int(),
  apiCallsLast30Days: z.int(),
  activeInstances: z.int(),
  avgResponseTime: z.number(),
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
  peakUsageDay: day.nullable(),
  peakUsageCalls: z.int(),
  errorRate: z.number(),
  totalErrors: z.int(),
  instanceUsage: z.array(instanceUsage),
  /** A row for every day of the range, oldest first, also where nothing was called. */
  daily: z.array(dailyUsage),
});
/** The calls of a customer in a range. */
export type Usage = z.infer<typeof usage>;

/** The reply of `GET …/usage`. */
export const usageReply = ok({ usage });
export type UsageReply = z.infer<typeof usageReply>;
/** The instances that a customer called, of all time. */
export const instancesReply = ok({ instances: z.array(instanceUsage) });
export type InstancesReply = z.infer<typeof instancesReply>;

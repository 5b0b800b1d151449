import { z } from 'zod';
import { instant } from './fields.ts';
import { ok } from './replies.ts';

const checkStatus = z.enum(['healthy', 'warning', 'critical']);
const healthCheck = z.object({
  status: checkStatus,
  message: z.string(),
  details: z.string().nullable(),
  /** Milliseconds. */
  responseTime: z.number(),
});
/** The result of one health check. */
export type HealthCheck = z.infer<typeof healthCheck>;

/** Answered as it is, without a wrapper. `uptime` in seconds. */
export const health = z.object({
  status: z.enum(['healthy', 'degraded', 'critical']),
  uptime: z.number(),
  version: z.string(),
  summary: z.object({ healthy: z.int(), warnings: z.int(), critical: z.int() }),
  checks: z.record(z.string(), healthCheck),
});
/** The form of `health`. `degraded`: at least one warning; `critical`: at least one critical check. */
export type Health = z.infer<typeof health>;

/** Answered as it is, without a wrapper. `avgDuration` in ms; calls are of all time. */
export const metrics = z.object({
  apiCalls: z.object({ total: z.int(), successful: z.int(), failed: z.int(), avgDuration: z.number() }),
  customers: z.object({ total: z.int(), active: z.int(), suspended: z.int() }),
});
export type Metrics = z.infer<typeof metrics>;

/** The lag of each projection group: `main` has what commands change, `usage` the API calls. */
export const groupLags = { mainLagMs: z.number().nullable(), usageLagMs: z.number().nullable() };

/**
 * A point of the live charts: a second or a minute; all values are null where no server ran. Latencies in ms are those of all
 * calls from the start of the point's chart span (`chartSpanSeconds`) to its own end; null where it has no calls itself.
 */
const metricsPoint = z.object({
  at: instant,
  callsPerSecond: z.number().nullable(),
  failedPerSecond: z.number().nullable(),
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
  connectedUsers: z.int().nullable(),
  projectionLagMs: z.number().nullable(),
  ...groupLags,
});
/** A point of the live charts, as the timeline and the live feed send it. */
export type MetricsPoint = z.infer<typeof metricsPoint>;

/** The query of `GET /monitoring/timeline`: points by second for 15 minutes, or by minute for a day. */
export const timelineQuery = z.strictObject({ window: z.enum(['15m', '24h']).default('15m') });
/** Oldest first, one point each `resolutionSeconds`, also where no server ran. */
export const timelineReply = ok({ window: z.enum(['15m', '24h']), resolutionSeconds: z.int(), points: z.array(metricsPoint) });
export type TimelineReply = z.infer<typeof timelineReply>;

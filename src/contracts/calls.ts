import { z } from 'zod';
import { STATUS_CLASSES } from '../domain/apiCalls/outcome.ts';
import { MAX_CALL_DURATION_MS, MAX_OPERATION, MAX_SOURCE_ID, MAX_URL } from '../domain/limits.ts';
import { chartRange } from './charts.ts';
import { customerId, instant, integratorId, service, text, userId } from './fields.ts';
import { listQuery, ok } from './replies.ts';

/** One recorded API call. */
const recordedCall = z.object({
  /** Names the call. */
  id: z.string(),
  /** When it was made, and when the server received it. */
  at: instant,
  receivedAt: instant,
  /** The name of a customer or user that is deleted by now is null. */
  customer: z.object({ customerId: z.uuid(), name: z.string().nullable() }),
  user: z.object({ userId: z.uuid(), username: z.string().nullable() }),
  service,
  instanceUrl: z.string(),
  operation: z.string(),
  isSuccessful: z.boolean(),
  /** The HTTP status; null if there was no response. */
  status: z.int().nullable(),
  durationMs: z.number(),
  /** The series of calls of a tool that it belongs to, and its number there. */
  sourceId: z.string(),
  sequence: z.int(),
  /** The event that recorded it. */
  eventId: z.uuid(),
  /** What voided the call, which does not count any more. */
  voidId: z.uuid().optional(),
  /** Whether the license did not include the service when the call was made. */
  isNotIncluded: z.literal(true).optional(),
});
/** One recorded API call, as the list shows it. */
export type RecordedCallEntry = z.infer<typeof recordedCall>;

const duration = z.coerce.number('Must be a number of milliseconds').int().min(0).max(MAX_CALL_DURATION_MS);

const filter = {
  /** When the calls were made: a range up to now, or from and to. */
  range: chartRange.optional(),
  from: instant.optional(),
  to: instant.optional(),
  /** When the server received the calls, as charts of Monitoring count them. */
  receivedFrom: instant.optional(),
  receivedTo: instant.optional(),
  service: service.optional(),
  operation: text(MAX_OPERATION).optional(),
  instanceUrl: text(MAX_URL).optional(),
  outcome: z.enum(['successful', 'failed']).optional(),
  /** An HTTP status, a class of them, or `none` for calls without a response. */
  status: z
    .union(
      [z.enum([...STATUS_CLASSES, 'none']), z.coerce.number().int().min(100).max(599)],
      'Must be a status from 100 to 599, a class such as 5xx, or none',
    )
    .optional(),
  minDurationMs: duration.optional(),
  maxDurationMs: duration.optional(),
  sourceId: text(MAX_SOURCE_ID).optional(),
  /** Only calls that count, or only voided ones. */
  counting: z.enum(['counted', 'voided']).optional(),
  /** Only calls to services that the license included when they were made, or only others. */
  entitlement: z.enum(['included', 'not_included']).optional(),
};
const { limit, cursor } = listQuery;

const isOnePeriod = ({ range, from, to }: { range?: unknown; from?: unknown; to?: unknown }): boolean =>
  range === undefined || (from === undefined && to === undefined);
const ONE_PERIOD = { path: ['range'], message: 'Give either range, or from and to' };

/** The query of `GET /api/customer/own-calls`. */
export const ownCallsQuery = z.strictObject({ ...filter, limit, cursor }).refine(isOnePeriod, ONE_PERIOD);
/** The query of `GET /api/customer/calls`. */
export const customerCallsQuery = z
  .strictObject({ ...filter, userId: userId.optional(), limit, cursor })
  .refine(isOnePeriod, ONE_PERIOD);
/** The query of `GET /api/service-integrator/calls`. */
export const integratorCallsQuery = z
  .strictObject({ ...filter, userId: userId.optional(), customerId: customerId.optional(), limit, cursor })
  .refine(isOnePeriod, ONE_PERIOD);
/** The query of `GET /api/admin/calls`. All filters combine. */
export const callsQuery = z
  .strictObject({
    ...filter,
    userId: userId.optional(),
    customerId: customerId.optional(),
    serviceIntegratorId: integratorId.optional(),
    limit,
    cursor,
  })
  .refine(isOnePeriod, ONE_PERIOD);
/** What the calls are listed by. */
export type CallsQuery = z.infer<typeof callsQuery>;

/**
 * A page of calls, newest first: by the second in which they were made, then by when they were received. A search that finds too few
 * calls stops before the end; `searchedTo` is how far it came, and `nextCursor` continues it.
 */
export const callsReply = ok({ calls: z.array(recordedCall), nextCursor: z.string().nullable(), searchedTo: instant.nullable() });
export type CallsReply = z.infer<typeof callsReply>;

/** The query of `GET …/call-sources`: what the sources begin with. */
export const callSourcesQuery = z.strictObject({ search: text(MAX_SOURCE_ID).optional() });
/** Sources of a customer's recorded calls, by name; some of them where there are many. */
export const callSourcesReply = ok({ sources: z.array(z.string()) });
export type CallSourcesReply = z.infer<typeof callSourcesReply>;

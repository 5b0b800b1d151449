import { z } from 'zod';
import { DEFAULT_LIST_LIMIT, MAX_LIST_LIMIT, MAX_SEARCH } from '../domain/limits.ts';
import { callsRefused } from './callQuotas.ts';

/** The reply of a mutation that has nothing else to say. */
export const done = z.object({ success: z.literal(true) });

/** A success that carries named objects, as `ok({ customer })`. */
export const ok = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ success: z.literal(true), ...shape });

/** Every failure of any status: `error` is a sentence for users, `code` is for programs. */
export const problem = z.object({
  success: z.literal(false),
  error: z.string(),
  code: z.string(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** How many issues there are beside those listed. */
  moreIssues: z.int().optional(),
  /** With `machine_approval_required`: what both sides show. */
  approval: z.object({ requestId: z.uuid(), code: z.string(), expiresAt: z.iso.datetime() }).optional(),
  /** With `tenant_required`: where the password signs in. */
  tenants: z.array(z.object({ id: z.uuid(), name: z.string() })).optional(),
  /** With `quota_exceeded`: what became of the calls. */
  calls: callsRefused.optional(),
  /** Where an unexpected error is found in the server's log. */
  correlationId: z.string().optional(),
});
/** The body of every failed request. */
export type Problem = z.infer<typeof problem>;
/** A tenant that a sign-in may choose. */
export type ChoosableTenant = NonNullable<Problem['tenants']>[number];

/** The version of the server; null if the configuration does not publish the API's description. */
export const versionReply = ok({ version: z.string().nullable() });

/**
 * A page of a list: `total` counts all that match, `nextCursor` is null on the last page. `countedUpTo` is present if counting ended at so
 * many: there may be more than `total` and the numbers by status say.
 */
export const page = <Shape extends z.ZodRawShape>(shape: Shape) =>
  ok({ ...shape, total: z.int(), countedUpTo: z.int().optional(), nextCursor: z.string().nullable() });

/** The number of search results of each status, independent of the status filter. */
export const statusCounts = z.object({ all: z.int(), active: z.int(), suspended: z.int(), churned: z.int() });
/** Numbers of rows by status. */
export type StatusCounts = z.infer<typeof statusCounts>;

/** What every list understands. Query strings arrive as text. */
export const listQuery = {
  search: z.string().trim().max(MAX_SEARCH).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_LIST_LIMIT).default(DEFAULT_LIST_LIMIT),
  cursor: z.string().max(1000).optional(),
};

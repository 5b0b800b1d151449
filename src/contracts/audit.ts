import { z } from 'zod';
import { MAX_ZONE } from '../domain/limits.ts';
import { customerId, instant, integratorId, text, userId } from './fields.ts';
import { historyActor, historyEntry } from './history.ts';
import { listQuery, ok } from './replies.ts';
import { isTimeZone } from './timeZones.ts';

/** An entry of the audit page, with whom it is about. A deleted customer or service integrator has no name. */
const auditEntry = historyEntry.extend({
  customer: z.object({ customerId, name: z.string().nullable() }).nullable(),
  integrator: z.object({ integratorId, name: z.string().nullable() }).nullable(),
  correlationId: z.string().nullable(),
  /** The entry whose change this one takes back. */
  reverts: z.uuid().nullable(),
});
/** An entry of the audit page. */
export type AuditEntry = z.infer<typeof auditEntry>;

/** The query of the audit page. */
export const auditQuery = z.strictObject({
  ...listQuery,
  /** Types of events, separated by commas. Without them, sign-ins of the tool are left out, and counted for each day. */
  types: z.string().max(2_000).optional(),
  actor: z.enum(['admin', 'integrator', 'customer', 'user', 'system']).optional(),
  /** Entries of changes that this named user made. */
  user: userId.optional(),
  customer: customerId.optional(),
  from: instant.optional(),
  to: instant.optional(),
  /** Whose days sign-ins are counted for, as Europe/Berlin; without it they are not counted. */
  zone: text(MAX_ZONE).refine(isTimeZone, 'Must be a time zone like Europe/Berlin or UTC').optional(),
  /** `true` exports as NDJSON with proofs, which `latchkey-admin audit verify` verifies offline. */
  proofs: z.enum(['true', 'false']).optional(),
});
export type AuditQuery = z.infer<typeof auditQuery>;

/** The sign-ins of the tool on a day (yyyy-mm-dd) of the zone; counted up to 500, so more of them are `isMore`. */
const signInsOfDay = z.object({ day: z.iso.date(), count: z.int(), isMore: z.boolean() });
export type SignInsOfDay = z.infer<typeof signInsOfDay>;

/**
 * A page, newest first. `searchedTo` is the time up to which a search looked through the entries, if it ended before the last one.
 * `signIns` and `actors`, the own named users who acted, are of the first page and of pages with a zone.
 */
export const auditReply = ok({
  entries: z.array(auditEntry),
  nextCursor: z.string().nullable(),
  searchedTo: instant.nullable(),
  signIns: z.array(signInsOfDay).optional(),
  actors: z.array(historyActor).optional(),
});
export type AuditReply = z.infer<typeof auditReply>;

/** An entry, those that the same request caused, oldest first, and those that took its change back. */
export const auditEntryReply = ok({
  entry: auditEntry,
  related: z.array(auditEntry),
  revertedBy: z.array(auditEntry),
});
export type AuditEntryReply = z.infer<typeof auditEntryReply>;

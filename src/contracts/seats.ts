import { z } from 'zod';
import { MAX_IDLE_DAYS } from '../domain/limits.ts';
import { SEAT_DENIAL_REASONS } from '../domain/seatDenials/reasons.ts';
import { instant } from './fields.ts';
import { listQuery, page } from './replies.ts';
import { user } from './users.ts';

const seatKind = z.enum(['developer', 'stakeholder']);

/** A seat with the user who holds it. */
const seat = user.extend({
  kind: seatKind,
  /** When the seat was claimed. */
  since: instant,
  /** The last call that was recorded for the user; null without any. */
  lastCall: instant.nullable(),
  /** The last call, the last sign-in of the tool or the claim of the seat, whichever is latest; null while the user is connected. */
  idleSince: instant.nullable(),
  /** The name of the machine of `machineId`; null where it is unknown. */
  machineName: z.string().nullable(),
});
/** A seat with the user who holds it. */
export type Seat = z.infer<typeof seat>;

const seatSort = z.enum(['username', '-username', 'since', '-since', 'lastCall', '-lastCall', 'idleSince', '-idleSince']);

/** The query of the seats of a customer. By default, the one idle for the longest time is first; connected users are last. */
export const seatQuery = z.strictObject({
  ...listQuery,
  kind: seatKind.optional(),
  /** Seats of users who are not connected and were idle for at least as many days. */
  idleDays: z.coerce.number().int().min(1).max(MAX_IDLE_DAYS).optional(),
  sort: seatSort.default('idleSince'),
});
export type SeatQuery = z.infer<typeof seatQuery>;

/** Seats of a kind; `allocated` -1 is unlimited. */
const seatCounts = z.object({ allocated: z.int(), active: z.int() });

/** Sign-ins of the tool that were refused a seat in the last 7 days, by kind and reason. */
const seatDenials = z.object({
  kind: seatKind,
  reason: z.enum(SEAT_DENIAL_REASONS),
  /** Different persons, as far as they are named: those beyond 100 of a minute are not. */
  persons: z.int(),
  attempts: z.int(),
  lastAt: instant,
});
export type SeatDenials = z.infer<typeof seatDenials>;

/** A page of the seats that users hold, with the numbers of seats of the customer. */
export const seatsReply = page({
  customerName: z.string(),
  seats: z.array(seat),
  kinds: z.object({ developer: seatCounts, stakeholder: seatCounts }),
  /** Whether no more than the allocated seats can be claimed. */
  limitsEnforced: z.boolean(),
  /** The most attempts first. */
  denials: z.array(seatDenials),
});
export type SeatsReply = z.infer<typeof seatsReply>;

import { z } from 'zod';
import { SEAT_KINDS } from '../domain/enumerations.ts';
import { DEFAULT_USAGE_RANGE, MAX_IDLE_DAYS, MAX_IDLE_RELEASE_DAYS, SEAT_RANGES } from '../domain/limits.ts';
import { SEAT_DENIAL_REASONS } from '../domain/seatDenials/reasons.ts';
import { accountStatus, customerId, day, instant, userId } from './fields.ts';
import { listQuery, ok, page } from './replies.ts';
import { checkRange, usageDay, zone } from './usage.ts';
import { user } from './users.ts';

const seatKind = z.enum(SEAT_KINDS);

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
  /** When a floating seat becomes free without another use; null while the user is connected. Absent for a seat of the user's own. */
  freeAt: instant.nullable().optional(),
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

/** Seats of a kind; `allocated` -1 is unlimited, `active` counts the users who may take one. */
const seatCounts = z.object({
  allocated: z.int(),
  active: z.int(),
  /** Where users share the seats: how many are held now, and how long one is kept without use. */
  floating: z.object({ minutes: z.int(), leased: z.int() }).optional(),
});

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

/** A page of the seats that users hold; of floating seats those that are in use now, with the numbers of seats of the customer. */
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

/** A range of the utilization of seats, in days. */
export type SeatRange = (typeof SEAT_RANGES)[number];

/**
 * The query of the utilization of seats: 7, 30, 90 or 365 days up to today, or the days `from` to `to`, both included. Days are those of the
 * time zone.
 */
export const seatUtilizationQuery = z
  .strictObject({
    days: z
      .enum(['7', '30', '90', '365'], 'Must be 7, 30, 90 or 365')
      .transform((text): SeatRange => SEAT_RANGES.find((days) => String(days) === text) ?? DEFAULT_USAGE_RANGE)
      .optional(),
    from: usageDay.optional(),
    to: usageDay.optional(),
    zone,
  })
  .superRefine(checkRange);
export type SeatUtilizationQuery = z.infer<typeof seatUtilizationQuery>;

/** From an instant until before another. Numbers are null on days before the customer was created, and after today. */
const seatDay = z.object({
  day,
  from: instant,
  to: instant,
  /** The most seats that were held at the same time. */
  peak: z.int().nullable(),
  /** Over the time of the day that has passed since the customer was created. */
  average: z.number().nullable(),
  /** At the end of the day; -1 is unlimited. */
  limit: z.int().nullable(),
  /** How long more seats were held than the limit allowed. */
  hoursAboveLimit: z.number().nullable(),
  /** Sign-ins of the tool that were refused a seat. */
  denials: z.int(),
});
/** The seats of a kind on a day. */
export type SeatDay = z.infer<typeof seatDay>;

/**
 * When the seats of a kind reach their limit at the rate of the daily peaks of the last 60 days. `perWeek` and the days are null where the
 * outlook has none; `latestOn` is null also if slower growth, which the peaks allow, does not reach the limit within two years.
 */
const seatForecast = z.object({
  outlook: z.enum(['unlimited', 'atLimit', 'notEnoughData', 'noGrowth', 'distant', 'reaching']),
  held: z.int(),
  limit: z.int(),
  perWeek: z.number().nullable(),
  reachesOn: day.nullable(),
  earliestOn: day.nullable(),
  latestOn: day.nullable(),
});
/** When the seats of a kind reach their limit. */
export type SeatOutlook = z.infer<typeof seatForecast>;

const kindUtilization = z.object({
  /** A row for each day of the range, oldest first. */
  days: z.array(seatDay),
  forecast: seatForecast,
});

/** How the seats of a customer were used on the days `from` to `to` of the time zone. */
const seatUtilization = z.object({
  from: day,
  to: day,
  zone: z.string(),
  developer: kindUtilization,
  stakeholder: kindUtilization,
});
export type SeatUtilization = z.infer<typeof seatUtilization>;

/** The reply of `GET …/seats/utilization`. */
export const seatUtilizationReply = ok({ utilization: seatUtilization });
export type SeatUtilizationReply = z.infer<typeof seatUtilizationReply>;

/** The query of the seats that are idle for at least so many days. */
export const idleSeatsQuery = z.strictObject({ days: z.coerce.number().int().min(1).max(MAX_IDLE_RELEASE_DAYS) });

const idleSeat = z.object({ userId, username: z.string(), kind: seatKind, idleSince: instant });

/** The seats that would be released now, idle for the longest time first: at most 100 of `total`. */
export const idleSeatsReply = ok({ seats: z.array(idleSeat), total: z.int() });
export type IdleSeatsReply = z.infer<typeof idleSeatsReply>;

/** Held seats of a kind, and their peak of 30 days. `limit` -1 is unlimited; `utilization` is peak by limit, null without a limit. */
const seatPeak = z.object({ held: z.int(), limit: z.int(), peak: z.int(), utilization: z.number().nullable() });
export type SeatPeak = z.infer<typeof seatPeak>;
const peaks = { developer: seatPeak, stakeholder: seatPeak };
/** The peaks of both kinds of seats of a customer. */
export type SeatPeaks = Readonly<{ [Kind in keyof typeof peaks]: SeatPeak }>;

/** The peaks of both kinds of seats of one customer in a list. */
const customerPeaks = z.object({ id: customerId, name: z.string(), status: accountStatus, ...peaks });
export type CustomerSeatPeaks = z.infer<typeof customerPeaks>;

/** A page of the utilization of customers' seats. */
export const seatPeaksReply = page({ customers: z.array(customerPeaks) });

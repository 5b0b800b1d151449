import { z } from 'zod';
import { SIGN_IN_METHODS } from '../domain/signIns/methods.ts';
import { instant, userId } from './fields.ts';
import { listQuery, ok, page } from './replies.ts';

const signInAudience = z.enum(['admin', 'customer', 'integrator', 'cli']);
/** `throttled`: the key was not evaluated, as the address had used up its attempts. */
const signInOutcome = z.enum(['accepted', 'rejected', 'throttled']);

/** Sign-ins of one address with the same audience, outcome, method and account within a minute. */
const signInEntry = z.object({
  id: z.uuid(),
  /** The last one of them. */
  at: instant,
  firstAt: instant,
  audience: signInAudience,
  outcome: signInOutcome,
  /** The code of the error that answered a rejected one; `break_glass` of an accepted key that only emergencies allow. */
  reason: z.string().nullable(),
  /** How the client signed in or tried to; null of sign-ins that an earlier version recorded. */
  method: z.enum(SIGN_IN_METHODS).nullable(),
  /** A network under a flood from many addresses; null where it is unknown or erased. */
  address: z.string().nullable(),
  /**
   * The account of the key or named user, whose name is `username`; null for an unknown key and for the admin key. The id of a named
   * user of the administration is the user's. The name of a deleted account is null.
   */
  account: z
    .object({
      kind: z.enum(['customer', 'integrator', 'administration']),
      id: z.uuid(),
      name: z.string().nullable(),
      username: z.string().nullable(),
    })
    .nullable(),
  /** Equal for equal keys; it does not disclose the key. */
  fingerprint: z.string().nullable(),
  /** How many different keys were sent, counted up to 16. */
  keys: z.int(),
  count: z.int(),
});
/** Combined sign-in attempts, as the list shows them. */
export type SignInEntry = z.infer<typeof signInEntry>;

const filter = {
  audience: signInAudience.optional(),
  outcome: signInOutcome.optional(),
  /** Sign-ins of this named user, or of this user of the tool. */
  user: userId.optional(),
  from: instant.optional(),
  to: instant.optional(),
};

/** The query of `GET /api/admin/sign-ins`. `from` and `to` limit `at`. */
export const signInsQuery = z.strictObject({ ...listQuery, ...filter });
export type SignInsQuery = z.infer<typeof signInsQuery>;

/** A page of sign-ins, newest first. `retentionDays` is for how many days sign-ins are kept. */
export const signInsReply = page({ signIns: z.array(signInEntry), retentionDays: z.int() });
export type SignInsReply = z.infer<typeof signInsReply>;

/** The query of `GET /api/admin/sign-ins/chart`: without `from`, of the 24 hours up to `to`; without `to`, up to now. */
export const signInsChartQuery = z.strictObject({ search: listQuery.search, ...filter });
export type SignInsChartQuery = z.infer<typeof signInsChartQuery>;

/** The sign-ins that began in the `seconds` from `at`. */
const signInsPoint = z.object({ at: instant, accepted: z.int(), rejected: z.int(), throttled: z.int() });
/** Sign-ins over time, oldest first, at most 62 points without gaps between `from` and `to`. */
export const signInsChartReply = ok({ from: instant, to: instant, seconds: z.int(), points: z.array(signInsPoint) });
export type SignInsChartReply = z.infer<typeof signInsChartReply>;

import { z } from 'zod';
import { SEAT_KINDS } from '../domain/enumerations.ts';
import { SIGN_IN_METHODS } from '../domain/signIns/methods.ts';
import { customer } from './customers.ts';
import { instant, position, sessionId, userId, userRole, userStatus } from './fields.ts';
import { serviceIntegrator } from './integrators.ts';
import { listQuery, ok, page } from './replies.ts';
import { member, policy } from './team.ts';
import { customTheme } from './themes.ts';

/** A changed field of a history entry, or a difference between two times. */
export const change = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() });

/** An event as the history shows it. */
export const historyEntry = z.object({
  id: z.uuid(),
  at: instant,
  type: z.string(),
  actor: z.object({
    kind: z.enum(['admin', 'integrator', 'customer', 'user', 'system']),
    id: z.string(),
    name: z.string(),
    /** The named user; null of a key, an API token, a tool or the system, and where it is not for the reader. */
    userId: userId.nullable(),
    /** The session in which it acted; null of an API token, the system and the sign-in of a tool, and where it is not for the reader. */
    sessionId: sessionId.nullable(),
    /** How the session signed in; null where that is unknown or not for the reader. */
    method: z.enum(SIGN_IN_METHODS).nullable(),
    /** Null where it is unknown, erased, or not for the reader. */
    address: z.string().nullable(),
  }),
  /** The change as a sentence. */
  summary: z.string(),
  changes: z.array(change),
  position,
});
/** An event as the history shows it, with the actor's current name. */
export type HistoryEntry = z.infer<typeof historyEntry>;

/** The query of all histories: by type of event, kind of actor, time and text. */
export const historyQuery = z.strictObject({
  ...listQuery,
  /** One type of event, or several, separated by commas. */
  type: z.string().max(300).optional(),
  actor: z.string().max(100).optional(),
  /** Entries of changes that this named user made. */
  user: userId.optional(),
  /** Entries about this user, custom theme or credential. */
  about: z.uuid().optional(),
  /** `false` leaves out the reactions of policies, sign-ins, and notices of sign-ins. */
  automatic: z.enum(['true', 'false']).optional(),
  from: instant.optional(),
  to: instant.optional(),
  /** `true` exports as NDJSON with proofs, which `latchkey-admin audit verify` verifies offline. */
  proofs: z.enum(['true', 'false']).optional(),
});
export type HistoryQuery = z.infer<typeof historyQuery>;

/** A named user by whom entries can be filtered. */
export const historyActor = z.object({ id: userId, name: z.string() });
/** A named user who acted in a history; the name has the role. */
export type HistoryActor = z.infer<typeof historyActor>;

/** A page of a history, newest first. The first page has the named users by whom it can be filtered. */
export const historyReply = page({ history: z.array(historyEntry), actors: z.array(historyActor).optional() });
export type HistoryReply = z.infer<typeof historyReply>;

/** The time to show, and optionally another one to compare with. */
export const asOfQuery = z.strictObject({ at: instant, compareTo: instant.optional() });
/** A user as it was: `seat` is the kind of seat that it held, and `machines` how many were approved. */
const userAsOf = z.object({
  userId,
  username: z.string(),
  email: z.string(),
  role: userRole,
  status: userStatus,
  seat: z.enum(SEAT_KINDS).nullable(),
  machines: z.int(),
});

/** What the newest entry of a history until a time says. */
const lastChange = historyEntry.pick({ id: true, at: true, type: true, actor: true, summary: true }).nullable();

/**
 * A customer at a time. `users` are the first 500 by username, of `userCount`. `position` is that of its last event; `changes` exist if `compareTo` was given. `lastChange` is the newest entry of
 * its history until then that neither a policy nor a tool made.
 */
export const asOfReply = ok({
  customer,
  users: z.array(userAsOf),
  userCount: z.int(),
  at: instant,
  position,
  changes: z.array(change).optional(),
  lastChange,
});
export type AsOfReply = z.infer<typeof asOfReply>;

const themeAsOf = customTheme.pick({
  id: true,
  themeName: true,
  displayName: true,
  description: true,
  primaryColor: true,
  secondaryColor: true,
  accentColor: true,
  isDefault: true,
  isActive: true,
});
const memberAsOf = member.pick({ userId: true, name: true, email: true, role: true, status: true });

/**
 * A service integrator at a time, with its sign-in policy. `customerCount` is of its own events: customers that were enrolled and not
 * withdrawn. `themes` and `members` are the first 500 by name, of `themeCount` and `memberCount`. `changes` exist if `compareTo` was
 * given; a theme or named user that differs is one of them.
 */
export const integratorAsOfReply = ok({
  serviceIntegrator: serviceIntegrator.omit({ domainVerified: true, domainExpiresAt: true, releasedDomain: true }),
  policy,
  themes: z.array(themeAsOf),
  themeCount: z.int(),
  members: z.array(memberAsOf),
  memberCount: z.int(),
  at: instant,
  position,
  changes: z.array(change).optional(),
  lastChange,
});
export type IntegratorAsOfReply = z.infer<typeof integratorAsOfReply>;

import { z } from 'zod';
import { SEAT_KINDS } from '../domain/enumerations.ts';
import { MAX_NAMED } from '../domain/limits.ts';
import { ROLES } from '../domain/permissions.ts';
import { accountStatus, instant, seatCount, userRole, userStatus } from './fields.ts';
import { floatingMinutes } from './floatingSeats.ts';
import { ok } from './replies.ts';

/** How many there are, and the names of the first by name; none where the reader may not see them. */
const named = z.object({ count: z.int(), names: z.array(z.string()).max(MAX_NAMED) });
export type Named = z.infer<typeof named>;

const seatKind = z.enum(SEAT_KINDS);
const flag = z.enum(['true', 'false']);

/** Open sessions: how many, and the ones used last; none where the reader may not see them. */
const endingSessions = z.object({
  count: z.int(),
  sessions: z
    .array(
      z.object({
        /** Null for a session of the tenant's key in the console. */
        user: z.string().nullable(),
        /** The machine of a session of the tool. */
        machine: z.string().nullable(),
        /** As in `Chrome on Windows`. */
        browser: z.string().nullable(),
        lastSeenAt: instant,
      }),
    )
    .max(MAX_NAMED),
});
export type EndingSessions = z.infer<typeof endingSessions>;

/** The sign-ins that a change ends, as the policies end them, and how many keep working. */
const endedSignIns = z.object({
  /** Of the console or the portal. */
  console: endingSessions,
  /** Sign-ins of command-line tools. */
  tools: endingSessions,
  /** Valid API tokens that are revoked. */
  apiTokens: named,
  kept: z.object({ console: z.int(), tools: z.int(), apiTokens: z.int() }),
});
export type EndedSignIns = z.infer<typeof endedSignIns>;

/** The change of a customer whose effects are asked for. Without fields, only what there is now is counted. */
export const customerImpactQuery = z.strictObject({
  status: accountStatus.optional(),
  developerSeats: z.coerce.number().pipe(seatCount).optional(),
  stakeholderSeats: z.coerce.number().pipe(seatCount).optional(),
  seatLimitsEnforced: flag.optional(),
  /** Minutes of floating developer seats; `named` makes them named. */
  floatingDeveloperMinutes: z.union([z.literal('named'), z.coerce.number().pipe(floatingMinutes)]).optional(),
  /** Whether the customer is deleted. */
  deletion: z.literal('true').optional(),
  /** Whether the license key is replaced. */
  keyRotation: z.literal('true').optional(),
  /** Whether the portal password is reset. */
  passwordReset: z.literal('true').optional(),
});
export type CustomerImpactQuery = z.infer<typeof customerImpactQuery>;

/** Kinds of seats of which users hold more than the limit after the change. They keep them. */
const overLimit = z.array(z.object({ kind: seatKind, limit: z.int(), holders: named }));

/** Kinds of seats whose number or kind of limit changes. */
const changedSeats = z.array(
  z.object({
    kind: seatKind,
    limit: z.int(),
    isFloating: z.boolean(),
    isEnforced: z.boolean(),
    /** Active users who share the floating seats, or who hold a named one each. */
    users: z.int(),
  }),
);

/** What the change of a license does to its users, as its decision says. */
export const licenseEffects = z.object({
  /** Active users who can no longer sign in. */
  lockedOut: named,
  overLimit,
  changedSeats,
});
export type LicenseEffects = z.infer<typeof licenseEffects>;

/** What suspending, churning or deleting a customer affects, counted at the time of the request. */
export const customerImpact = z.object({
  /** Connected command-line tools, which are disconnected. */
  connections: z.int(),
  /** Signed-in portal sessions, which are ended. */
  portalSessions: z.int(),
  /** Users of any status. */
  users: z.int(),
  activeDeveloperSeats: z.int(),
  activeStakeholderSeats: z.int(),
  credentials: z.int(),
  /** All time. */
  apiCalls: z.int(),
  /** Valid API tokens, which are refused while the customer is not active. */
  apiTokens: z.int(),
  /** Users whose command-line tools are connected. */
  connected: named,
  /** Active users who can no longer sign in after the change, as its decision says. */
  lockedOut: named,
  overLimit,
  changedSeats: changedSeats.optional(),
  /** With `keyRotation` or `passwordReset`. */
  ended: endedSignIns.optional(),
});
/** The form of a customer's impact, as its dialogs show it. */
export type CustomerImpact = z.infer<typeof customerImpact>;
/** The reply of `GET …/customers/:customerId/impact`. */
export const customerImpactReply = ok({ impact: customerImpact });
export type CustomerImpactReply = z.infer<typeof customerImpactReply>;

/** The change of a service integrator whose effects are asked for. Without fields, only what there is now is counted. */
export const integratorImpactQuery = z.strictObject({
  status: accountStatus.optional(),
  /** Whether the service integrator is deleted. */
  deletion: z.literal('true').optional(),
  /** Whether the master license key is replaced. */
  keyRotation: z.literal('true').optional(),
});
export type IntegratorImpactQuery = z.infer<typeof integratorImpactQuery>;

/** What suspending, churning or deleting a service integrator affects, counted at the time of the request. */
const integratorImpact = z.object({
  /** Signed-in console sessions of the service integrator, which are ended. */
  sessions: z.int(),
  /** Customers of any status. */
  customers: z.int(),
  customThemes: z.int(),
  /** The first customers by name. */
  customerNames: z.array(z.string()).max(MAX_NAMED),
  /** Why the change would be refused now; null if it would be accepted. */
  refusal: z.string().nullable().optional(),
  /** Users who can no longer sign in after the change, as its decision says. */
  lockedOut: named.optional(),
  /** Valid API tokens that no longer work after the change. */
  apiTokens: z.int().optional(),
  /** The custom domain that the change releases. */
  releasedDomain: z.string().nullable().optional(),
  /** Whether the change turns white-label branding off. */
  endsBranding: z.boolean().optional(),
  /** With `keyRotation`. */
  ended: endedSignIns.optional(),
});
/** The form of a service integrator's impact, as its dialogs show it. */
export type IntegratorImpact = z.infer<typeof integratorImpact>;
/** The reply of `GET /api/admin/service-integrators/:integratorId/impact`. */
export const integratorImpactReply = ok({ impact: integratorImpact });
export type IntegratorImpactReply = z.infer<typeof integratorImpactReply>;

/** What replacing the own master license key affects. */
export const ownIntegratorImpactReply = ok({ impact: z.object({ ended: endedSignIns }) });
export type OwnIntegratorImpactReply = z.infer<typeof ownIntegratorImpactReply>;

/** What the deletion of a custom theme does, as its decision says. */
const themeImpact = z.object({
  /** Why the deletion would be refused now; null if it would be accepted. */
  refusal: z.string().nullable(),
  /** Customers that have the theme now; named with `customers:read`. */
  customers: named,
  /** Display name of the theme that they get; null for none. */
  fallbackTheme: z.string().nullable(),
});
export type ThemeImpact = z.infer<typeof themeImpact>;
/** The reply of `GET /api/service-integrator/themes/:themeId/impact`. */
export const themeImpactReply = ok({ impact: themeImpact });
export type ThemeImpactReply = z.infer<typeof themeImpactReply>;

/** The change of a user whose effects are asked for. */
export const userImpactQuery = z.strictObject({
  status: userStatus.optional(),
  role: userRole.optional(),
  /** Whether the user is removed. */
  removal: z.literal('true').optional(),
});
export type UserImpactQuery = z.infer<typeof userImpactQuery>;

/** What a change of a user does, as its decision says. */
const userImpact = z.object({
  /** Why the change would be refused now; null if it would be accepted. */
  refusal: z.string().nullable(),
  /** Whether the user could sign in before, and not afterwards. */
  isLockedOut: z.boolean(),
  /** Whether the command-line tool is disconnected and refused, because of the status or of the role. */
  losesTool: z.boolean().optional(),
  /** Whether the open sessions in the portal end: those of another role do. */
  endsSessions: z.boolean().optional(),
  releasedSeat: seatKind.nullable(),
  claimedSeat: seatKind.nullable(),
  isConnected: z.boolean(),
  /** Open sessions in the portal. */
  portalSessions: z.int(),
  machines: named,
  /** Valid API tokens that the user created; named for the own tenant only. */
  apiTokens: named,
});
export type UserImpact = z.infer<typeof userImpact>;
/** The reply of `GET …/users/:userId/impact`. */
export const userImpactReply = ok({ impact: userImpact });
export type UserImpactReply = z.infer<typeof userImpactReply>;

/** The change of a named user of the own tenant whose effects are asked for. */
export const memberImpactQuery = z.strictObject({
  role: z.enum([...new Set(Object.values(ROLES).flat())]).optional(),
  /** Whether the named user is removed. */
  removal: z.literal('true').optional(),
  /** Whether the named user is signed out everywhere. */
  signOut: z.literal('true').optional(),
});
export type MemberImpactQuery = z.infer<typeof memberImpactQuery>;

/** What a change of a named user does, as its decision says. */
const memberImpact = z.object({
  /** Why the change would be refused now; null if it would be accepted. */
  refusal: z.string().nullable(),
  /** Open sessions that end. */
  sessions: z.int(),
  /** Valid API tokens of the user that are revoked; named with `tokens:read`. */
  apiTokens: named,
  /** The open sessions that end, listed with `sessions:read`, and what the user keeps; null if the change would be refused. */
  ended: endedSignIns.nullable().optional(),
});
export type MemberImpact = z.infer<typeof memberImpact>;
/** The reply of `GET /api/team/members/:userId/impact`. */
export const memberImpactReply = ok({ impact: memberImpact });
export type MemberImpactReply = z.infer<typeof memberImpactReply>;

import { z } from 'zod';
import { SEAT_KINDS } from '../domain/enumerations.ts';
import { MAX_KEY } from '../domain/limits.ts';
import { callQuotaUse } from './callQuotas.ts';
import { licenseEntitlements } from './entitlements.ts';
import { accountStatus, customerId, email, instant, licenseKey } from './fields.ts';
import { machineId, machineName, machineRequest } from './machines.ts';
import { ok } from './replies.ts';
import { licenseTerm } from './terms.ts';
import { cliTheme } from './themes.ts';
import { user, username } from './users.ts';

/** The first time registers the user as a developer and claims a seat; then it signs the same user in again. */
/** `machineName` identifies the machine to its user, such as its host name. */
export const cliLogin = z.strictObject({
  licenseKey,
  username,
  email,
  machineId,
  machineName: machineName.optional(),
});
/** The body of `POST /api/cli/login` after parsing. */
export type CliLogin = z.infer<typeof cliLogin>;

/** The body of `POST /api/cli/license-key/check`. */
export const checkLicenseKey = z.strictObject({ licenseKey });
export type CheckLicenseKey = z.infer<typeof checkLicenseKey>;

/** What a tool gets to know about its customer. */
export const cliCustomer = z.object({ id: customerId, name: z.string(), status: accountStatus });
/** The seats of the user's kind: allocated to the customer, and held by active users. */
export const cliSeat = z.object({
  kind: z.enum(SEAT_KINDS),
  /** -1 means unlimited. */
  allocated: z.int(),
  active: z.int(),
  /** Where users share the seats: how many are held now, and how long one is kept without use. Absent for named seats. */
  floating: z.object({ minutes: z.int(), leased: z.int() }).optional(),
});
/** The floating seat of the user. `until` is when it becomes free without another use; null while the tool is connected. */
export const cliLease = z.object({ until: instant.nullable() });

/** `term` is absent for a perpetual license, `entitlements` for one that includes everything. */
const cliSession = {
  user,
  customer: cliCustomer,
  theme: cliTheme,
  seat: cliSeat,
  /** Null for a user without a floating seat; absent where seats are named. */
  lease: cliLease.nullable().optional(),
  term: licenseTerm.optional(),
  entitlements: licenseEntitlements.optional(),
  /** Absent without a monthly quota. */
  callQuota: callQuotaUse.optional(),
};
/** The reply to a tool's sign-in; later requests send the token as `Authorization: Bearer`. */
export const cliLoginReply = ok({ token: z.string(), ...cliSession });
export type CliLoginReply = z.infer<typeof cliLoginReply>;
/** The reply of `GET /api/cli/session`. */
export const cliSessionReply = ok(cliSession);
export type CliSessionReply = z.infer<typeof cliSessionReply>;
/** The reply of `GET /api/cli/theme`. */
export const cliThemeReply = ok({ theme: cliTheme });

/** First frame on `/api/cli/connect`. The client makes the connection id; the same one after a reconnect replaces the old socket. */
export const hello = z.strictObject({ type: z.literal('hello'), token: z.string().min(1).max(MAX_KEY), connectionId: z.uuid() });
/** The first frame of a tool, which authenticates its socket. */
export type Hello = z.infer<typeof hello>;

const welcome = z.object({
  type: z.literal('welcome'),
  user,
  customer: cliCustomer,
  theme: cliTheme,
  /** Null for a perpetual license; older servers send none. */
  term: licenseTerm.nullable().optional(),
  entitlements: licenseEntitlements.optional(),
  callQuota: callQuotaUse.optional(),
});
/** A frame that the server sends to a tool. After `revoked` it closes the socket; `reason` is a code. */
export const cliFrame = z.discriminatedUnion('type', [
  welcome,
  z.object({ type: z.literal('theme'), theme: cliTheme }),
  z.object({ type: z.literal('seat'), seat: cliSeat }),
  /** The term was changed, or reached its next step: an announced day, the grace or the end. Null for a perpetual license. */
  z.object({ type: z.literal('term'), term: licenseTerm.nullable() }),
  /** What the license includes now; null for everything. */
  z.object({ type: z.literal('entitlements'), entitlements: licenseEntitlements.nullable() }),
  /** The quota was changed, or a part of it that is announced was used; null for none. */
  z.object({ type: z.literal('call_quota'), callQuota: callQuotaUse.nullable() }),
  /** Another machine asks to sign in as the user of this one. */
  z.object({ type: z.literal('machine_request'), request: machineRequest }),
  z.object({ type: z.literal('revoked'), reason: z.string() }),
]);
export type CliFrame = z.infer<typeof cliFrame>;

/** Codes with which the server closes the command-line tool's socket. */
export const CLOSE = { noSession: 4401, forbidden: 4403, restart: 1012 } as const;

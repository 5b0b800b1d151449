import { z } from 'zod';
import { SEAT_KINDS } from '../domain/enumerations.ts';
import type { OfflineLicenseId } from '../domain/ids.ts';
import { licenseEntitlements } from './entitlements.ts';
import { customerId, idOf, instant, userId } from './fields.ts';
import { machineName } from './machines.ts';
import { ok } from './replies.ts';

/** The type of an offline license in the header of its JWS, so that no other signed document passes for one. */
export const OFFLINE_LICENSE_TYPE = 'latchkey-license+jwt';
/** How signed documents are signed: with Ed25519. */
export const SIGNATURE_ALGORITHM = 'EdDSA';

const DIGITS = 32;

/** Names a machine for offline licenses: a hash in hex, as `latchkey license fingerprint` prints it. Case, blanks and dashes do not matter. */
const machineFingerprint = z
  .string()
  .max(200)
  .transform((value) => value.replaceAll(/[\s-]/g, '').toLowerCase())
  .refine(
    (value) => new RegExp(`^[0-9a-f]{${DIGITS}}$`).test(value),
    'Must be a fingerprint of 32 hexadecimal digits. Run latchkey license fingerprint on the machine.',
  );

/** The body of a request for an offline license. */
export const issueOfflineLicense = z.strictObject({ fingerprint: machineFingerprint, machineName: machineName.optional() });
export type IssueOfflineLicenseBody = z.infer<typeof issueOfflineLicense>;

/** A UUID, in lower case after parsing. */
export const offlineLicenseId = idOf<OfflineLicenseId>();

/** A public key of Ed25519 (RFC 8037). */
const publicKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(/^[\w-]{43}$/),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal(SIGNATURE_ALGORITHM),
});
/** The reply of `GET /.well-known/jwks.json`: a JWK set (RFC 7517). */
export const signingKeySet = z.object({ keys: z.array(publicKey) });
export type SigningKeySet = z.infer<typeof signingKeySet>;

/** The claims of an offline license. Seats of -1 are unlimited, `term` is null for a perpetual license. */
export const offlineLicenseClaims = z.object({
  /** The installation that issued it. */
  iss: z.string(),
  /** The id of the user. */
  sub: userId,
  /** The id of the offline license, as in the history. */
  jti: offlineLicenseId,
  /** Seconds since 1970. */
  iat: z.int(),
  exp: z.int(),
  customer: z.object({ id: customerId, name: z.string() }),
  license: z.object({
    /** Names the license key without disclosing it. */
    keyId: z.string(),
    tier: z.string(),
    seats: z.object({ developer: z.int(), stakeholder: z.int() }),
    term: z.object({ startsAt: instant, expiresAt: instant, graceDays: z.int(), isTrial: z.boolean() }).nullable(),
    /** Absent if the license includes everything, and in offline licenses of former versions. */
    entitlements: licenseEntitlements.optional(),
  }),
  user: z.object({ username: z.string(), role: z.string(), seat: z.enum(SEAT_KINDS).nullable() }),
  machine: z.object({ fingerprint: z.string(), name: z.string().nullable() }),
});
/** The claims of an offline license after its signature was verified. */
export type OfflineLicenseClaims = z.infer<typeof offlineLicenseClaims>;

/** The file that a machine without a connection imports: the license as compact JWS, and the public keys to verify it. */
export const offlineLicenseFile = z.object({ license: z.string(), keys: signingKeySet.shape.keys });
export type OfflineLicenseFile = z.infer<typeof offlineLicenseFile>;

/** The reply to a request for an offline license. */
export const offlineLicenseReply = ok({
  ...offlineLicenseFile.shape,
  id: offlineLicenseId,
  fingerprint: z.string(),
  issuedAt: instant,
  expiresAt: instant,
});
export type OfflineLicenseReply = z.infer<typeof offlineLicenseReply>;

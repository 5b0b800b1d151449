import type { CustomerId, IntegratorId, PasskeyId, PublicMachineId, SessionId, UserId } from '../../domain/ids.ts';
import type { Role } from '../../domain/permissions.ts';
import type { SignInMethod } from '../../domain/signIns/methods.ts';
import { boolean, column, defaulted, defineTable, int4, int8, nullable, text, timestamptz, uuid } from './defineTable.ts';

/** The kind of a session's owner: an administrator, a customer in the portal, an integrator, or a user of the command-line tool. */
export type SessionKind = 'admin' | 'customer' | 'integrator' | 'cli';

/** Why a session ended before its time. */
export type SessionEnd =
  | 'signed_out'
  | 'key_rotated'
  | 'password_changed'
  | 'password_reset'
  | 'passkey_removed'
  | 'customer_suspended'
  | 'customer_churned'
  | 'customer_deleted'
  | 'user_deactivated'
  | 'user_suspended'
  | 'role_changed'
  | 'member_removed'
  | 'sessions_revoked'
  | 'key_sign_in_off'
  | 'machine_removed'
  | 'integrator_suspended'
  | 'integrator_churned'
  | 'integrator_deleted';

export const sessionTable = defineTable('auth.session', {
  key: ['token_hash'],
  columns: {
    /** SHA-256 of the token, hex. */
    token_hash: text(),
    /** Names the session in lists and events. */
    session_id: defaulted(uuid<SessionId>()),
    kind: text<SessionKind>(),
    user_id: nullable(uuid<UserId>()),
    customer_id: nullable(uuid<CustomerId>()),
    /** The integrator itself, or the one of the customer. */
    integrator_id: nullable(uuid<IntegratorId>()),
    /** The machine of a tool's session; null for those that versions without approvals opened. */
    machine: nullable(uuid<PublicMachineId>()),
    /** Null for a sign-in with a key and for tools. */
    role: nullable(text<Role>()),
    /** Null for a session of the versions before, like the three columns below. */
    method: nullable(text<SignInMethod>()),
    /** Personal data: null again once the named user or the tenant is erased. */
    address: nullable(text()),
    browser: nullable(text()),
    authenticated_at: nullable(timestamptz()),
    created_at: timestamptz(),
    last_seen_at: timestamptz(),
    /** The absolute end, also of a session in use. */
    expires_at: timestamptz(),
    ended_at: nullable(timestamptz()),
    ended_reason: nullable(text<SessionEnd>()),
  },
});

/** Wrong keys by tier (`key 203.0.113.0/24`, `admin all`) and minute. */
export const signInFailureTable = defineTable('auth.sign_in_failures', {
  key: ['bucket', 'window_start'],
  columns: { bucket: text(), window_start: timestamptz(), failures: int4() },
});

/** Permits of a bucket: those held while a guess is evaluated, by when they were taken, and those spent on a wrong one. */
export const signInPermitTable = defineTable('auth.sign_in_permit', {
  key: ['bucket'],
  columns: {
    bucket: text(),
    held: column<Date[]>('timestamp with time zone[]'),
    spent: column<Date[]>('timestamp with time zone[]'),
    touched_at: defaulted(timestamptz()),
  },
});

/** The admin key in use: at most one row; `hash` is argon2id. */
export const adminKeyTable = defineTable('auth.admin_key', { key: ['id'], columns: { id: defaulted(boolean()), hash: text() } });

/** The last admin key from the environment: at most one row; `hash` is argon2id. */
export const givenAdminKeyTable = defineTable('auth.given_admin_key', {
  key: ['id'],
  columns: { id: defaulted(boolean()), hash: text() },
});

/** The last 30 s step whose one-time password signed in a member: no code is accepted twice. */
export const oneTimePasswordTable = defineTable('auth.one_time_password', {
  key: ['user_id'],
  columns: { user_id: uuid<UserId>(), step: int8() },
});

/** The signature counter of a passkey, which only rises, and its last use; null if it was added and not used. */
export const passkeyUseTable = defineTable('auth.passkey_use', {
  key: ['passkey_id'],
  columns: { passkey_id: uuid<PasskeyId>(), user_id: uuid<UserId>(), counter: int8(), used_at: nullable(timestamptz()) },
});

/** Challenges that were answered and have not expired: none is accepted twice. The hash is SHA-256, hex. */
export const passkeyChallengeTable = defineTable('auth.passkey_challenge', {
  key: ['challenge_hash'],
  columns: { challenge_hash: text(), expires_at: timestamptz() },
});

/**
 * Device authorizations until they expire. The device code is hashed by SHA-256, the user code and the address by HMAC, since both are
 * short; the machine and the session of the approval are sealed.
 */
export const deviceRequestTable = defineTable('auth.device_request', {
  key: ['device_hash'],
  columns: {
    device_hash: text(),
    user_hash: text(),
    source_hash: text(),
    request: text(),
    /** `deciding` while the approval is recorded. */
    state: text<'pending' | 'deciding' | 'approved' | 'rejected'>(),
    approver: nullable(text()),
    /** The user who decides or decided. */
    user_id: nullable(uuid<UserId>()),
    interval_s: int4(),
    polled_at: nullable(timestamptz()),
    expires_at: timestamptz(),
  },
});

/** The browsers and addresses that a member signed in from, as keyed hashes, and when last. */
export const memberPlaceTable = defineTable('auth.member_place', {
  key: ['user_id', 'place'],
  columns: { user_id: uuid<UserId>(), place: text(), used_at: timestamptz() },
});

/** How many wrong codes followed the right password of a member within an hour. */
export const wrongCodeTable = defineTable('auth.wrong_code', {
  key: ['user_id'],
  columns: { user_id: uuid<UserId>(), since: timestamptz(), n: int4() },
});

/** Wrong passwords of named users by minute, for keyed hashes of email addresses, also of unknown ones. */
export const accountFailureTable = defineTable('auth.account_failure', {
  key: ['account', 'minute'],
  columns: { account: text(), minute: timestamptz(), failures: int4() },
});

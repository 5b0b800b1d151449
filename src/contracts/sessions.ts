import { z } from 'zod';
import type { SessionId, UserId } from '../domain/ids.ts';
import { MAX_KEY, MAX_PASSWORD } from '../domain/limits.ts';
import { SIGN_IN_METHODS } from '../domain/signIns/methods.ts';
import { instant, text } from './fields.ts';
import { finishOpenId } from './identityProvider.ts';
import { passkeyAssertion } from './passkeys.ts';
import { ok } from './replies.ts';

const session = z.object({
  sessionId: z.custom<SessionId>((value) => typeof value === 'string'),
  /** The named user; null where the tenant's key signed in. */
  userId: z.custom<UserId>((value) => typeof value === 'string').nullable(),
  name: z.string().nullable(),
  /** The four are null for a session that a version without them opened. */
  method: z.enum(SIGN_IN_METHODS).nullable(),
  address: z.string().nullable(),
  /** As in `Chrome on Windows`. */
  browser: z.string().nullable(),
  startedAt: instant,
  /** Up to about a minute ago, for uses are written late. */
  lastSeenAt: instant,
  expiresAt: instant,
  /** Whether it is the session of the request. */
  isCurrent: z.boolean(),
});
/** A session of the console that is open. */
export type OpenSession = z.infer<typeof session>;

/** Open sessions, the one used last first: at most 500. */
export const sessionsReply = ok({ sessions: z.array(session) });
/** The reply of the lists of sessions. */
export type SessionsReply = z.infer<typeof sessionsReply>;

/** The query of `POST /api/sessions/revoke-others`. */
export const revokeOthersQuery = z.strictObject({ openedBefore: instant.optional() });

/** How many sessions ended. */
export const revokedReply = ok({ revoked: z.int() });
export type RevokedReply = z.infer<typeof revokedReply>;

const password = z.string().min(1).max(MAX_PASSWORD);

/** What proves again who the user of a session is; which of them it takes, `GET /api/auth/reauthenticate` says. */
export const reauthenticate = z.discriminatedUnion('method', [
  /** The admin key, master license key or license key. */
  z.strictObject({ method: z.literal('key'), key: text(MAX_KEY, 'Please enter your key') }),
  z.strictObject({ method: z.literal('portal_password'), password }),
  /** `code` is needed where the named user has a second factor (`code_required`). */
  z.strictObject({ method: z.literal('password'), password, code: text(40, 'Please enter the code').optional() }),
  /** For the challenge of `POST /api/account/passkeys/confirmation-options`. */
  z.strictObject({ method: z.literal('passkey'), assertion: passkeyAssertion }),
  /** The parameters of the redirect after `POST /api/auth/reauthenticate/openid`. */
  z.strictObject({ method: z.literal('openid'), returned: finishOpenId }),
]);
export type ReauthenticateBody = z.infer<typeof reauthenticate>;

/** What a session can authenticate again with; empty where only another sign-in helps. */
export const reauthenticationReply = ok({
  methods: z.array(z.enum(['key', 'portal_password', 'password', 'passkey', 'openid'])),
  /** Whether the password needs a code too. */
  codeRequired: z.boolean(),
  /** Until when the calls that ask for a recent authentication are accepted; null if they are not. */
  recentUntil: instant.nullable(),
});
export type ReauthenticationReply = z.infer<typeof reauthenticationReply>;

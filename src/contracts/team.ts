import { z } from 'zod';
import type { UserId } from '../domain/ids.ts';
import { MAX_EMAIL, MAX_PASSWORD, MIN_PASSWORD } from '../domain/limits.ts';
import { ROLES } from '../domain/permissions.ts';
import { email, instant, name, reverts, text } from './fields.ts';
import { newPasskey, passkey, passkeyAssertion } from './passkeys.ts';
import { ok } from './replies.ts';

/** A role of any kind of tenant; those of another kind than the caller's are refused. */
const role = z.enum([...new Set(Object.values(ROLES).flat())]);

/** Whether the email of an invitation was sent, or will be: `delayed` after a failed attempt. */
const invitationEmail = z.enum(['waiting', 'delayed', 'sent', 'failed']);
export type InvitationEmail = z.infer<typeof invitationEmail>;

/** A named user of a tenant. */
export const member = z.object({
  userId: z.custom<UserId>((value) => typeof value === 'string'),
  name: z.string(),
  email: z.string(),
  role,
  status: z.enum(['invited', 'joined']),
  /** Null where there is no valid invitation. */
  invitationExpiresAt: instant.nullable(),
  /** Whether the invitation was emailed, in the list of members only; null without a mail server, and after 7 days. */
  invitationEmail: invitationEmail.nullable().optional(),
  invitedAt: instant,
  joinedAt: instant.nullable(),
  hasPassword: z.boolean(),
  /** Whether one-time passwords are on. */
  hasSecondFactor: z.boolean(),
  passkeys: z.int(),
  /** Whether a user of the identity provider is linked, who signs in with OpenID Connect. */
  hasIdentity: z.boolean(),
});
/** A named user of the caller's tenant. */
export type TeamMember = z.infer<typeof member>;

/** Whether the tenant's key signs in: always, as an emergency access that every owner is notified of, or not at all. */
const keySignIn = z.enum(['allowed', 'break_glass', 'off']);
/** How the members of a tenant sign in. */
export const policy = z.object({
  keySignIn,
  secondFactorRequired: z.boolean(),
});
/** How the members of a tenant sign in. */
export type TeamPolicy = z.infer<typeof policy>;

/** The named users of the caller's tenant by name, and its sign-in policy. */
export const teamReply = ok({ members: z.array(member), policy });
export type TeamReply = z.infer<typeof teamReply>;
/** The member after the change. */
export const memberReply = ok({ member });
export type MemberReply = z.infer<typeof memberReply>;
/** The sign-in policy after the change. */
export const policyReply = ok({ policy });

/** A named user to invite to the caller's tenant, by an email address that no other member has. */
export const inviteMember = z.strictObject({ name, email, role });
export type InviteMemberBody = z.infer<typeof inviteMember>;
/** `path` is the invitation's link on this server: it is shown once. `emailed`: the server also sends it to the member. */
export const invitationReply = ok({ member, path: z.string(), emailed: z.boolean() });
export type InvitationReply = z.infer<typeof invitationReply>;

/** Absent fields stay unchanged. */
export const changeMember = z.strictObject({ name: name.optional(), email: email.optional(), role: role.optional(), reverts });
export type ChangeMemberBody = z.infer<typeof changeMember>;
/** Absent fields stay unchanged. */
export const changePolicy = z.strictObject({
  keySignIn: keySignIn.optional(),
  secondFactorRequired: z.boolean().optional(),
  reverts,
});
export type ChangePolicyBody = z.infer<typeof changePolicy>;

/** `<invitation id>.<256 random bits>`, as the link has it after the #. */
const token = text(100).pipe(z.string().regex(/^[0-9a-f-]{36}\.[A-Za-z0-9_-]{43}$/, 'Open the link of the invitation again'));
const newPassword = z
  .string()
  .min(MIN_PASSWORD, `Must be at least ${MIN_PASSWORD} characters`)
  .max(MAX_PASSWORD, `Must be at most ${MAX_PASSWORD} characters`);
const password = z.string().min(1).max(MAX_PASSWORD);
/** Six digits, or a recovery code. */
const code = text(40, 'Please enter the code');
/** The shared secret of one-time passwords, base32. */
const secret = z.string().regex(/^[A-Z2-7]{32}$/, 'Must be the secret that the server returned');

const tenant = z.object({ kind: z.enum(['administration', 'integrator', 'customer']), name: z.string() });

/** The token of an invitation's link, sent without a session to see what the invitation offers. */
export const openInvitation = z.strictObject({ token });
/** What an invitation offers, and a secret that may become the member's second factor. */
export const openInvitationReply = ok({
  name: z.string(),
  email: z.string(),
  role,
  tenant,
  expiresAt: instant,
  secondFactorRequired: z.boolean(),
  secondFactor: z.object({ secret: z.string(), uri: z.string() }),
});
export type OpenInvitationReply = z.infer<typeof openInvitationReply>;

/** Either a password or a passkey. `secondFactor` proves by a code that the member's device has the secret. */
export const acceptInvitation = z
  .strictObject({
    token,
    password: newPassword.optional(),
    secondFactor: z.strictObject({ secret, code }).optional(),
    passkey: newPasskey.optional(),
  })
  .refine(({ password, passkey: added }) => (password === undefined) !== (added === undefined), {
    path: ['password'],
    message: 'Enter a password, or add a passkey',
  });
export type AcceptInvitationBody = z.infer<typeof acceptInvitation>;
/** The recovery codes are shown once; null without a second factor. */
export const acceptInvitationReply = ok({ recoveryCodes: z.array(z.string()).nullable() });
export type AcceptInvitationReply = z.infer<typeof acceptInvitationReply>;

/**
 * `code` is needed where the member has a second factor (`code_required`), `tenantId` where the password is that of members of several
 * tenants (`tenant_required`).
 */
export const memberLogin = z.strictObject({
  email: text(MAX_EMAIL, 'Please enter your email address'),
  password,
  code: code.optional(),
  tenantId: z.uuid().optional(),
});
export type MemberLoginBody = z.infer<typeof memberLogin>;

/** The member of the session, who is null where a key signed in, and the own passkeys in the order in which they were added. */
export const accountReply = ok({ member: member.nullable(), recoveryCodesLeft: z.int(), passkeys: z.array(passkey) });
export type AccountReply = z.infer<typeof accountReply>;

/**
 * A change of the own sign-in needs the password again, or an own passkey; of a user who has neither on the host, such as after sign-ins at
 * an identity provider, an authentication within the last 10 minutes.
 */
const confirmation = {
  currentPassword: password.optional(),
  assertion: passkeyAssertion.optional(),
  recentAuthentication: z.literal(true).optional(),
};
type Confirmations = { currentPassword?: unknown; assertion?: unknown; recentAuthentication?: unknown };
const isConfirmed = ({ currentPassword, assertion, recentAuthentication }: Confirmations): boolean =>
  [currentPassword, assertion, recentAuthentication].filter((given) => given !== undefined).length === 1;
/** The issue of a request that confirms nothing. */
export const unconfirmed = { path: ['currentPassword'], message: 'Enter your password, or use a passkey' };

/** A change of the own password, with exactly one confirmation. */
export const changeOwnPassword = z.strictObject({ ...confirmation, newPassword }).refine(isConfirmed, unconfirmed);
export type ChangeOwnPasswordBody = z.infer<typeof changeOwnPassword>;
/** A new secret for one-time passwords in base32, and its `otpauth:` URI for a QR code. It is stored only when it is enabled. */
export const newSecondFactorReply = ok({ secret: z.string(), uri: z.string() });
export type NewSecondFactorReply = z.infer<typeof newSecondFactorReply>;
/** Turns one-time passwords on with a secret that the server proposed, and a code of it that proves that the device has it. */
export const enableSecondFactor = z.strictObject({ ...confirmation, secret, code }).refine(isConfirmed, unconfirmed);
export type EnableSecondFactorBody = z.infer<typeof enableSecondFactor>;
/** A change of the own sign-in that needs no more than the confirmation. */
export const confirmChange = z.strictObject(confirmation).refine(isConfirmed, unconfirmed);
export type ConfirmChangeBody = z.infer<typeof confirmChange>;
/** A passkey that the signed-in named user adds, with exactly one confirmation. */
export const addPasskey = z.strictObject({ ...confirmation, passkey: newPasskey }).refine(isConfirmed, unconfirmed);
export type AddPasskeyBody = z.infer<typeof addPasskey>;
/** New recovery codes, which are valid once each. This reply is the only one with them. */
export const recoveryCodesReply = ok({ recoveryCodes: z.array(z.string()) });
export type RecoveryCodesReply = z.infer<typeof recoveryCodesReply>;

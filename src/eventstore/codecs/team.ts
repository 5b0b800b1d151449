import { z } from 'zod';
import { type Permission, ROLES } from '../../domain/permissions.ts';
import type { TeamEvent } from '../../domain/team/events.ts';
import { tenantKindOf } from '../../domain/team/teamId.ts';
import { signInDayOwner } from '../../security/owner.ts';
import { type CategoryCodec, eventCodec, first, formerShape, shape } from './codec.ts';
import {
  apiTokenId,
  identityProviderId,
  invitationId,
  noticeId,
  passkeyId,
  sessionId,
  teamId,
  text,
  textOrNull,
  userId,
} from './fields.ts';

const role = z.enum([...new Set(Object.values(ROLES).flat())]);
/** A stored token stays readable when a later version no longer has one of its scopes. */
const scopes = z.array(z.custom<Permission>((value) => typeof value === 'string')).readonly();
const texts = z.array(text).readonly();

const noticed = z.strictObject({ userId, noticeId, address: textOrNull, browser: textOrNull });

const CUSTOMER = 'customer.';

/**
 * Personal data and secrets are sealed by the data key of the member, or of the identity provider, which is destroyed with the removal; those
 * of an API token, and the address of a sign-in with the key, by that of the team, which is destroyed with the tenant. The administration
 * is never deleted, so such an address is sealed by the key of the day, which is destroyed after the retention of sign-ins.
 * A customer's member has the data key of its portal user, which stays until the user is removed: the user may be invited again. Former
 * versions sealed these by the customer's key.
 */
export const teamCodec: CategoryCodec<TeamEvent> = {
  ownerOf: (id, { userId: member, providerId: provider, day }) => {
    if (typeof member === 'string') return `user:${member}`;
    if (typeof provider === 'string') return `identityProvider:${provider}`;
    return typeof day === 'string' && tenantKindOf(teamId.parse(id)) === 'administration' ? signInDayOwner(day) : `team:${id}`;
  },
  formerOwnerOf: (id, { userId: member }) =>
    typeof member === 'string' && id.startsWith(CUSTOMER) ? `customer:${id.slice(CUSTOMER.length)}` : null,
  events: {
    MemberInvited: first(
      z.strictObject({ teamId, userId, invitationId, name: text, email: text, role, tokenHash: text, expiresAt: text }),
      ['name', 'email'],
    ),
    InvitationWithdrawn: first(z.strictObject({ userId, invitationId })),
    MemberJoined: first(z.strictObject({ userId, invitationId })),
    MemberDetailsChanged: first(z.strictObject({ userId, name: text, email: text }), ['name', 'email']),
    MemberRoleChanged: first(z.strictObject({ userId, role })),
    MemberRemoved: first(z.strictObject({ userId })),
    MemberPasswordSet: first(z.strictObject({ userId, passwordHash: text }), ['passwordHash']),
    SecondFactorEnabled: first(z.strictObject({ userId, secret: text, recoveryCodeHashes: texts }), ['secret']),
    SecondFactorDisabled: first(z.strictObject({ userId })),
    RecoveryCodesReplaced: first(z.strictObject({ userId, recoveryCodeHashes: texts })),
    RecoveryCodeUsed: first(z.strictObject({ userId, recoveryCodeHash: text })),
    PasskeyAdded: first(
      z.strictObject({
        userId,
        passkeyId,
        credentialId: text,
        publicKey: text,
        name: text,
        host: text,
        transports: texts,
        isBackedUp: z.boolean(),
      }),
      ['credentialId', 'publicKey', 'name'],
    ),
    PasskeyRemoved: first(z.strictObject({ userId, passkeyId })),
    BreakGlassUsed: first(
      z.strictObject({ noticeId, owners: z.array(userId).readonly(), day: text, address: textOrNull, browser: textOrNull }),
      ['address'],
    ),
    NewSignInNoticed: first(noticed, ['address', 'browser']),
    WrongCodesNoticed: first(noticed, ['address', 'browser']),
    NoticesDismissed: first(z.strictObject({ userId, noticeIds: z.array(noticeId).readonly() })),
    MemberSessionsRevoked: eventCodec({
      1: formerShape(z.strictObject({ userId: userId.nullable() }), [], (former) => ({ ...former, sessionIds: null })),
      2: shape(z.strictObject({ userId: userId.nullable(), sessionIds: z.array(sessionId).readonly().nullable() })),
    }),
    SignInPolicyChanged: first(
      z.strictObject({ keySignIn: z.enum(['allowed', 'break_glass', 'off']), secondFactorRequired: z.boolean() }),
    ),
    IdentityProviderConfigured: first(
      z.strictObject({
        providerId: identityProviderId,
        issuer: text,
        clientId: text,
        clientSecret: text,
        domains: texts,
        roleClaim: textOrNull,
        roles: z.array(z.strictObject({ value: text, role })).readonly(),
        defaultRole: role.nullable(),
        newUsersJoin: z.boolean(),
        secondFactor: z.enum(['never', 'reported', 'always']),
      }),
      ['clientSecret'],
    ),
    IdentityProviderRemoved: first(z.strictObject({ providerId: identityProviderId })),
    MemberProvisioned: first(z.strictObject({ teamId, userId, name: text, email: text, role }), ['name', 'email']),
    IdentityLinked: first(z.strictObject({ userId, providerId: identityProviderId, subject: text }), ['subject']),
    IdentityUnlinked: first(z.strictObject({ userId })),
    ApiTokenCreated: first(
      z.strictObject({
        teamId,
        tokenId: apiTokenId,
        name: text,
        scopes,
        expiresAt: text,
        networks: text,
        tokenHash: text,
        createdBy: userId.nullable(),
        createdAt: text,
      }),
      ['name', 'networks'],
    ),
    ApiTokenRevoked: first(z.strictObject({ tokenId: apiTokenId })),
  },
};

import { z } from 'zod';
import { ROLES } from '../../domain/permissions.ts';
import type { TeamEvent } from '../../domain/team/events.ts';
import { type CategoryCodec, first } from './codec.ts';
import { invitationId, passkeyId, teamId, text, userId } from './fields.ts';

const role = z.enum([...new Set(Object.values(ROLES).flat())]);
const texts = z.array(text).readonly();

/** Personal data and secrets are sealed by the member's own data key, which is destroyed when the member is removed. */
export const teamCodec: CategoryCodec<TeamEvent> = {
  ownerOf: (_id, { userId: member }) => (typeof member === 'string' ? `user:${member}` : null),
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
    MemberSessionsRevoked: first(z.strictObject({ userId: userId.nullable() })),
    SignInPolicyChanged: first(
      z.strictObject({ keySignIn: z.enum(['allowed', 'break_glass', 'off']), secondFactorRequired: z.boolean() }),
    ),
  },
};

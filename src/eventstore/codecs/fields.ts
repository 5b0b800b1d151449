import { z } from 'zod';
import {
  type ApiTokenId,
  type CallVoidId,
  type ConnectionId,
  type CredentialId,
  type CustomerId,
  type IdentityProviderId,
  type IntegratorId,
  type InvitationId,
  isUuid,
  type MachineRequestId,
  type NoticeId,
  type OfflineLicenseId,
  type PasskeyId,
  type SessionId,
  type TeamId,
  type ThemeId,
  type UserId,
} from '../../domain/ids.ts';
import { eventCodec, shape } from './codec.ts';

const TEAM = /^(administration|(integrator|customer)\.[0-9a-f-]{36})$/;

const idOf = <Id extends string>() => z.custom<Id>(isUuid, 'Must be a UUID in lower case');

export const customerId = idOf<CustomerId>();
export const integratorId = idOf<IntegratorId>();
export const userId = idOf<UserId>();
export const themeId = idOf<ThemeId>();
export const credentialId = idOf<CredentialId>();
export const machineRequestId = idOf<MachineRequestId>();
export const offlineLicenseId = idOf<OfflineLicenseId>();
export const callVoidId = idOf<CallVoidId>();
export const connectionId = idOf<ConnectionId>();
export const invitationId = idOf<InvitationId>();
export const noticeId = idOf<NoticeId>();
export const passkeyId = idOf<PasskeyId>();
export const identityProviderId = idOf<IdentityProviderId>();
export const apiTokenId = idOf<ApiTokenId>();
export const sessionId = idOf<SessionId>();
export const teamId = z.custom<TeamId>((value) => typeof value === 'string' && TEAM.test(value), 'Must name a team');

/** Encrypted fields are plain strings, because they read `[erased]` after erasure. */
export const text = z.string();
export const textOrNull = z.string().nullable();
export const noData = z.strictObject({});

const reason = z.strictObject({ reason: textOrNull });

/** The data of a status change. A reason is free text with possible personal data, so version 2 encrypts it. */
export const sealedReason = eventCodec({ 1: shape(reason), 2: shape(reason, ['reason']) });

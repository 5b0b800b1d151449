import { createHash } from 'node:crypto';
import type {
  ApiTokenId,
  CallVoidId,
  ConnectionId,
  CredentialId,
  CustomerId,
  IdentityProviderId,
  IntegratorId,
  InvitationId,
  MachineRequestId,
  NoticeId,
  OfflineLicenseId,
  PasskeyId,
  SessionId,
  ThemeId,
  UserId,
} from '../../../src/domain/ids.ts';

/** The same UUID for the same name, so that tests can speak of Ada and Acme. */
const uuidOf = (kind: string, name: string): string => {
  const hex = createHash('sha256').update(`${kind}:${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

export const customerIdOf = (name = 'acme'): CustomerId => uuidOf('customer', name) as CustomerId;
export const integratorIdOf = (name = 'partner'): IntegratorId => uuidOf('integrator', name) as IntegratorId;
export const userIdOf = (name = 'ada'): UserId => uuidOf('user', name) as UserId;
export const themeIdOf = (name = 'ocean'): ThemeId => uuidOf('theme', name) as ThemeId;
export const credentialIdOf = (name = 'jira'): CredentialId => uuidOf('credential', name) as CredentialId;
export const machineRequestIdOf = (name = 'machine-2'): MachineRequestId => uuidOf('machineRequest', name) as MachineRequestId;
export const offlineLicenseIdOf = (name = 'first'): OfflineLicenseId => uuidOf('offlineLicense', name) as OfflineLicenseId;
export const callVoidIdOf = (name = 'first'): CallVoidId => uuidOf('callVoid', name) as CallVoidId;
export const connectionIdOf = (name = 'laptop'): ConnectionId => uuidOf('connection', name) as ConnectionId;
export const noticeIdOf = (name = 'notice'): NoticeId => uuidOf('notice', name) as NoticeId;
export const passkeyIdOf = (name = 'laptop'): PasskeyId => uuidOf('passkey', name) as PasskeyId;
export const sessionIdOf = (name = 'phone'): SessionId => uuidOf('session', name) as SessionId;
export const invitationIdOf = (name = 'ana'): InvitationId => uuidOf('invitation', name) as InvitationId;
export const identityProviderIdOf = (name = 'partner'): IdentityProviderId =>
  uuidOf('identityProvider', name) as IdentityProviderId;
export const apiTokenIdOf = (name = 'CI export'): ApiTokenId => uuidOf('apiToken', name) as ApiTokenId;

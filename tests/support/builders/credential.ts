import type {
  CredentialDeleted,
  CredentialExpired,
  CredentialRevised,
  CredentialStored,
  CredentialTested,
} from '../../../src/domain/credential/events.ts';
import { credentialIdOf, customerIdOf } from './ids.ts';

export const credentialStored = (overrides: Partial<CredentialStored['data']> = {}): CredentialStored => ({
  type: 'CredentialStored',
  data: {
    credentialId: credentialIdOf(),
    customerId: customerIdOf(),
    service: 'jira',
    instanceUrl: 'https://acme.example',
    username: 'bot',
    password: 'secret',
    apiToken: null,
    expiresAt: null,
    ...overrides,
  },
});
export const credentialRevised = (overrides: Partial<CredentialRevised['data']> = {}): CredentialRevised => ({
  type: 'CredentialRevised',
  data: {
    customerId: customerIdOf(),
    instanceUrl: 'https://acme.example',
    username: 'bot',
    password: null,
    apiToken: null,
    expiresAt: null,
    cleared: [],
    ...overrides,
  },
});
export const credentialTested = (ok = true, detail = 'Signed in'): CredentialTested => ({
  type: 'CredentialTested',
  data: { ok, detail, durationMs: 42 },
});
export const credentialExpired = (): CredentialExpired => ({ type: 'CredentialExpired', data: {} });
export const credentialDeleted = (): CredentialDeleted => ({ type: 'CredentialDeleted', data: {} });

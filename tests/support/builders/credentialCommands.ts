import type { ReviseCredential, StoreCredential } from '../../../src/domain/credential/commands.ts';
import { commandOf } from './command.ts';
import { credentialIdOf, customerIdOf } from './ids.ts';

const of = (customer = 'acme') => ({ credentialId: credentialIdOf(), customerId: customerIdOf(customer) });

export const storeCredential = (overrides: Partial<StoreCredential['data']> = {}) =>
  commandOf('StoreCredential', {
    ...of(),
    service: 'jira' as const,
    instanceUrl: 'https://acme.example',
    username: 'bot',
    password: 'secret',
    apiToken: null,
    expiresAt: null,
    ...overrides,
  });
export const reviseCredential = (overrides: Partial<ReviseCredential['data']> = {}) =>
  commandOf('ReviseCredential', {
    ...of(),
    instanceUrl: 'https://acme.example',
    username: 'bot',
    ...overrides,
  });
export const recordCredentialTest = (ok: boolean, detail = 'Signed in', revisions = 0) =>
  commandOf('RecordCredentialTest', { ...of(), ok, detail, durationMs: 42, revisions });
export const expireCredential = (at: string) => commandOf('ExpireCredential', of(), { at });
export const deleteCredential = (customer = 'acme') => commandOf('DeleteCredential', of(customer));

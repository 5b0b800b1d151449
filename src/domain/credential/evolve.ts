import type { Service } from '../enumerations.ts';
import type { CredentialId, CustomerId } from '../ids.ts';
import type { CredentialEvent, CredentialRevised, CredentialStored } from './events.ts';

/** A stored credential. Its secrets are plaintext here, and sealed in the event store. */
export type Credential = Readonly<{
  /** Untested from when it is stored or revised until its next test. */
  status: 'untested' | 'connected' | 'error' | 'expired';
  credentialId: CredentialId;
  customerId: CustomerId;
  service: Service;
  instanceUrl: string;
  username: string;
  password: string | null;
  apiToken: string | null;
  expiresAt: string | null;
  /** The number of times it was revised. */
  revisions: number;
}>;

/** The state of a credential's stream, before its first event and after its deletion too. */
export type CredentialState =
  | Credential
  | Readonly<{ status: 'unknown' }>
  | Readonly<{ status: 'deleted'; customerId: CustomerId }>;

const stored = ({ data }: CredentialStored): Credential => ({
  status: 'untested',
  credentialId: data.credentialId,
  customerId: data.customerId,
  service: data.service,
  instanceUrl: data.instanceUrl,
  username: data.username,
  password: data.password,
  apiToken: data.apiToken,
  expiresAt: data.expiresAt,
  revisions: 0,
});

const revised = (credential: Credential, { data }: CredentialRevised): Credential => ({
  ...credential,
  status: 'untested',
  instanceUrl: data.instanceUrl,
  username: data.username,
  password: data.cleared.includes('password') ? null : (data.password ?? credential.password),
  apiToken: data.cleared.includes('apiToken') ? null : (data.apiToken ?? credential.apiToken),
  expiresAt: data.cleared.includes('expiresAt') ? null : (data.expiresAt ?? credential.expiresAt),
  revisions: credential.revisions + 1,
});

const evolveCredential = (credential: Credential, event: CredentialEvent): CredentialState => {
  switch (event.type) {
    case 'CredentialStored':
      return stored(event);
    case 'CredentialRevised':
      return revised(credential, event);
    case 'CredentialTested':
      if (credential.status === 'expired') return credential;
      return { ...credential, status: event.data.ok ? 'connected' : 'error' };
    case 'CredentialExpired':
      return { ...credential, status: 'expired' };
    case 'CredentialDeleted':
      return { status: 'deleted', customerId: credential.customerId };
  }
};

/** Total. Only `CredentialStored` changes an unknown credential, and nothing a deleted one. An expired one stays so until revised. */
export const evolve = (state: CredentialState, event: CredentialEvent): CredentialState => {
  switch (state.status) {
    case 'unknown':
      return event.type === 'CredentialStored' ? stored(event) : state;
    case 'deleted':
      return state;
    case 'untested':
    case 'connected':
    case 'error':
    case 'expired':
      return evolveCredential(state, event);
  }
};

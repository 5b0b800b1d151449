import type { DomainEvent } from '../event.ts';
import type { CredentialId, CustomerId } from '../ids.ts';

export type Service = 'jira' | 'azdo' | 'confluence';

export type CredentialStored = DomainEvent<
  'CredentialStored',
  {
    credentialId: CredentialId;
    customerId: CustomerId;
    service: Service;
    instanceUrl: string;
    username: string;
    password: string;
    apiToken: string | null;
    expiresAt: string | null;
  }
>;
/** What is null was left as it stood. `customerId` says whose data key seals it. */
export type CredentialRevised = DomainEvent<
  'CredentialRevised',
  {
    customerId: CustomerId;
    instanceUrl: string;
    username: string;
    password: string | null;
    apiToken: string | null;
    expiresAt: string | null;
  }
>;
export type CredentialTested = DomainEvent<'CredentialTested', { ok: boolean; detail: string; durationMs: number }>;
export type CredentialExpired = DomainEvent<'CredentialExpired'>;
export type CredentialDeleted = DomainEvent<'CredentialDeleted'>;

export type CredentialEvent = CredentialStored | CredentialRevised | CredentialTested | CredentialExpired | CredentialDeleted;

import type { Service } from '../enumerations.ts';
import type { DomainEvent } from '../event.ts';
import type { CredentialId, CustomerId } from '../ids.ts';

export type CredentialStored = DomainEvent<
  'CredentialStored',
  {
    credentialId: CredentialId;
    customerId: CustomerId;
    service: Service;
    instanceUrl: string;
    username: string;
    /** Null where the API token alone signs in. */
    password: string | null;
    apiToken: string | null;
    expiresAt: string | null;
  }
>;
/** What can be removed from a credential. */
export type Clearable = 'password' | 'apiToken' | 'expiresAt';

/** Null fields were kept, or removed if `cleared` names them. `customerId` is the owner of the data key that seals them. */
export type CredentialRevised = DomainEvent<
  'CredentialRevised',
  {
    customerId: CustomerId;
    instanceUrl: string;
    username: string;
    password: string | null;
    apiToken: string | null;
    expiresAt: string | null;
    cleared: readonly Clearable[];
  }
>;
export type CredentialTested = DomainEvent<'CredentialTested', { ok: boolean; detail: string; durationMs: number }>;
export type CredentialExpired = DomainEvent<'CredentialExpired'>;
export type CredentialDeleted = DomainEvent<'CredentialDeleted'>;

/** The events of a credential's stream. */
export type CredentialEvent = CredentialStored | CredentialRevised | CredentialTested | CredentialExpired | CredentialDeleted;

import type { Command } from '../decider.ts';
import type { CredentialId, CustomerId } from '../ids.ts';
import type { Service } from './events.ts';

type OfCredential<Data extends object = object> = Data & { credentialId: CredentialId; customerId: CustomerId };

export type StoreCredential = Command<
  'StoreCredential',
  OfCredential<{
    service: Service;
    instanceUrl: string;
    username: string;
    password: string | null;
    apiToken: string | null;
    expiresAt: string | null;
  }>
>;
/** A secret or an expiry that is absent stays as it stands; null removes it. */
export type ReviseCredential = Command<
  'ReviseCredential',
  OfCredential<{
    instanceUrl: string;
    username: string;
    password?: string | null | undefined;
    apiToken?: string | null | undefined;
    expiresAt?: string | null | undefined;
  }>
>;
/**
 * What a try against the service showed; `detail` is for people and holds no secret. `revisions` are those of the credential as it was
 * tried: what came of a login that was revised meanwhile says nothing of the one that stands now.
 */
type RecordCredentialTest = Command<
  'RecordCredentialTest',
  OfCredential<{ ok: boolean; detail: string; durationMs: number; revisions: number }>
>;
/** Does nothing before the credential's time (the command's `at` against `expiresAt`). */
export type ExpireCredential = Command<'ExpireCredential', OfCredential>;
type DeleteCredential = Command<'DeleteCredential', OfCredential>;

export type CredentialCommand = StoreCredential | ReviseCredential | RecordCredentialTest | ExpireCredential | DeleteCredential;

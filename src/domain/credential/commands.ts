import type { Command } from '../decider.ts';
import type { Service } from '../enumerations.ts';
import type { CredentialId, CustomerId } from '../ids.ts';

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
/** An absent secret or expiry stays unchanged; null removes it. */
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
 * The result of a test against the service; `detail` is a sentence without secrets. `revisions` is that of the tested credential: the
 * result is ignored if the credential was revised during the test.
 */
type RecordCredentialTest = Command<
  'RecordCredentialTest',
  OfCredential<{ ok: boolean; detail: string; durationMs: number; revisions: number }>
>;
/** Does nothing before the credential's expiry (the command's `at` against `expiresAt`). */
export type ExpireCredential = Command<'ExpireCredential', OfCredential>;
type DeleteCredential = Command<'DeleteCredential', OfCredential>;

/** All commands to a credential. */
export type CredentialCommand = StoreCredential | ReviseCredential | RecordCredentialTest | ExpireCredential | DeleteCredential;

import type { Credential } from '../../../../../src/contracts/credentials.ts';
import type { Service } from '../../../../../src/domain/enumerations.ts';
import { dayOf } from '../../../../../src/domain/time.ts';

/** Values of the credential form. `expiresAt` is a day, yyyy-mm-dd. */
export type CredentialFormValues = {
  service: Service;
  instanceUrl: string;
  username: string;
  password: string;
  apiToken: string;
  expiresAt: string;
  /** Whether the stored secret is removed; only where one is stored. */
  removesPassword: boolean;
  removesApiToken: boolean;
};

export const newCredential: CredentialFormValues = {
  service: 'jira',
  instanceUrl: '',
  username: '',
  password: '',
  apiToken: '',
  expiresAt: '',
  removesPassword: false,
  removesApiToken: false,
};

/** Secrets are never shown again, so their fields start empty. */
export const valuesOf = ({ service, instanceUrl, username, expiresAt }: Credential): CredentialFormValues => ({
  ...newCredential,
  service,
  instanceUrl,
  username,
  expiresAt: expiresAt === null ? '' : dayOf(expiresAt),
});

/** The end of the chosen day; the previous instant if the day did not change. */
const instantOf = (day: string, before: string | null): string | null => {
  if (day === '') return null;
  return before !== null && day === dayOf(before) ? before : `${day}T23:59:59.999Z`;
};

/** The body of the request: an API token is used for Jira only. */
export const storeBodyOf = ({ service, instanceUrl, username, password, apiToken, expiresAt }: CredentialFormValues) => ({
  service,
  instanceUrl,
  username,
  password,
  apiToken: service === 'jira' ? apiToken : null,
  expiresAt: instantOf(expiresAt, null),
});

/** An empty field is not sent and keeps its stored value, except for the expiry: an empty expiry is removed. */
export const updateBodyOf = (typed: CredentialFormValues, before: Credential) => ({
  instanceUrl: typed.instanceUrl,
  username: typed.username,
  password: typed.removesPassword ? null : typed.password,
  apiToken: before.service !== 'jira' ? undefined : typed.removesApiToken ? null : typed.apiToken,
  expiresAt: instantOf(typed.expiresAt, before.expiresAt),
});

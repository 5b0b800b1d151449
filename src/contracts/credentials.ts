import { z } from 'zod';
import { MAX_EMAIL, MAX_SECRET } from '../domain/limits.ts';
import { credentialId, httpUrl, instant, service, text } from './fields.ts';
import { listQuery, ok, page } from './replies.ts';

/** A credential without its secrets: no reply ever holds one. */
const credential = z.object({
  id: credentialId,
  service,
  username: z.string(),
  hasPassword: z.boolean(),
  hasApiToken: z.boolean(),
  instanceUrl: z.string(),
  status: z.enum(['connected', 'expired', 'error']).nullable(),
  /** Why its last test failed, as a sentence, if its status is an error; otherwise null. */
  reason: z.string().nullable(),
  lastUsed: instant.nullable(),
  expiresAt: instant.nullable(),
  createdAt: instant,
});
/** A credential as replies contain it. `status` is null until its first test. */
export type Credential = z.infer<typeof credential>;
const { limit, cursor } = listQuery;
/** Credentials are listed oldest first. */
export const credentialQuery = z.strictObject({ limit, cursor });
/** The query of `GET /api/credentials/list` after parsing. */
export type CredentialQuery = z.infer<typeof credentialQuery>;
/** A page of a customer's credentials. */
export const credentialsReply = page({ credentials: z.array(credential) });
export type CredentialsReply = z.infer<typeof credentialsReply>;
/** A credential after it was stored or changed, with the result of its test in `status` and `reason`. */
export const credentialReply = ok({ credential });
/** A failed test is a successful request: the status is 200 and `error` is the result. */
export const credentialTestReply = z.discriminatedUnion('success', [
  ok({ credential }),
  z.object({ success: z.literal(false), error: z.string(), credential }),
]);
export type CredentialTestReply = z.infer<typeof credentialTestReply>;

const secret = z.string().min(1, 'Must not be empty').max(MAX_SECRET);
const optionalSecret = z.preprocess((value) => (value === undefined || value === '' ? null : value), secret.nullable());
/** Absent or empty keeps the stored secret, null removes it. */
const changedSecret = z.preprocess((value) => (value === '' ? undefined : value), secret.nullable().optional());
const tokenOnlyForJira = (value: { service: string; apiToken: string | null }): boolean =>
  value.apiToken === null || value.service === 'jira';

/** The body of `POST /api/credentials/store`. */
export const storeCredential = z
  .strictObject({
    service,
    instanceUrl: httpUrl,
    username: text(MAX_EMAIL),
    /** Not needed where an API token is given. */
    password: optionalSecret,
    apiToken: optionalSecret,
    expiresAt: instant.nullish(),
  })
  .refine(tokenOnlyForJira, { path: ['apiToken'], message: 'API tokens are supported only for Jira' })
  .refine(({ password, apiToken }) => password !== null || apiToken !== null, {
    path: ['password'],
    message: 'Enter a password, or for Jira an API token',
  });
export type StoreCredential = z.infer<typeof storeCredential>;

/** Absent fields are kept, null removes them. A new `instanceUrl` requires all secrets again. */
export const updateCredential = z.strictObject({
  instanceUrl: httpUrl,
  username: text(MAX_EMAIL),
  password: changedSecret,
  apiToken: changedSecret,
  expiresAt: instant.nullish(),
});
export type UpdateCredential = z.infer<typeof updateCredential>;

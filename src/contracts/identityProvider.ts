import { z } from 'zod';
import {
  MAX_CLAIM,
  MAX_CLAIM_VALUES,
  MAX_CLIENT_SECRET,
  MAX_EMAIL,
  MAX_EMAIL_DOMAINS,
  MAX_SECRET,
  MAX_URL,
} from '../domain/limits.ts';
import { ROLES } from '../domain/permissions.ts';
import { hostName, httpUrl, instant, optionalText, text } from './fields.ts';
import { ok } from './replies.ts';

/** A role of any kind of tenant; those of another kind than the caller's are refused. */
const role = z.enum([...new Set(Object.values(ROLES).flat())]);
const secondFactor = z.enum(['never', 'reported', 'always']);

const issuer = httpUrl
  .refine((value) => !/[?#]/.test(value), 'Must have no ? and #')
  .refine((value) => !value.includes('/.well-known/'), 'Must be the issuer only, without /.well-known/openid-configuration');

const domains = z
  .array(hostName)
  .min(1, 'Enter at least one domain')
  .max(MAX_EMAIL_DOMAINS, `Must be at most ${MAX_EMAIL_DOMAINS} domains`)
  .refine((names) => new Set(names).size === names.length, 'Each domain may be named once');

/** The client secret is kept if it is absent and the issuer and client ID stay the same. */
export const configureIdentityProvider = z
  .strictObject({
    issuer,
    clientId: text(MAX_CLAIM),
    clientSecret: optionalText(MAX_CLIENT_SECRET).optional(),
    domains,
    roleClaim: optionalText(MAX_CLAIM),
    roles: z
      .array(z.strictObject({ value: text(MAX_CLAIM), role }))
      .max(MAX_CLAIM_VALUES, `Must be at most ${MAX_CLAIM_VALUES} values`)
      .refine((roles) => new Set(roles.map(({ value }) => value)).size === roles.length, 'Each value may be named once'),
    defaultRole: role.nullable(),
    newUsersJoin: z.boolean(),
    secondFactor,
  })
  .refine(({ roleClaim, roles }) => roleClaim !== null || roles.length === 0, {
    path: ['roleClaim'],
    message: 'Enter the claim that has these values',
  })
  .refine(({ roleClaim, newUsersJoin, defaultRole }) => !newUsersJoin || roleClaim !== null || defaultRole !== null, {
    path: ['defaultRole'],
    message: 'Choose the role of users who join by themselves',
  });
export type ConfigureIdentityProviderBody = z.infer<typeof configureIdentityProvider>;

const provider = z.object({
  issuer: z.string(),
  clientId: z.string(),
  domains: z.array(z.object({ domain: z.string(), verifiedAt: instant.nullable() })),
  roleClaim: z.string().nullable(),
  roles: z.array(z.object({ value: z.string(), role })),
  defaultRole: role.nullable(),
  newUsersJoin: z.boolean(),
  secondFactor,
});
/** Where the named users of the caller's tenant sign in with OpenID Connect. */
export type IdentityProviderView = z.infer<typeof provider>;

/** `redirectUri` is what the provider must allow, `record` the TXT record that verifies the domains. */
export const identityProviderReply = ok({ provider: provider.nullable(), redirectUri: z.string(), record: z.string() });
export type IdentityProviderReply = z.infer<typeof identityProviderReply>;

/** `connected` says whether the configuration of the provider was fetched; `detail` is a sentence for users. */
export const identityProviderTestReply = ok({ connected: z.boolean(), detail: z.string() });
export type IdentityProviderTestReply = z.infer<typeof identityProviderTestReply>;

/** The email domains of an identity provider after their TXT records were looked up; `detail` is a sentence for users. */
export const emailDomainsReply = ok({
  domains: z.array(z.object({ domain: z.string(), verified: z.boolean(), detail: z.string() })),
});
export type EmailDomainsReply = z.infer<typeof emailDomainsReply>;

/** The domain of the email address selects the identity provider. */
export const beginOpenId = z.strictObject({
  email: text(MAX_EMAIL, 'Please enter your email address').pipe(z.email('Must be an email address')),
});
/** The address at the provider that the browser opens next. */
export const beginOpenIdReply = ok({ url: z.string() });
export type BeginOpenIdReply = z.infer<typeof beginOpenIdReply>;

/** The parameters of the redirect that brought the browser back; of others nothing is used. */
export const finishOpenId = z.strictObject({
  state: z.string().min(1).max(MAX_CLAIM),
  code: z.string().max(MAX_SECRET).optional(),
  iss: z.string().max(MAX_URL).optional(),
  error: z.string().max(MAX_CLAIM).optional(),
});
export type FinishOpenIdBody = z.infer<typeof finishOpenId>;

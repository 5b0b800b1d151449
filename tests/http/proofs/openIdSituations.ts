import type { IntegratorId } from '../../../src/domain/ids.ts';
import { teamIdOf } from '../../../src/domain/team/teamId.ts';
import { asIntegrator, type Client, clientOf, newIntegrator, type Reply } from '../../support/apiClient.ts';
import { startHostileProvider } from '../../support/hostileProvider.ts';
import { begin, finish, settingsOf } from '../../support/openId.ts';
import { type Caused, fromElsewhere, type Situation, type SituationContext } from './situation.ts';

/** The address of the identity provider: no other situation reaches it. */
export const OPENID_HOST = '127.0.0.9';
const PATH = '/api/team/identity-provider';
const START = '/api/auth/service-integrator/openid';

type Claims = Record<string, unknown>;
let tenants = 0;

/** A sign-in of `one` at a provider with these claims, after `prepare`. */
const signedInAt = async (
  { admin, url, server }: SituationContext,
  {
    settings = {},
    claims = {},
    prepare,
  }: {
    settings?: Claims;
    claims?: Claims;
    prepare?: (partner: Client, signIn: (claims: Claims) => Promise<Reply>) => Promise<unknown>;
  },
): Promise<Reply> => {
  tenants += 1;
  const domain = `catalogue-${tenants}.example`;
  const integrator = await newIntegrator(admin, { companyName: 'OpenID' });
  const partner = await asIntegrator(url, integrator);
  const provider = await startHostileProvider('any', OPENID_HOST);
  const signIn = async (own: Claims): Promise<Reply> => {
    const { address, cookie } = await begin(url, 'service-integrator', `one@${domain}`);
    provider.state.clientId = 'latchkey';
    provider.state.nonce = address.searchParams.get('nonce') ?? '';
    const claims = { email: `one@${domain}`, email_verified: true, ...own };
    provider.state.hostility = { claims, userInfo: { sub: own.sub ?? 'one' } };
    const state = address.searchParams.get('state') ?? '';
    return finish(url, 'service-integrator', cookie, { code: 'any', state, iss: provider.url });
  };
  try {
    await partner.put(PATH, settingsOf(provider.url, { domains: [domain], ...settings }));
    const teamId = teamIdOf({ kind: 'integrator', integratorId: integrator.id as IntegratorId });
    await server.product.emailDomains.take(teamId, domain, null);
    await prepare?.(partner, signIn);
    return await signIn(claims);
  } finally {
    await provider.close();
  }
};

/** What is refused about identity providers and their users. */
export const openIdSituations = {
  identity_provider_not_found: {
    cause: async ({ admin, url }) => (await asIntegrator(url, await newIntegrator(admin))).post(`${PATH}/verify`),
    status: 404,
    error: 'OpenID Connect is not set up here. Set it up first, or sign in another way.',
  },
  identity_provider_secret_required: {
    cause: ({ mine }) => mine.partner.put(PATH, { ...settingsOf('https://any.example'), clientSecret: null }),
    status: 400,
    error: 'Enter the client secret. It is needed again for another issuer or client ID.',
  },
  identity_provider_unusable: {
    cause: ({ mine }) => mine.partner.put(PATH, settingsOf('https://127.0.0.1:1')),
    status: 400,
    error: '127.0.0.1:1 resolves to a loopback address, which this server is not allowed to reach.',
  },
  identity_without_member: {
    cause: (context) => signedInAt(context, {}),
    status: 403,
    error: 'There is no account for you here yet. Ask an owner of your team to invite you.',
  },
  identity_of_other: {
    cause: (context) =>
      signedInAt(context, {
        settings: { newUsersJoin: true, defaultRole: 'auditor' },
        prepare: (_partner, signIn) => signIn({}),
        claims: { sub: 'another' },
      }),
    status: 403,
    error:
      'Your account here is linked to another account of your identity provider. Ask an owner of your team to remove and invite you.',
  },
  identity_without_role: {
    cause: (context) => signedInAt(context, { settings: { newUsersJoin: true, roleClaim: 'groups' } }),
    status: 403,
    error: 'Your identity provider gives you no role here. Ask the person who manages its groups.',
  },
  identity_without_second_factor: {
    cause: (context) =>
      signedInAt(context, { prepare: (partner) => partner.put('/api/team/policy', { secondFactorRequired: true }) }),
    status: 403,
    error:
      'Your team requires a second factor, and your identity provider did not report one. Sign in with your password and a code.',
  },
  openid_domain_unknown: {
    cause: ({ url }) => clientOf(url).post(START, { email: 'any@nobody.example' }, { headers: fromElsewhere() }),
    status: 404,
    error: 'There is no sign-in with OpenID Connect for this email address. Check the address, or sign in another way.',
  },
  openid_state_invalid: {
    cause: ({ url }) => clientOf(url).post(`${START}/callback`, { state: 'any' }, { headers: fromElsewhere() }),
    status: 403,
    error: 'This sign-in has expired, was used already or began in another browser. Sign in again.',
  },
  openid_failed: {
    cause: (context) => signedInAt(context, { claims: { nonce: 'another' } }),
    status: 403,
    error: 'The ID token is for another sign-in, client or issuer.',
  },
  openid_email_unverified: {
    cause: (context) => signedInAt(context, { claims: { email_verified: false } }),
    status: 403,
    error: 'Your identity provider has not verified your email address. Verify it there, then sign in again.',
  },
  openid_domain_foreign: {
    cause: (context) => signedInAt(context, { claims: { email: 'one@nobody.example' } }),
    status: 403,
    error: 'The domain of your email address does not belong to this identity provider. Sign in another way.',
  },
} satisfies Partial<Record<Caused, Situation>>;

import { MAX_PASSKEYS } from '../../../src/domain/limits.ts';
import { createPasskeyChallenges } from '../../../src/security/passkeyChallenges.ts';
import { asIntegrator, bearer, type Client, clientOf, newIntegrator } from '../../support/apiClient.ts';
import { type Authenticator, newAuthenticator } from '../../support/authenticator.ts';
import { invite, join, login, PASSWORD } from '../../support/members.ts';
import { addPasskey, asPasskeyOwner, confirmed, joinByPasskey, named, passkeyLogin } from '../../support/passkeys.ts';
import { type Caused, fromElsewhere, type Situation, type SituationContext } from './situation.ts';
import { MISSING } from './testAccounts.ts';

const PASSKEYS = '/api/account/passkeys';
const confirmation = { currentPassword: PASSWORD };

/** A service integrator whose team no other situation uses. */
const newPartner = async ({ admin, url }: SituationContext): Promise<Client> =>
  asIntegrator(url, await newIntegrator(admin, { companyName: 'Passkeys' }));

/** A member with a password, who signed in by name. */
const withPassword = async (context: SituationContext) => {
  const partner = await newPartner(context);
  const joined = await join(context.url, await invite(partner, 'owner'), { secondFactor: false });
  const { token } = (await login(context.url, 'service-integrator', joined)).body;
  return { partner, joined, member: clientOf(named(context.url), bearer(token)) };
};

/** A member who has nothing but a passkey. */
const withPasskey = async (context: SituationContext): Promise<{ member: Client; authenticator: Authenticator }> => {
  const authenticator = await joinByPasskey(context.url, await invite(await newPartner(context), 'owner'));
  return { authenticator, member: await asPasskeyOwner(context.url, 'service-integrator', authenticator) };
};

/** What is refused about passkeys. */
export const passkeySituations = {
  passkey_exists: {
    cause: async (context) => {
      const { member } = await withPassword(context);
      const authenticator = newAuthenticator();
      await addPasskey(member, context.url, confirmation, { authenticator });
      return addPasskey(member, context.url, confirmation, { authenticator });
    },
    status: 409,
    error: 'This passkey was added already',
  },
  passkey_not_found: {
    cause: async (context) => (await withPassword(context)).member.post(`${PASSKEYS}/${MISSING}/remove`, confirmation),
    status: 404,
    error: 'Passkey not found',
  },
  passkey_limit_reached: {
    cause: async (context) => {
      const { member } = await withPassword(context);
      for (let added = 0; added < MAX_PASSKEYS; added += 1) await addPasskey(member, context.url, confirmation);
      return addPasskey(member, context.url, confirmation);
    },
    status: 409,
    error: 'You have 10 passkeys, the maximum. Remove one first.',
  },
  last_sign_in_method: {
    cause: async (context) => {
      const { member, authenticator } = await withPasskey(context);
      const [{ passkeyId }] = (await member.get('/api/account')).body.passkeys;
      return member.post(`${PASSKEYS}/${passkeyId}/remove`, await confirmed(member, context.url, authenticator));
    },
    status: 409,
    error: 'Nothing else signs you in. Add another passkey or set a password first.',
  },
  wrong_passkey: {
    cause: async (context) => {
      const { authenticator } = await withPasskey(context);
      return passkeyLogin(context.url, 'admin', authenticator, { headers: fromElsewhere() });
    },
    status: 401,
    error: 'This passkey does not sign in here. Use another passkey, or sign in another way.',
  },
  wrong_own_passkey: {
    cause: async (context) => {
      const { member } = await withPasskey(context);
      return addPasskey(member, context.url, await confirmed(member, context.url, newAuthenticator(), { userHandle: 'AAAA' }));
    },
    status: 400,
    error: 'This passkey is not one of yours here. Use another one.',
  },
  passkey_not_confirmed: {
    cause: async (context) => {
      const { member } = await withPassword(context);
      return addPasskey(member, context.url, confirmation, { deviation: { userVerified: false } });
    },
    status: 400,
    error: 'The passkey could not be verified. Add it again.',
  },
  passkey_expired: {
    cause: async (context) => {
      const { db, secretFor } = context.server.product;
      const now = () => Date.now() - 6 * 60_000;
      const challenges = createPasskeyChallenges({ db, secret: secretFor('passkey challenges v1'), now });
      const challenge = challenges.issue({ purpose: 'sign_in', host: 'localhost', subject: '' });
      const { authenticator } = await withPasskey(context);
      return passkeyLogin(context.url, 'service-integrator', authenticator, { challenge });
    },
    status: 400,
    error: 'More than 5 minutes passed before the passkey was used. Try again.',
  },
  passkey_required: {
    cause: async (context) => {
      const { partner, member, joined } = await withPassword(context);
      await addPasskey(member, context.url, confirmation);
      await partner.put('/api/team/policy', { secondFactorRequired: true });
      return login(context.url, 'service-integrator', joined);
    },
    status: 403,
    error: 'A second factor is required. Sign in with your passkey.',
  },
  passkeys_unavailable: {
    cause: ({ url }) => clientOf(url).post('/api/auth/passkey/options'),
    status: 409,
    error: 'Passkeys need a host name. Open the console by its name, not by its IP address.',
  },
} satisfies Partial<Record<Caused, Situation>>;

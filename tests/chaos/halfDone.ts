import pg from 'pg';
import { asAdmin, asCustomer, bearer, type Client, clientOf, newCustomer } from '../support/apiClient.ts';
import { newAuthenticator } from '../support/authenticator.ts';
import { eventually } from '../support/eventually.ts';
import { PASSWORD } from '../support/members.ts';
import { addPasskey, named } from '../support/passkeys.ts';
import { type FlowContext, invited, joined, newEmail, newPartner, signedIn } from './accounts.ts';
import { expected } from './flow.ts';

const NEW_PASSWORD = 'another battery staple horse';
const AREA = 'service-integrator';

/** A change of what signs in, by a session whose user has another one. */
type Change = Readonly<{
  name: string;
  act: () => Promise<unknown>;
  /** Whether the change has happened, as the user finds out. */
  hasHappened: () => Promise<boolean>;
  /** The other session of the user. */
  other: Client;
  /** It also ends the other sessions before it happens, so that these may have ended although it has not. */
  endsBefore?: true;
}>;

const newMember = async (context: FlowContext) => {
  const { url } = context;
  const { partner } = await newPartner(context);
  const email = newEmail();
  await joined(url, await invited(partner, email, 'manager'), { password: PASSWORD });
  const login = () => signedIn(url, AREA, { email, password: PASSWORD });
  return { email, member: await login(), other: await login() };
};

/** Another password of a named user. */
export const passwordChange = async (context: FlowContext): Promise<Change> => {
  const { url } = context;
  const { email, member, other } = await newMember(context);
  return {
    name: 'password',
    act: () => member.put('/api/account/password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }),
    hasHappened: async () => {
      const body = { email, password: NEW_PASSWORD };
      return (await clientOf(url).post(`/api/auth/${AREA}/member-login`, body)).status === 200;
    },
    other,
  };
};

/** The removal of a passkey, with which the other session may have been opened. */
export const passkeyRemoval = async (context: FlowContext): Promise<Change> => {
  const { member, other } = await newMember(context);
  const confirmation = { currentPassword: PASSWORD };
  const local = clientOf(named(context.url), member.headers);
  const added = await addPasskey(local, context.url, confirmation, { authenticator: newAuthenticator() });
  const path = `/api/account/passkeys/${added.body.passkey.passkeyId}/remove`;
  return {
    name: 'passkey',
    act: () => member.post(path, confirmation),
    hasHappened: async () => (await expected(member.get('/api/account'), 200)).body.passkeys.length === 0,
    other,
  };
};

/** A password of the portal, which sessions of the license key need from then on. */
export const portalPasswordChange = async (context: FlowContext): Promise<Change> => {
  const { url } = context;
  const { integrator } = await newPartner(context);
  const customer = await newCustomer(await asAdmin(url), integrator.id);
  const { licenseKey } = customer;
  const [portal, other] = [await asCustomer(url, customer), await asCustomer(url, customer)];
  return {
    name: 'portal password',
    endsBefore: true,
    act: () => portal.post('/api/customer/change-password', { currentPassword: licenseKey, newPassword: NEW_PASSWORD }),
    hasHappened: async () => {
      const body = { licenseKey, password: NEW_PASSWORD };
      const byKey = await clientOf(url).post('/api/auth/customer/login', { licenseKey });
      if (byKey.status === 200) return false;
      const { token } = (await expected(clientOf(url).post('/api/auth/customer/login', body), 200)).body;
      return (await clientOf(url, bearer(token)).get('/api/customer/profile')).status === 200;
    },
    other,
  };
};

/**
 * Begins changes while no session can end, and calls `kill` once each waits to end the other sessions: each is then half done. The kill
 * also ends PostgreSQL, and with it the lock that sessions wait for.
 */
export const killHalfDone = async (databaseUrl: string, changes: readonly Change[], kill: () => Promise<void>): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  await client.query('lock table auth.session in share row exclusive mode');
  const replies = changes.map(({ act }) => act().catch(() => null));
  const waiting = async (): Promise<number> => {
    const { rows } = await client.query(
      "select count(*)::int as n from pg_locks where relation = 'auth.session'::regclass and not granted",
    );
    return rows[0].n;
  };
  await eventually(waiting, (count) => count >= changes.length);
  await kill();
  await Promise.all(replies);
  await client.end().catch(() => undefined);
};

import { runAdminTool } from '../support/adminTool.ts';
import { asAdmin, type Client, cookieOf } from '../support/apiClient.ts';
import { type Authenticator, newAuthenticator } from '../support/authenticator.ts';
import { ADMIN_KEY } from '../support/keys.ts';
import { named, passkeyLogin } from '../support/passkeys.ts';
import { type FlowContext, invited, joined, newEmail } from './accounts.ts';
import { expected, type Flow, fromElsewhere } from './flow.ts';

/**
 * The admin key invites the first owner, who invites a second one; both join with a passkey. Sign-in with the key is turned off, and
 * `latchkey-admin` allows it again. `env` are the variables with which the tool reaches the stores.
 */
export const administrationFlow = async ({ url: address }: FlowContext, env: Record<string, string>): Promise<Flow> => {
  const url = named(address);
  const keySession = await asAdmin(address);
  const owners = [1, 2].map(() => ({ email: newEmail(), authenticator: newAuthenticator(), token: '' }));
  const [first, second] = owners as [(typeof owners)[number], (typeof owners)[number]];
  let session: Client | null = null;

  const login = (authenticator: Authenticator) =>
    passkeyLogin(url, 'admin', authenticator, { headers: fromElsewhere(url).headers });
  const passkeyIs = async ({ authenticator }: typeof first): Promise<string> =>
    (await login(authenticator)).status === 200 ? 'in' : 'no';
  const keyIs = async (): Promise<string> => {
    const { status } = await expected(fromElsewhere(url).post('/api/auth/admin/login', { adminKey: ADMIN_KEY }), 200, 403);
    return status === 200 ? 'in' : 'no';
  };
  const invite = async (owner: Client, one: typeof first): Promise<void> => {
    one.token = await invited(owner, one.email, 'owner');
  };
  const join = async ({ token, authenticator }: typeof first): Promise<void> => {
    const options = await expected(fromElsewhere(url).post('/api/auth/join/passkey-options', { token }), 200, 404);
    if (options.status === 404) return;
    const registration = authenticator.create(url, options.body.options);
    await joined(url, token, { passkey: { name: 'Laptop', registration } });
  };
  const asFirst = async (): Promise<Client> => {
    session ??= fromElsewhere(url, { cookie: cookieOf(await expected(login(first.authenticator), 200)) });
    return session;
  };

  return {
    name: 'administration',
    before: { key: 'in', keySession: '200', first: 'no', second: 'no' },
    observe: async () => ({
      key: await keyIs(),
      keySession: String((await keySession.get('/api/team')).status),
      first: await passkeyIs(first),
      second: await passkeyIs(second),
    }),
    steps: [
      { what: 'the key invited an owner', act: () => invite(keySession, first) },
      { what: 'the owner joined', act: () => join(first), after: { first: 'in' } },
      { what: 'the owner invited another one', act: async () => invite(await asFirst(), second) },
      { what: 'the other owner joined', act: () => join(second), after: { second: 'in' } },
      {
        what: 'sign-in with the key was turned off',
        act: async () => expected((await asFirst()).put('/api/team/policy', { keySignIn: 'off' }), 200),
        after: { key: 'no', keySession: '401' },
      },
      {
        what: 'latchkey-admin allowed the key',
        act: async () => {
          const { code, err } = await runAdminTool(['allow-key-sign-in'], env);
          if (code !== 0) throw new Error(err);
        },
        after: { key: 'in' },
      },
    ],
  };
};

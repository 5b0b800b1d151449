import { bearer, type Client } from '../support/apiClient.ts';
import { newTokenBody } from '../support/apiTokens.ts';
import { PASSWORD } from '../support/members.ts';
import {
  byPassword,
  type FlowContext,
  invitationIs,
  invited,
  joined,
  newEmail,
  newPartner,
  openedBy,
  sessionIs,
  signedIn,
} from './accounts.ts';
import { expected, type Flow, fromElsewhere } from './flow.ts';

const AREA = 'service-integrator';

/** A named user of a service integrator, who joined with a password. */
const newMember = async (context: FlowContext, role: string) => {
  const { url } = context;
  const { partner } = await newPartner(context);
  const email = newEmail();
  await joined(url, await invited(partner, email, role), { password: PASSWORD });
  const { members } = (await partner.get('/api/team')).body;
  const path = `/api/team/members/${members[0].userId}`;
  return { partner, email, path, login: () => signedIn(url, AREA, { email, password: PASSWORD }) };
};

/** Another role, a removal, and a new invitation of the removed user. */
export const memberFlow = async (context: FlowContext): Promise<Flow> => {
  const { url } = context;
  const { partner, email, path, login } = await newMember(context, 'manager');
  const session = await login();
  let token: string | null = null;
  return {
    name: 'role and removal',
    before: { password: 'manager', session: 'manager', invitation: null },
    observe: async () => ({
      password: await byPassword(url, AREA, email),
      session: await sessionIs(session),
      invitation: await invitationIs(url, token),
    }),
    steps: [
      {
        what: 'became an auditor',
        act: () => expected(partner.put(path, { role: 'auditor' }), 200),
        after: { password: 'auditor', session: 'ended' },
      },
      {
        what: 'became a manager',
        act: () => expected(partner.put(path, { role: 'manager' }), 200),
        after: { password: 'manager' },
      },
      { what: 'removed', act: () => expected(partner.delete(path), 200, 404), after: { password: 'no' } },
      {
        what: 'invited again',
        act: async () => {
          token = await invited(partner, email, 'auditor');
        },
        after: { invitation: 'open' },
      },
      {
        what: 'joined again',
        act: () => joined(url, token, { password: PASSWORD }),
        after: { invitation: 'closed', password: 'auditor' },
      },
    ],
  };
};

/** Sessions that are ended by their user, one and all others, and by an owner. */
export const sessionsFlow = async (context: FlowContext): Promise<Flow> => {
  const { url } = context;
  const { partner, email, path, login } = await newMember(context, 'manager');
  const [first, second, third] = [await login(), await login(), await login()];
  const [{ sessionId }] = (await first.get('/api/account/sessions')).body.sessions.filter(
    ({ isCurrent }: { isCurrent: boolean }) => isCurrent,
  );
  return {
    name: 'sessions',
    before: { password: 'manager', first: 'manager', second: 'manager', third: 'manager' },
    observe: async () => ({
      password: await byPassword(url, AREA, email),
      first: await sessionIs(first),
      second: await sessionIs(second),
      third: await sessionIs(third),
    }),
    steps: [
      {
        what: 'ended the first',
        act: () => expected(second.delete(`/api/account/sessions/${sessionId}`), 200, 404),
        after: { first: 'ended' },
      },
      {
        what: 'ended the others',
        act: () => expected(second.post('/api/account/sessions/revoke-others'), 200),
        after: { third: 'ended' },
      },
      {
        what: 'signed out by an owner',
        act: () => expected(partner.post(`${path}/revoke-sessions`), 200),
        after: { second: 'ended' },
      },
    ],
  };
};

/** An API token is created, used and revoked. A client that lost the reply with the token revokes it and creates another one. */
export const tokenFlow = async (context: FlowContext): Promise<Flow> => {
  const { url } = context;
  const { partner } = await newPartner(context);
  let token: { client: Client; tokenId: string } | null = null;
  const activeTokens = async (): Promise<{ tokenId: string }[]> => {
    const { tokens } = (await expected(partner.get('/api/tokens'), 200)).body;
    return tokens.filter(({ state }: { state: string }) => state === 'active');
  };
  const use = (client: Client) => expected(client.get('/api/service-integrator/customers'), 200, 401);
  return {
    name: 'API token',
    before: { token: null, active: '0' },
    observe: async () => ({
      token: token && ((await use(token.client)).status === 200 ? 'in' : 'no'),
      active: String((await activeTokens()).length),
    }),
    steps: [
      {
        what: 'created',
        act: async () => {
          for (const { tokenId } of await activeTokens()) await expected(partner.delete(`/api/tokens/${tokenId}`), 200);
          const body = newTokenBody(['customers:read'], `Token ${performance.now()}`);
          const created = (await expected(partner.post('/api/tokens', body), 201)).body;
          token = { client: fromElsewhere(url, bearer(created.secret)), tokenId: created.token.tokenId };
        },
        after: { token: 'in', active: '1' },
      },
      { what: 'used', act: () => use(token?.client ?? openedBy(null)) },
      {
        what: 'revoked',
        act: () => expected(partner.delete(`/api/tokens/${token?.tokenId}`), 200, 404),
        after: { token: 'no', active: '0' },
      },
    ],
  };
};

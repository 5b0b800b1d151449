import type { Client } from '../support/apiClient.ts';
import { codeOf, PASSWORD } from '../support/members.ts';
import {
  byPassword,
  type FlowContext,
  invitationIs,
  invited,
  joined,
  memberLogin,
  newCodes,
  newEmail,
  newPartner,
  openedBy,
  sessionIs,
  signedIn,
} from './accounts.ts';
import { expected, type Flow, fromElsewhere } from './flow.ts';

/** An invitation, a password, one-time passwords in the account, a code and a recovery code. */
export const passwordFlow = async (context: FlowContext): Promise<Flow> => {
  const { url } = context;
  const { partner } = await newPartner(context);
  const email = newEmail();
  const held = { token: null as string | null, session: null as Client | null, second: null as Client | null };
  let [secret, codes, used] = ['', [] as string[], null as string | null];
  const nextCode = newCodes(() => secret);
  const login = (code: string) => signedIn(url, 'service-integrator', { email, password: PASSWORD, code });
  const replay = async (code: string | null) =>
    code && (await memberLogin(url, 'service-integrator', { email, password: PASSWORD, code })).status !== 200 ? 'refused' : code;
  return {
    name: 'password and one-time passwords',
    before: { invitation: null, password: 'no', session: null, second: null, recovery: null },
    observe: async () => ({
      invitation: await invitationIs(url, held.token),
      password: await byPassword(url, 'service-integrator', email),
      session: await sessionIs(held.session),
      second: await sessionIs(held.second),
      recovery: await replay(used),
    }),
    steps: [
      {
        what: 'invited',
        act: async () => {
          held.token = await invited(partner, email, 'manager');
        },
        after: { invitation: 'open' },
      },
      {
        what: 'joined with a password',
        act: () => joined(url, held.token, { password: PASSWORD }),
        after: { invitation: 'closed', password: 'manager' },
      },
      {
        what: 'signed in',
        act: async () => {
          held.session = await signedIn(url, 'service-integrator', { email, password: PASSWORD });
        },
        after: { session: 'manager' },
      },
      {
        what: 'got a secret',
        act: async () => {
          secret = (await expected(openedBy(held.session).post('/api/account/second-factor'), 200)).body.secret;
        },
      },
      {
        what: 'confirmed the secret',
        act: async () => {
          const proof = { secret, code: codeOf(secret), currentPassword: PASSWORD };
          codes = (await expected(openedBy(held.session).put('/api/account/second-factor', proof), 200)).body.recoveryCodes;
        },
        after: { password: 'code' },
      },
      {
        what: 'signed in with a code',
        act: async () => {
          held.second = await login(await nextCode());
        },
        after: { second: 'manager' },
      },
      {
        what: 'signed in with a recovery code',
        act: async () => {
          const code = codes.shift() ?? '';
          await login(code);
          used = code;
        },
        after: { recovery: 'refused' },
      },
    ],
  };
};

/** An invitation that is accepted with a password and one-time passwords in one request, where the policy requires them. */
export const secondFactorFlow = async (context: FlowContext): Promise<Flow> => {
  const { url } = context;
  const { partner } = await newPartner(context);
  const email = newEmail();
  let [token, secret, session] = [null as string | null, '', null as Client | null];
  const nextCode = newCodes(() => secret);
  return {
    name: 'password with a required second factor',
    before: { invitation: null, password: 'no', session: null },
    observe: async () => ({
      invitation: await invitationIs(url, token),
      password: await byPassword(url, 'service-integrator', email),
      session: await sessionIs(session),
    }),
    steps: [
      { what: 'required', act: () => expected(partner.put('/api/team/policy', { secondFactorRequired: true }), 200) },
      {
        what: 'invited',
        act: async () => {
          token = await invited(partner, email, 'auditor');
        },
        after: { invitation: 'open' },
      },
      {
        what: 'opened the invitation',
        act: async () => {
          secret = (await expected(fromElsewhere(url).post('/api/auth/invitation', { token }), 200)).body.secondFactor.secret;
        },
      },
      {
        what: 'joined',
        act: () => joined(url, token, { password: PASSWORD, secondFactor: { secret, code: codeOf(secret) } }),
        after: { invitation: 'closed', password: 'code' },
      },
      {
        what: 'entered the password',
        act: () => expected(memberLogin(url, 'service-integrator', { email, password: PASSWORD }), 401),
      },
      {
        what: 'entered the code',
        act: async () => {
          session = await signedIn(url, 'service-integrator', { email, password: PASSWORD, code: await nextCode() });
        },
        after: { session: 'auditor' },
      },
    ],
  };
};

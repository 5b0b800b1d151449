import { asIntegrator, bearer, type Client, newIntegrator, type Reply } from '../support/apiClient.ts';
import type { startIdentityProvider } from '../support/identityProvider.ts';
import { codeOf, PASSWORD } from '../support/members.ts';
import { expected, fromElsewhere } from './flow.ts';

export type FlowContext = Readonly<{
  url: string;
  /** A session of the admin key, to prepare flows with. */
  admin: Client;
  /** A provider at which one user signs in. */
  newProvider: () => ReturnType<typeof startIdentityProvider>;
  /** Verifies an email domain, as its TXT record would. */
  verifyDomain: (tenant: { kind: 'integrator' | 'customer'; id: string }, domain: string) => Promise<void>;
}>;

let users = 0;
export const newEmail = (): string => {
  users += 1;
  return `flow-${users}@flows.example`;
};

/** A service integrator of its own, by a session of its key. */
export const newPartner = async ({ url, admin }: FlowContext) => {
  const integrator = await newIntegrator(admin, { companyName: 'Contoso' });
  return { integrator, partner: await asIntegrator(url, integrator) };
};

const tokenIn = ({ body }: Reply): string => body.path.replace('/join#', '');

/** Invites, or creates a new link if the invitation exists already. */
export const invited = async (owner: Client, email: string, role: string): Promise<string> => {
  const reply = await expected(owner.post('/api/team/members', { name: 'Ana Ruiz', email, role }), 201, 409);
  if (reply.status === 201) return tokenIn(reply);
  const { members } = (await expected(owner.get('/api/team'), 200)).body;
  const { userId } = members.find((member: { email: string }) => member.email === email);
  return tokenIn(await expected(owner.post(`/api/team/members/${userId}/invitation`), 201));
};

/** Accepts an invitation; one that is no longer valid was accepted before. */
export const joined = (url: string, token: string | null, body: object): Promise<Reply> =>
  expected(fromElsewhere(url).post('/api/auth/join', { token, ...body }), 200, 404);

export type Area = 'service-integrator' | 'customer';

export const memberLogin = (url: string, area: Area, body: object): Promise<Reply> =>
  fromElsewhere(url).post(`/api/auth/${area}/member-login`, body);

export const signedIn = async (url: string, area: Area, body: object): Promise<Client> =>
  fromElsewhere(url, bearer((await expected(memberLogin(url, area, body), 200)).body.token));

/** Whether the password alone signs in: the role, or `code` where a code is asked for. */
export const byPassword = async (url: string, area: Area, email: string): Promise<string> => {
  const { status, body } = await memberLogin(url, area, { email, password: PASSWORD });
  if (status === 200) return String(body.role);
  return body.code === 'code_required' ? 'code' : 'no';
};

export const invitationIs = async (url: string, token: string | null): Promise<string | null> => {
  if (token === null) return null;
  const { status } = await expected(fromElsewhere(url).post('/api/auth/invitation', { token }), 200, 404);
  return status === 200 ? 'open' : 'closed';
};

/** The role of a session that is open. */
export const sessionIs = async (session: Client | null): Promise<string | null> => {
  if (session === null) return null;
  const { status, body } = await expected(session.get('/api/account'), 200, 401);
  return status === 200 ? String(body.member?.role) : 'ended';
};

/** Codes of a secret that are used up one after the other: each belongs to a later step of 30 s than the one before. */
export const newCodes = (secret: () => string) => {
  let last = 0;
  return async (): Promise<string> => {
    const now = () => Math.floor(Date.now() / 30_000);
    last = Math.max(last + 1, now());
    while (last > now() + 1) await new Promise((resolve) => setTimeout(resolve, 500));
    return codeOf(secret(), last - now());
  };
};

/** A session that an earlier step has opened. */
export const openedBy = (session: Client | null): Client => {
  if (!session) throw new Error('Nobody is signed in');
  return session;
};

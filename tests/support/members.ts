import { generateSync } from 'otplib';
import { bearer, type Client, clientOf, cookieOf, expectStatus, type Reply } from './apiClient.ts';

export const PASSWORD = 'correct horse battery staple';

/** The one-time password of a secret, now or some steps of 30 s later. */
export const codeOf = (secret: string, steps = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });

export type Invited = { userId: string; email: string; token: string };

let users = 0;

/** Invites a named user with an email address that nobody else has. */
export const invite = async (owner: Client, role: string, name = 'Ana Ruiz'): Promise<Invited> => {
  users += 1;
  const email = `member-${users}@team.example`;
  const { body } = expectStatus(await owner.post('/api/team/members', { name, email, role }), 201);
  return { userId: body.member.userId, email, token: body.path.replace('/join#', '') };
};

export type Joined = Invited & { secret: string | null; recoveryCodes: string[] };

/** Accepts an invitation, with one-time passwords unless it is without them. */
export const join = async (url: string, invited: Invited, { secondFactor = true } = {}): Promise<Joined> => {
  const anonymous = clientOf(url);
  const { token } = invited;
  const opened = expectStatus(await anonymous.post('/api/auth/invitation', { token }), 200).body;
  const { secret } = opened.secondFactor;
  const factor = secondFactor ? { secondFactor: { secret, code: codeOf(secret) } } : {};
  const { body } = expectStatus(await anonymous.post('/api/auth/join', { token, password: PASSWORD, ...factor }), 200);
  return { ...invited, secret: secondFactor ? secret : null, recoveryCodes: body.recoveryCodes ?? [] };
};

export const login = (
  url: string,
  audience: 'admin' | 'service-integrator' | 'customer',
  { email, password = PASSWORD, code, tenantId }: { email: string; password?: string; code?: string; tenantId?: string },
): Promise<Reply> => clientOf(url).post(`/api/auth/${audience}/member-login`, { email, password, code, tenantId });

/** Signs in a named user of the administration. */
export const asAdminMember = async (url: string, { email, secret }: Joined, steps = 0): Promise<Client> => {
  const code = secret === null ? {} : { code: codeOf(secret, steps) };
  return clientOf(url, { cookie: cookieOf(expectStatus(await login(url, 'admin', { email, ...code }), 200)) });
};

/** Signs in a named user of a service integrator. */
export const asIntegratorMember = async (url: string, { email, secret }: Joined, steps = 0): Promise<Client> => {
  const code = secret === null ? {} : { code: codeOf(secret, steps) };
  return clientOf(url, bearer(expectStatus(await login(url, 'service-integrator', { email, ...code }), 200).body.token));
};

/** Invites a portal user to sign in by name, as its customer or its integrator. */
export const inviteUser = async (inviting: Client, userId: string): Promise<Invited> => {
  const { body } = expectStatus(await inviting.post(`/api/users/${userId}/invitation`), 201);
  return { userId, email: body.member.email, token: body.path.replace('/join#', '') };
};

/** Signs in a portal user by name; at a customer where the address and the password are those of several. */
export const asPortalMember = async (url: string, { email, secret }: Joined, steps = 0, tenantId?: string): Promise<Client> => {
  const code = secret === null ? {} : { code: codeOf(secret, steps) };
  const body = { email, ...code, ...(tenantId !== undefined && { tenantId }) };
  return clientOf(url, bearer(expectStatus(await login(url, 'customer', body), 200).body.token));
};

/** Invites, joins and signs in. */
export const newAdminMember = async (url: string, owner: Client, role: string): Promise<Client> =>
  asAdminMember(url, await join(url, await invite(owner, role), { secondFactor: false }));

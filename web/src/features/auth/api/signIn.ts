import type { AdminSessionReply, CustomerLoginReply, IntegratorLoginReply } from '../../../../../src/contracts/auth.ts';
import type { BeginOpenIdReply, FinishOpenIdBody } from '../../../../../src/contracts/identityProvider.ts';
import type { PasskeyLoginBody, PasskeyRequestReply } from '../../../../../src/contracts/passkeys.ts';
import type { MemberLoginBody } from '../../../../../src/contracts/team.ts';
import { api } from '../../../api/client.ts';
import { type ApiError, isApiError } from '../../../api/error.ts';
import { sessionKey } from '../../../api/sessionKey.ts';
import { storeToken } from '../../../api/tokens.ts';
import type { Area } from '../../../areas.ts';
import { signWithPasskey } from '../../passkeys/index.ts';
import { authTexts } from '../texts.ts';

const options = { fallback: authTexts.failed, unauthorized: 'throw' } as const;

const openCustomerSession = ({ token, customer, role, name, permissions }: CustomerLoginReply) => {
  storeToken('portal', token);
  return { customer, role, name, permissions };
};

const openIntegratorSession = ({ token, serviceIntegrator, role, name, permissions }: IntegratorLoginReply) => {
  storeToken('integrator', token);
  return { serviceIntegrator, role, name, permissions };
};

/** Sends the key and stores the token; returns the data of the area's session query. */
const exchange = {
  admin: async (adminKey: string) => (await api.post<AdminSessionReply>('/api/auth/admin/login', { adminKey }, options)).session,
  portal: async (licenseKey: string, password?: string) => {
    const body = { licenseKey, ...(password && { password }) };
    return openCustomerSession(await api.post<CustomerLoginReply>('/api/auth/customer/login', body, options));
  },
  integrator: async (masterLicenseKey: string) =>
    openIntegratorSession(
      await api.post<IntegratorLoginReply>('/api/auth/service-integrator/login', { masterLicenseKey }, options),
    ),
} as const satisfies Record<Area, (key: string, password?: string) => Promise<unknown>>;

/** The field that a rejection belongs to; a customer's password is requested only after a valid key. */
export const rejectedField = (error: unknown): 'key' | 'password' | 'missing password' => {
  if (!isApiError(error)) return 'key';
  if (error.code === 'password_required') return 'missing password';
  return error.code === 'wrong_password' ? 'password' : 'key';
};

/** Shows the session to the screens of its area. Data of the area's previous session is removed from the cache. */
const showSession = async (area: Area, session: unknown): Promise<void> => {
  const { queryClientOf } = await import('../../../api/queryClients.ts');
  const queries = queryClientOf(area);
  queries.clear();
  queries.setQueryData(sessionKey, session);
};

/** Signs in with a key, and a customer that has set a password also with the password. Throws an `ApiError`. */
export const signIn = async (area: Area, key: string, password?: string): Promise<void> =>
  showSession(area, await exchange[area](key, password));

type MemberCall = 'member-login' | 'passkey-login';
type MemberBody = MemberLoginBody | PasskeyLoginBody;

/** The calls by which named users sign in, with a password or a passkey. */
const exchangeMember = {
  admin: async (call: MemberCall, body: MemberBody) =>
    (await api.post<AdminSessionReply>(`/api/auth/admin/${call}`, body, options)).session,
  portal: async (call: MemberCall, body: MemberBody) =>
    openCustomerSession(await api.post<CustomerLoginReply>(`/api/auth/customer/${call}`, body, options)),
  integrator: async (call: MemberCall, body: MemberBody) =>
    openIntegratorSession(await api.post<IntegratorLoginReply>(`/api/auth/service-integrator/${call}`, body, options)),
} as const satisfies Record<Area, (call: MemberCall, body: MemberBody) => Promise<unknown>>;

/** The field that a rejection of a named user's sign-in belongs to; a tenant and a code are requested only after the right password. */
export const rejectedMemberField = (error: unknown): 'password' | 'code' | 'missing code' | 'missing tenant' => {
  if (!isApiError(error)) return 'password';
  if (error.code === 'tenant_required') return 'missing tenant';
  if (error.code === 'code_required') return 'missing code';
  return error.code === 'wrong_code' ? 'code' : 'password';
};

/** Where the right password of a named user signs in, if that is more than one account. */
export const tenantsOf = (error: unknown): ApiError['tenants'] => (isApiError(error) ? error.tenants : []);

/** Signs in a named user. Throws an `ApiError`. */
export const signInMember = async (area: Area, body: MemberLoginBody): Promise<void> =>
  showSession(area, await exchangeMember[area]('member-login', body));

/** Signs in a named user with a passkey that the browser offers. Throws an `ApiError`. */
export const signInByPasskey = async (area: Area): Promise<void> => {
  const assertion = await signWithPasskey(await api.post<PasskeyRequestReply>('/api/auth/passkey/options', undefined, options));
  await showSession(area, await exchangeMember[area]('passkey-login', { assertion }));
};

const openIdPath = {
  admin: '/api/auth/admin/openid',
  portal: '/api/auth/customer/openid',
  integrator: '/api/auth/service-integrator/openid',
} as const satisfies Record<Area, string>;

/** Starts a sign-in with OpenID Connect; returns the address of the identity provider to open. Throws an `ApiError`. */
export const beginOpenId = async (area: Area, email: string): Promise<string> =>
  (await api.post<BeginOpenIdReply>(openIdPath[area], { email }, options)).url;

const exchangeOpenId = {
  admin: async (body: FinishOpenIdBody) =>
    (await api.post<AdminSessionReply>(`${openIdPath.admin}/callback`, body, options)).session,
  portal: async (body: FinishOpenIdBody) =>
    openCustomerSession(await api.post<CustomerLoginReply>(`${openIdPath.portal}/callback`, body, options)),
  integrator: async (body: FinishOpenIdBody) =>
    openIntegratorSession(await api.post<IntegratorLoginReply>(`${openIdPath.integrator}/callback`, body, options)),
} as const satisfies Record<Area, (body: FinishOpenIdBody) => Promise<unknown>>;

/** Signs in with the parameters that the identity provider sent the browser back with. Throws an `ApiError`. */
export const finishOpenId = async (area: Area, body: FinishOpenIdBody): Promise<void> =>
  showSession(area, await exchangeOpenId[area](body));

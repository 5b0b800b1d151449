import type { AdminSessionReply, CustomerLoginReply, IntegratorLoginReply } from '../../../../../src/contracts/auth.ts';
import { api } from '../../../api/client.ts';
import { isApiError } from '../../../api/error.ts';
import { sessionKey } from '../../../api/sessionKey.ts';
import { storeToken } from '../../../api/tokens.ts';
import type { Area } from '../../../areas.ts';
import { authTexts } from '../texts.ts';

const options = { fallback: authTexts.failed, unauthorized: 'throw' } as const;

/** Sends the key and stores the token; returns the data of the area's session query. */
const exchange = {
  admin: async (adminKey: string) => (await api.post<AdminSessionReply>('/api/auth/admin/login', { adminKey }, options)).session,
  portal: async (licenseKey: string, password?: string) => {
    const body = { licenseKey, ...(password && { password }) };
    const { token, customer, role, permissions } = await api.post<CustomerLoginReply>('/api/auth/customer/login', body, options);
    storeToken('portal', token);
    return { customer, role, permissions };
  },
  integrator: async (masterLicenseKey: string) => {
    const { token, serviceIntegrator, role, permissions } = await api.post<IntegratorLoginReply>(
      '/api/auth/service-integrator/login',
      { masterLicenseKey },
      options,
    );
    storeToken('integrator', token);
    return { serviceIntegrator, role, permissions };
  },
} as const satisfies Record<Area, (key: string, password?: string) => Promise<unknown>>;

/** The field that a rejection belongs to; a customer's password is requested only after a valid key. */
export const rejectedField = (error: unknown): 'key' | 'password' | 'missing password' => {
  if (!isApiError(error)) return 'key';
  if (error.code === 'password_required') return 'missing password';
  return error.code === 'wrong_password' ? 'password' : 'key';
};

/**
 * Signs in with a key, and a customer that has set a password also with the password. Data of the area's previous session is
 * removed from the cache. Throws an `ApiError`.
 */
export const signIn = async (area: Area, key: string, password?: string): Promise<void> => {
  const session = await exchange[area](key, password);
  const { queryClientOf } = await import('../../../api/queryClients.ts');
  const queries = queryClientOf(area);
  queries.clear();
  queries.setQueryData(sessionKey, session);
};

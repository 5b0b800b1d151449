import type { AdminSessionReply, CustomerLoginReply, IntegratorLoginReply } from '../../../../../src/contracts/auth.ts';
import { api } from '../../../api/client.ts';
import { sessionKey } from '../../../api/sessionKey.ts';
import { storeToken } from '../../../api/tokens.ts';
import type { Area } from '../../../app/areas.ts';
import { authTexts } from '../texts.ts';

const options = { fallback: authTexts.failed, unauthorized: 'throw' } as const;

/** Sends the key and keeps the token; gives what the area's session query would. */
const exchange = {
  admin: async (adminKey: string) => (await api.post<AdminSessionReply>('/api/auth/admin/login', { adminKey }, options)).session,
  portal: async (licenseKey: string) => {
    const { token, customer } = await api.post<CustomerLoginReply>('/api/auth/customer/login', { licenseKey }, options);
    storeToken('portal', token);
    return customer;
  },
  integrator: async (masterLicenseKey: string) => {
    const reply = await api.post<IntegratorLoginReply>('/api/auth/service-integrator/login', { masterLicenseKey }, options);
    storeToken('integrator', reply.token);
    return reply.serviceIntegrator;
  },
} as const satisfies Record<Area, (key: string) => Promise<unknown>>;

/** Signs in with a key. Whoever was signed in to the area before leaves nothing behind. Throws an `ApiError`. */
export const signIn = async (area: Area, key: string): Promise<void> => {
  const session = await exchange[area](key);
  const { queryClientOf } = await import('../../../api/queryClients.ts');
  const queries = queryClientOf(area);
  queries.clear();
  queries.setQueryData(sessionKey, session);
};

import { type QueryClient, queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import type {
  AdminSession,
  AdminSessionReply,
  CustomerSessionReply,
  Grants,
  IntegratorSessionReply,
} from '../../../src/contracts/auth.ts';
import type { Customer } from '../../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../../src/contracts/integrators.ts';
import { api } from '../api/client.ts';
import { ApiError, isSignedOut } from '../api/error.ts';
import { queryClientOf } from '../api/queryClients.ts';
import { sessionKey } from '../api/sessionKey.ts';
import { clearToken, readToken } from '../api/tokens.ts';
import { type Area, loginPath } from '../areas.ts';
import { keepingPreferences } from '../lib/preferences.ts';
import { closeLive } from '../live/useLive.ts';
import { keepingColorMode } from '../ui/colorMode.ts';
import { forgetFrame } from './rememberedFrame.ts';
import { forgetPaths } from './returnPath.ts';
import { sessionPath } from './sessionPath.ts';

/** Fetches the signed-in account. A rejection removes the area's token; the guard then opens the sign-in. */
const fetchSession = async <Reply>(area: Area, signal: AbortSignal): Promise<Reply> => {
  if (area !== 'admin' && readToken(area) === null) throw new ApiError('Sign in first', { status: 401, code: 'no_session' });
  try {
    return await api.get<Reply>(sessionPath[area], { as: area, unauthorized: 'throw', signal });
  } catch (error) {
    if (isSignedOut(error)) {
      clearToken(area);
      forgetFrame(area);
    }
    throw error;
  }
};

/** The signed-in account of the portal or of a service integrator. */
type CustomerSession = Grants & { customer: Customer };
type IntegratorSession = Grants & { serviceIntegrator: ServiceIntegrator };

const forever = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY };

export const adminSessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }): Promise<AdminSession> => (await fetchSession<AdminSessionReply>('admin', signal)).session,
  ...forever,
});

export const customerSessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }): Promise<CustomerSession> => fetchSession<CustomerSessionReply>('portal', signal),
  ...forever,
});

export const integratorSessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }): Promise<IntegratorSession> => fetchSession<IntegratorSessionReply>('integrator', signal),
  ...forever,
});

/** The administrator that is signed in. Only for components below the area's guard, which has loaded the session. */
export const useAdminSession = (): AdminSession => useSuspenseQuery(adminSessionQuery).data;
/** The customer that is signed in. Only for components below the portal's guard. */
export const useCustomerSession = (): Customer => useSuspenseQuery(customerSessionQuery).data.customer;
/** The role of the named user of the customer that is signed in; null where its key signed in. */
export const useCustomerRole = (): string | null => useSuspenseQuery(customerSessionQuery).data.role;
/** The service integrator that is signed in. Only for components below the integrator's guard. */
export const useIntegratorSession = (): ServiceIntegrator => useSuspenseQuery(integratorSessionQuery).data.serviceIntegrator;

/** Who holds the session of the integrator that is signed in, and what the session may do. */
export const useIntegratorGrants = (): Grants => useSuspenseQuery(integratorSessionQuery).data;
/** Who holds the session of the customer that is signed in, and what the session may do. */
export const useCustomerGrants = (): Grants => useSuspenseQuery(customerSessionQuery).data;

/** Fetches the area's session before the first paint; the guard shows the result. */
export const loadSession = async (area: Area): Promise<void> => {
  const queries = queryClientOf(area);
  if (area === 'admin') await queries.prefetchQuery(adminSessionQuery);
  else if (area === 'portal') await queries.prefetchQuery(customerSessionQuery);
  else await queries.prefetchQuery(integratorSessionQuery);
};

/** Prefetches what needs the signed-in customer. Does nothing without a session: the guard handles that. */
export const prefetchAsCustomer = (queries: QueryClient, prefetch: (customer: Customer) => void): void => {
  void queries.ensureQueryData(customerSessionQuery).then(
    ({ customer }) => prefetch(customer),
    () => undefined,
  );
};

/** Prefetches what needs the signed-in service integrator. Does nothing without a session. */
export const prefetchAsIntegrator = (queries: QueryClient, prefetch: (integrator: ServiceIntegrator) => void): void => {
  void queries.ensureQueryData(integratorSessionQuery).then(
    ({ serviceIntegrator }) => prefetch(serviceIntegrator),
    () => undefined,
  );
};

const logoutPath = {
  admin: '/api/auth/admin/logout',
  portal: '/api/auth/customer/logout',
  integrator: '/api/auth/service-integrator/logout',
} as const satisfies Record<Area, string>;

/** Ends the session, in the browser even if the server is unreachable, and opens the area's sign-in. */
export const useSignOut = (area: Area): (() => Promise<void>) => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    forgetPaths(area);
    forgetFrame(area);
    const end = () => api.post(logoutPath[area], undefined, { as: area, unauthorized: 'throw' }).catch(() => undefined);
    await keepingPreferences(() => keepingColorMode(end));
    clearToken(area);
    closeLive(area);
    await navigate(loginPath[area]);
    queries.clear();
  };
};

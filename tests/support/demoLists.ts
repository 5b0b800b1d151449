import { io } from 'socket.io-client';
import type { MetricsPoint } from '../../src/contracts/monitoring.ts';
import type { Client } from './apiClient.ts';

/** The sessions of the keys that the demo prints. */
export type DemoClients = Readonly<{ admin: Client; integrator: Client; customer: Client }>;

/** A list of the console; `count` resolves to the number of its entries. */
export type DemoList = Readonly<{ name: string; count: () => Promise<number> }>;

type Entries = readonly unknown[] | number;

/** Every list, chart and total that the demo has to fill for its administrator, service integrator and customer. */
export const demoLists = async ({ admin, integrator, customer }: DemoClients): Promise<DemoList[]> => {
  // biome-ignore lint/suspicious/noExplicitAny: each list knows its own reply
  const list = (client: Client, path: string, what: string, entriesOf: (body: any) => Entries): DemoList => ({
    name: `${what} of ${path}`,
    count: async () => {
      const { status, body } = await client.get(path);
      if (status !== 200) throw new Error(`GET ${path} was answered with ${status}: ${JSON.stringify(body)}`);
      const entries = entriesOf(body);
      return typeof entries === 'number' ? entries : entries.length;
    },
  });
  const connected = (users: readonly { currentlyConnected: boolean }[]) =>
    users.filter(({ currentlyConnected }) => currentlyConnected);
  const called = (points: readonly { callsPerSecond: number | null }[]) => points.filter(({ callsPerSecond }) => callsPerSecond);
  const today = ({ usage }: { usage: { daily: readonly { calls: number }[] } }) => usage.daily.at(-1)?.calls ?? 0;

  const { id } = (await customer.get('/api/customer/profile')).body.profile;
  const themes: { id: string; isDefault: boolean }[] = (await integrator.get('/api/service-integrator/themes')).body.themes;
  const theme = themes.find(({ isDefault }) => isDefault)?.id;
  const [request] = (await customer.get('/api/users/machine-requests')).body.requests;

  return [
    list(admin, '/api/admin/customers', 'customers', ({ total }) => total),
    list(admin, '/api/admin/customers?status=suspended', 'customers', ({ total }) => total),
    list(admin, '/api/admin/customers?status=churned', 'customers', ({ total }) => total),
    ...['active', 'expiring', 'grace', 'expired', 'trial', 'perpetual'].map((term) =>
      list(admin, `/api/admin/customers?term=${term}`, 'customers', ({ total }) => total),
    ),
    list(admin, '/api/admin/customers?tag=key%20account', 'customers', ({ total }) => total),
    list(admin, '/api/admin/plans', 'licenses of plans', ({ plans }) =>
      plans.filter(({ code, licenses }: { code: string; licenses: number }) => code !== 'ENT' && licenses > 0),
    ),
    list(admin, `/api/admin/customers/${id}/plan-offer`, 'changes of the plan', ({ offer }) => offer?.changes ?? []),
    list(admin, '/api/admin/customers?deletionRequested=true', 'deletion requests', ({ total }) => total),
    list(admin, `/api/admin/customers/${id}/history`, 'history', ({ history }) => history),
    list(admin, `/api/admin/customers/${id}/instances`, 'instances', ({ instances }) => instances),
    list(admin, `/api/admin/customers/${id}/usage`, 'calls today', today),
    list(admin, '/api/admin/service-integrators', 'integrators', ({ service_integrators }) => service_integrators),
    list(admin, '/api/admin/users', 'users', ({ total }) => total),
    list(admin, '/api/admin/users?limit=500', 'connected users', ({ users }) => connected(users)),
    list(admin, '/api/admin/users?status=inactive', 'users', ({ total }) => total),
    list(admin, '/api/admin/users?status=suspended', 'users', ({ total }) => total),
    list(admin, '/api/admin/users/machine-requests', 'pending machines', ({ requests }) => requests),
    list(admin, '/api/themes/list', 'themes', ({ themes }) => themes),
    list(admin, '/api/admin/themes', 'custom themes', ({ themes }) => themes),
    ...['accepted', 'rejected', 'throttled'].map((outcome) =>
      list(admin, `/api/admin/sign-ins?outcome=${outcome}`, 'sign-ins', ({ total }) => total),
    ),
    ...['admin', 'integrator', 'customer', 'cli'].map((audience) =>
      list(admin, `/api/admin/sign-ins?audience=${audience}`, 'sign-ins', ({ total }) => total),
    ),
    list(admin, '/api/admin/stats/dashboard', 'calls', ({ stats }) => stats.totalApiCalls),
    list(admin, '/api/admin/stats/dashboard', 'deletion requests', ({ stats }) => stats.deletionRequests),
    list(admin, '/monitoring/metrics', 'calls', ({ apiCalls }) => apiCalls.total),
    list(admin, '/monitoring/timeline?window=15m', 'points with calls', ({ points }) => called(points)),
    list(admin, '/monitoring/timeline?window=24h', 'points with calls', ({ points }) => called(points)),
    list(admin, '/monitoring/timeline?window=15m', 'connected users', ({ points }) => points.at(-1).connectedUsers ?? 0),

    list(integrator, '/api/service-integrator/customers', 'customers', ({ total }) => total),
    list(integrator, '/api/service-integrator/customers?deletionRequested=true', 'deletion requests', ({ total }) => total),
    list(integrator, `/api/service-integrator/customers/${id}/history`, 'history', ({ history }) => history),
    list(integrator, `/api/service-integrator/customers/${id}/instances`, 'instances', ({ instances }) => instances),
    list(integrator, '/api/service-integrator/stats/dashboard', 'calls today', ({ stats }) => stats.trend.at(-1).apiCalls),
    list(integrator, '/api/service-integrator/themes', 'custom themes', ({ themes }) => themes),
    list(integrator, `/api/service-integrator/themes/${theme}/usage`, 'calls', ({ stats }) => stats.apiCalls),
    list(integrator, '/api/users', 'users', ({ total }) => total),
    list(integrator, '/api/users?limit=500', 'connected users', ({ users }) => connected(users)),
    list(integrator, '/api/users/machine-requests', 'pending machines', ({ requests }) => requests),

    list(customer, '/api/credentials/list', 'credentials', ({ credentials }) => credentials),
    list(customer, '/api/customer/usage?days=7', 'calls today', today),
    list(customer, '/api/customer/instances', 'instances', ({ instances }) => instances),
    list(customer, '/api/customer/history', 'history', ({ history }) => history),
    list(customer, '/api/customer/profile', 'connections', ({ profile }) => profile.activeConnections),
    list(customer, '/api/users/with-connections', 'users', ({ users }) => users),
    list(customer, '/api/users/with-connections', 'connected users', ({ users }) => connected(users)),
    list(customer, '/api/users/machine-requests', 'pending machines', ({ requests }) => requests),
    list(customer, `/api/users/${request.userId}/machines`, 'machines', ({ machines }) => machines),
  ];
};

/** The live feed of an administrator, as far as it was received. */
export const watchFeed = (url: string, admin: Client): { lists: DemoList[]; close: () => void } => {
  const points: MetricsPoint[] = [];
  let changes = 0;
  const socket = io(url, { transports: ['websocket'], extraHeaders: admin.headers });
  socket.on('metrics', (point: MetricsPoint) => points.push(point));
  socket.on('changed', () => {
    changes += 1;
  });
  return {
    lists: [
      { name: 'changes in the live feed', count: async () => changes },
      { name: 'seconds with calls in the live feed', count: async () => points.filter((point) => point.callsPerSecond).length },
      { name: 'connected users in the live feed', count: async () => points.at(-1)?.connectedUsers ?? 0 },
    ],
    close: () => void socket.close(),
  };
};

/** A reply of the server: its status, its JSON body and its headers. */
export type Reply<Body = Record<string, unknown>> = { status: number; body: Body; headers: Headers };

export type ApiClient = {
  url: string;
  /** Sends one request. Throws only when no reply came. */
  call: <Body = Record<string, unknown>>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Reply<Body>>;
  /** The same client with a bearer token or a cookie. */
  as: (credentials: { token: string } | { cookie: string }) => ApiClient;
  /** The same client, with what it signed in with, at another address. */
  at: (url: string) => ApiClient;
};

export const apiClient = (url: string, credentials: Record<string, string> = {}): ApiClient => ({
  url,
  call: async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...credentials, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text), headers: response.headers };
  },
  as: (given) =>
    apiClient(url, 'token' in given ? { authorization: `Bearer ${given.token}` } : { cookie: given.cookie, origin: url }),
  at: (moved) => apiClient(moved, 'cookie' in credentials ? { ...credentials, origin: moved } : credentials),
});

const expectStatus = (reply: Reply<unknown>, what: string): void => {
  if (reply.status >= 400) throw new Error(`${what} was answered with ${reply.status}: ${JSON.stringify(reply.body)}`);
};

export const signInAdmin = async (client: ApiClient, adminKey: string): Promise<ApiClient> => {
  const reply = await client.call('POST', '/api/auth/admin/login', { adminKey });
  expectStatus(reply, 'The administrator’s sign-in');
  const cookie = reply.headers.getSetCookie()[0]?.split(';')[0];
  if (!cookie) throw new Error('The administrator’s sign-in set no cookie');
  return client.as({ cookie });
};

export const createIntegrator = async (admin: ApiClient, companyName = 'Contour Partners') => {
  const reply = await admin.call<{ service_integrator: { id: string; masterLicenseKey: string } }>(
    'POST',
    '/api/admin/service-integrators',
    {
      companyName,
      contactEmail: 'contact@contour.example',
      billingEmail: 'billing@contour.example',
    },
  );
  expectStatus(reply, 'Creating a service integrator');
  return reply.body.service_integrator;
};

export const createCustomer = async (admin: ApiClient, serviceIntegratorId: string, over: Record<string, unknown> = {}) => {
  const reply = await admin.call<{ customer: { id: string; licenseKey: string } }>('POST', '/api/admin/customers', {
    name: 'Northwind Traders',
    contactEmail: 'it@northwind.example',
    company: 'Northwind',
    serviceIntegratorId,
    theme: null,
    developerSeats: 10,
    stakeholderSeats: 5,
    seatLimitsEnforced: true,
    ...over,
  });
  expectStatus(reply, 'Creating a customer');
  return reply.body.customer;
};

export const signInTool = async (client: ApiClient, licenseKey: string, username = 'ada') => {
  const reply = await client.call<{ token: string; user: { id: string } }>('POST', '/api/cli/login', {
    licenseKey,
    username,
    email: `${username}@northwind.example`,
    machineId: `machine-of-${username}`,
  });
  expectStatus(reply, 'The command-line tool’s sign-in');
  return { tool: client.as({ token: reply.body.token }), userId: reply.body.user.id };
};

/** `count` calls to one instance, the first in ten of them failed. */
export const someCalls = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    service: 'jira' as const,
    instanceUrl: 'https://northwind.atlassian.example',
    operation: 'GET:/issue',
    status: index % 10 === 0 ? 500 : 200,
    durationMs: 20 + (index % 80),
  }));

import { type Dispatcher, request } from 'undici';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { ADMIN_KEY } from './keys.ts';

/** A reply with its parsed body, whose form the test knows. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every form
export type Reply<Body = any> = { status: number; headers: Headers; body: Body };

type Call = { headers?: Record<string, string>; body?: unknown };

/** Sends requests to the API with one session. */
export type Client = {
  headers: Record<string, string>;
  get: (path: string, call?: Call) => Promise<Reply>;
  post: (path: string, body?: unknown, call?: Call) => Promise<Reply>;
  put: (path: string, body?: unknown, call?: Call) => Promise<Reply>;
  delete: (path: string, call?: Call) => Promise<Reply>;
  /** A call of another method, or with a body that is sent as it is. */
  send: (
    method: string,
    path: string,
    raw?: { headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> },
  ) => Promise<Reply>;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** What `fetch` sends with each request. */
const HEADERS = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' };

/** Sends a request as `fetch` would, which takes several times the CPU time. Follows no redirect, and asks for no compression. */
export const sendRequest = async (
  address: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array | undefined } = {},
): Promise<{ status: number; headers: Headers; text: string }> => {
  const reply = await request(address, {
    method: method as Dispatcher.HttpMethod,
    headers: { ...HEADERS, ...headers },
    ...(body !== undefined && { body }),
  });
  const replied = new Headers();
  for (const [name, values] of Object.entries(reply.headers)) {
    for (const value of [values].flat()) replied.append(name, value ?? '');
  }
  return { status: reply.statusCode, headers: replied, text: await reply.body.text() };
};

/** A client that sends these headers with every request; without headers it has no session. */
export const clientOf = (url: string, headers: Record<string, string> = {}): Client => {
  const send: Client['send'] = async (method, path, { headers: more = {}, body } = {}) => {
    const { text, ...reply } = await sendRequest(`${url}${path}`, { method, headers: { ...headers, ...more }, body });
    return { ...reply, body: parsed(text) };
  };
  const withBody =
    (method: string) =>
    (path: string, body?: unknown, call: Call = {}): Promise<Reply> =>
      send(method, path, {
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...call.headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
  const withoutBody =
    (method: string) =>
    (path: string, call: Call = {}): Promise<Reply> =>
      send(method, path, call.headers ? { headers: call.headers } : {});
  return { headers, send, get: withoutBody('GET'), post: withBody('POST'), put: withBody('PUT'), delete: withoutBody('DELETE') };
};

/** The reply, if it has the status; else throws. */
export const expectStatus = (reply: Reply, status: number): Reply => {
  if (reply.status !== status) throw new Error(`Answered ${reply.status} and not ${status}: ${JSON.stringify(reply.body)}`);
  return reply;
};

/** The status and the code of a refused request. */
export const refusal = ({ status, body }: Reply): [status: number, code: string] => [status, body.code];

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

export const cookieOf = (reply: Reply): string => reply.headers.getSetCookie()[0]?.split(';')[0] ?? '';

/** An administrator who signed in. */
export const asAdmin = async (url: string): Promise<Client> => {
  const reply = expectStatus(await clientOf(url).post('/api/auth/admin/login', { adminKey: ADMIN_KEY }), 200);
  return clientOf(url, { cookie: cookieOf(reply) });
};

/** A customer who signed in with its license key. */
export const asCustomer = async (url: string, { licenseKey }: Pick<Customer, 'licenseKey'>): Promise<Client> => {
  const reply = expectStatus(await clientOf(url).post('/api/auth/customer/login', { licenseKey }), 200);
  return clientOf(url, bearer(reply.body.token));
};

/** A service integrator who signed in with its master license key. */
export const asIntegrator = async (
  url: string,
  { masterLicenseKey }: Pick<ServiceIntegrator, 'masterLicenseKey'>,
): Promise<Client> => {
  const reply = expectStatus(await clientOf(url).post('/api/auth/service-integrator/login', { masterLicenseKey }), 200);
  return clientOf(url, bearer(reply.body.token));
};

export type Tool = Client & { token: string; userId: string };

/** A user's command-line tool that signed in. */
export const asTool = async (
  url: string,
  customer: Pick<Customer, 'licenseKey'>,
  username = 'ada',
  machineId = `machine-of-${username}`,
): Promise<Tool> => {
  const reply = expectStatus(await clientOf(url).post('/api/cli/login', toolLoginOf(customer, username, machineId)), 200);
  return { ...clientOf(url, bearer(reply.body.token)), token: reply.body.token, userId: reply.body.user.id };
};

/** What a user's sign-in on a machine sends. */
export const toolLoginOf = (
  { licenseKey }: Pick<Customer, 'licenseKey'>,
  username: string,
  machineId = `machine-of-${username}`,
) => ({
  licenseKey,
  username,
  email: `${username}@example.com`,
  machineId,
});

/** A machine that is new to a user tries to sign in, and so asks for approval. */
export const askApproval = async (
  url: string,
  customer: Pick<Customer, 'licenseKey'>,
  username: string,
  machineId: string,
): Promise<{ requestId: string; code: string; expiresAt: string }> => {
  const login = { ...toolLoginOf(customer, username, machineId), machineName: `name-of-${machineId}` };
  return expectStatus(await clientOf(url).post('/api/cli/login', login), 403).body.approval;
};

/** A new service integrator, made by an administrator. */
export const newIntegrator = async (admin: Client, given: Record<string, unknown> = {}): Promise<ServiceIntegrator> => {
  const integrator = {
    companyName: 'Contoso',
    contactEmail: 'it@contoso.example',
    billingEmail: 'bills@contoso.example',
    ...given,
  };
  return expectStatus(await admin.post('/api/admin/service-integrators', integrator), 201).body.service_integrator;
};

/** A new customer of an integrator, made by an administrator. */
export const newCustomer = async (
  admin: Client,
  serviceIntegratorId: string,
  given: Record<string, unknown> = {},
): Promise<Customer> => {
  const customer = {
    name: 'Acme',
    contactEmail: 'it@acme.example',
    company: 'Acme Inc.',
    serviceIntegratorId,
    theme: null,
    developerSeats: 10,
    stakeholderSeats: 5,
    seatLimitsEnforced: true,
    ...given,
  };
  return expectStatus(await admin.post('/api/admin/customers', customer), 201).body.customer;
};

import { Agent, get } from 'node:http';
import { ADMIN_KEY } from './product.ts';

/** Calls the API with the credentials of one user. Throws unless the response is successful. */
export type Caller = (method: string, path: string, body?: unknown) => Promise<Reply>;
// biome-ignore lint/suspicious/noExplicitAny: each benchmark knows the response of its request
type Reply = any;

export type Tool = { token: string; userId: string; customerId: string; licenseKey: string };

export const callerOf = (url: string, headers: Readonly<Record<string, string>>): Caller => {
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
    return JSON.parse(text);
  };
};

/**
 * Gets a path and drops the reply, on a connection that is kept. `fetch` and what it makes of large replies leave so much garbage that
 * collecting it would be a part of the slowest times. Throws unless the response is successful.
 */
export const getterOf = (url: string, headers: Readonly<Record<string, string>>): ((path: string) => Promise<void>) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return (path) =>
    new Promise((resolve, reject) => {
      const request = get(url + path, { agent, headers }, (response) => {
        response.once('error', reject).once('end', resolve).resume();
        if (response.statusCode !== 200) reject(new Error(`GET ${path} was answered with ${response.statusCode}`));
      });
      request.once('error', reject);
    });
};

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** Signs an administrator in and returns the session cookie. */
export const adminCookie = async (url: string): Promise<string> => {
  const response = await fetch(`${url}/api/auth/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ adminKey: ADMIN_KEY }),
  });
  if (!response.ok) throw new Error(`No administrator could sign in: ${await response.text()}`);
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
};

export const asAdmin = async (url: string): Promise<Caller> => callerOf(url, { cookie: await adminCookie(url) });

export const newIntegrator = async (admin: Caller): Promise<string> => {
  const body = { companyName: 'Contoso', contactEmail: 'it@contoso.example', billingEmail: 'bills@contoso.example' };
  return (await admin('POST', '/api/admin/service-integrators', body)).service_integrator.id;
};

export type Customer = { id: string; licenseKey: string };

/** Creates a customer with unlimited seats. */
export const newCustomer = async (admin: Caller, serviceIntegratorId: string, name: string): Promise<Customer> => {
  const contact = { contactEmail: 'it@acme.example', company: name, theme: null };
  const seats = { developerSeats: -1, stakeholderSeats: -1, seatLimitsEnforced: true };
  return (await admin('POST', '/api/admin/customers', { name, serviceIntegratorId, ...contact, ...seats })).customer;
};

/** Signs in a user's command-line tool. */
export const signIn = async (url: string, { id, licenseKey }: Customer, username: string): Promise<Tool> => {
  const login = { licenseKey, username, email: `${username}@acme.example`, machineId: `machine-of-${username}` };
  const { token, user } = await callerOf(url, {})('POST', '/api/cli/login', login);
  return { token, userId: user.id, customerId: id, licenseKey };
};

const CONCURRENT_SIGN_INS = 32;

/** Creates `customers` customers of one integrator, each with `tools` signed-in users. The result is ordered by customer. */
export const populate = async (
  url: string,
  admin: Caller,
  { customers, tools }: { customers: number; tools: number },
): Promise<Tool[]> => {
  const integrator = await newIntegrator(admin);
  const signedIn: Tool[] = [];
  const places = Array.from({ length: customers * tools }, (_, index) => index);
  const created: Customer[] = [];
  for (let customer = 0; customer < customers; customer++)
    created.push(await newCustomer(admin, integrator, `Customer ${customer}`));
  const worker = async (): Promise<void> => {
    // Consecutive sign-ins are of different customers, so that they do not compete for one stream.
    for (let place = places.shift(); place !== undefined; place = places.shift()) {
      const [customer, tool] = [place % customers, Math.floor(place / customers)];
      const owner = created[customer];
      if (owner) signedIn[customer * tools + tool] = await signIn(url, owner, `user-${tool}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENT_SIGN_INS, customers) }, worker));
  return signedIn;
};

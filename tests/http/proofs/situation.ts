import type { ProblemCode } from '../../../src/http/problems/problems.ts';
import { asTool, type Client, clientOf, newCustomer, type Reply } from '../../support/apiClient.ts';
import { ownKey } from '../../support/keys.ts';
import type { TestServer } from '../../support/server.ts';
import type { TestAccounts } from './testAccounts.ts';

export type SituationContext = TestAccounts & {
  server: TestServer;
  url: string;
  /** Sends a request while the clock of the server is a minute ahead. */
  aMinuteLater: (send: () => Promise<Reply>) => Promise<Reply>;
};

/** A request that leads to a problem, and the problem. `retryAfter` where the reply says when to come again. */
export type Situation = Readonly<{
  cause: (context: SituationContext) => Promise<Reply>;
  status: number;
  error: string;
  retryAfter?: true;
}>;

/** Problems of the moment, which take a machine of their own to cause. */
export type Outage = 'overloaded' | 'unavailable' | 'request_timeout' | 'internal_error' | 'idempotency_in_progress';

export const customer = { name: 'Any', contactEmail: 'any@any.example' };
export const account = { companyName: 'Any', contactEmail: 'any@any.example', billingEmail: 'any@any.example' };
export const look = { displayName: 'Any', primaryColor: '#0070AD' };
export const login = { instanceUrl: 'https://127.0.0.1:1', username: 'any', password: 'any' };
export const THEMES = '/api/service-integrator/themes';
export const CREDENTIALS = '/api/credentials';

export const json = { 'content-type': 'application/json' };
/** Failed sign-ins of one address do not use up the budget of another. */
let addresses = 0;
export const fromElsewhere = (): Record<string, string> => {
  addresses += 1;
  return { 'x-forwarded-for': `203.0.113.${addresses}` };
};

export const statusOfCustomer = async ({ admin }: SituationContext, id: string, status: string): Promise<void> => {
  await admin.put(`/api/admin/customers/${id}`, { ...customer, status });
};
export const statusOfIntegrator = async ({ admin }: SituationContext, id: string, status: string): Promise<void> => {
  await admin.put(`/api/admin/service-integrators/${id}`, { ...account, status });
};

export const signIn = (url: string, path: string, body: object): Promise<Reply> =>
  clientOf(url).post(`/api/auth/${path}/login`, body, { headers: fromElsewhere() });

export const toolLogin = ({ licenseKey }: { licenseKey: string }, username: string) => ({
  licenseKey,
  username,
  email: `${username}@example.com`,
  machineId: `machine-of-${username}`,
});

/** A thing that was made with an `Idempotency-Key`, deleted, and is asked for again once the key's reply was forgotten. */
export const madeAgain = async (
  { server }: SituationContext,
  client: Client,
  { create, remove }: { create: [path: string, body: object]; remove: (reply: Reply) => Promise<Reply> },
): Promise<Reply> => {
  const key = ownKey(`again-${create[0]}`);
  const make = () => client.post(...create, { headers: { 'idempotency-key': key } });
  const removed = await remove(await make());
  if (removed.status !== 200) throw new Error(`Was not deleted: ${JSON.stringify(removed.body)}`);
  await server.product.db.deleteFrom('http.idempotency').where('key', '=', key).execute();
  return make();
};

export const twoUsers = async ({
  admin,
  url,
  mine,
}: SituationContext): Promise<{ id: string; other: { username: string; email: string } }> => {
  const { licenseKey } = await newCustomer(admin, mine.ids.integrator);
  const { userId } = await asTool(url, { licenseKey }, 'one');
  await asTool(url, { licenseKey }, 'two');
  return { id: userId, other: { username: 'two', email: 'two@example.com' } };
};

/** Every problem that a request alone can cause: a caller who may change roles has the highest one, which cannot be raised. */
export type Caused = Exclude<ProblemCode, Outage | 'own_role'>;

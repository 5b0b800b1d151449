import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import type { CallQuotaReached } from '../../src/domain/customer/events.ts';
import { endOfMonth, monthOf } from '../../src/domain/license/callQuota.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  type Client,
  newCustomer,
  newIntegrator,
  type Reply,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { IS_AT_LENGTH } from '../support/tiers.ts';

const RECORDERS = IS_AT_LENGTH ? 32 : 8;

/** The clock of both nodes. */
let ahead = 0;
const now = () => Date.now() + ahead;
const month = () => monthOf(new Date(now()).toISOString());

let server: TestServer;
let second: Awaited<ReturnType<TestServer['openNode']>>;
let admin: Client;
let partner: Client;
let integrator: ServiceIntegrator;
let integratorId: string;

beforeAll(async () => {
  server = await openServer({ METRICS_PORT: '0' }, { now });
  second = await server.openNode();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
  integratorId = integrator.id;
  await signIn();
});

/** Sessions end while the clock is set to the next month. */
const signIn = async (): Promise<void> => {
  [admin, partner] = [await asAdmin(server.url), await asIntegrator(server.url, integrator)];
};

afterAll(() => server.close());

const call = { service: 'jira', instanceUrl: 'https://acme.atlassian.net', operation: 'GET:/issue', status: 200, durationMs: 40 };
const many = (count: number): unknown[] => Array.from({ length: count }, () => call);
const send = (tool: Client, sourceId: string, firstSequence: number, calls: unknown[]): Promise<Reply> =>
  tool.post('/api/cli/api-calls', { sourceId, firstSequence, calls });
const limited = (limit: number, kind: 'soft' | 'hard' = 'hard') => newCustomer(admin, integratorId, { callQuota: { limit, kind } });
const setQuota = async ({ id, name, contactEmail }: Customer, callQuota: object | null): Promise<Customer> =>
  (await partner.put(`/api/service-integrator/customers/${id}`, { name, contactEmail, callQuota })).body.customer;

const totalOf = async ({ id }: Customer): Promise<number> =>
  (await admin.get(`/api/admin/customers/${id}`)).body.customer.totalApiCalls;
const isCounted = (customer: Customer, calls: number) =>
  eventually(
    () => totalOf(customer),
    (total) => total === calls,
  );
const noticesOf = async ({ id }: Customer): Promise<CallQuotaReached['data'][]> => {
  const notices: CallQuotaReached['data'][] = [];
  for await (const { event } of server.product.events.read(streams.customer(id))) {
    if (event.type === 'CallQuotaReached') notices.push(event.data);
  }
  return notices;
};
const noticed = (customer: Customer, percents: readonly number[]) =>
  eventually(
    () => noticesOf(customer),
    (notices) => notices.map(({ percent }) => percent).join() === percents.join(),
  );

type QuotaState = 'near' | 'exceeded';
const pageInQuotaState = async (state: QuotaState): Promise<{ customers: Customer[]; total: number; counts: { all: number } }> =>
  (await partner.get(`/api/service-integrator/customers?quota=${state}`)).body;
/** The page and its counts are separate reads: they are equal once no projection is behind. */
const inQuotaState = async (state: QuotaState): Promise<string[]> => {
  const { customers } = await eventually(
    () => pageInQuotaState(state),
    (page) => page.total === page.customers.length && page.counts.all === page.total,
  );
  return customers.map(({ id }) => id);
};

describe('a license without a quota', () => {
  it('is shown and recorded as before, and claims nothing', async () => {
    const customer = await newCustomer(admin, integratorId);
    expect(customer).not.toHaveProperty('callQuota');
    const tool = await asTool(server.url, customer);
    expect((await tool.get('/api/cli/session')).body).not.toHaveProperty('callQuota');
    expect(await send(tool, 'any', 1, many(3))).toMatchObject({ status: 202, body: { accepted: 3, nextSequence: 4 } });
    expect((await tool.get('/api/cli/usage')).body).not.toHaveProperty('callQuota');
    const { rows } = await sql`select from ops.call_claim where customer_id = ${customer.id}`.execute(server.product.db);
    expect(rows).toEqual([]);
  });
});

describe('a quota', () => {
  it('is set, changed and removed by a service integrator, each with an entry that can be compared', async () => {
    const customer = await newCustomer(admin, integratorId);
    const resetsAt = endOfMonth(month());
    expect(await setQuota(customer, { limit: 1_000, kind: 'soft' })).toMatchObject({
      callQuota: { limit: 1_000, kind: 'soft', reached: 0, resetsAt },
    });
    const { at } = (await admin.get(`/api/admin/customers/${customer.id}/history?limit=1`)).body.history[0];
    await setQuota(customer, { limit: 2_000, kind: 'hard' });
    expect(await setQuota(customer, null)).not.toHaveProperty('callQuota');
    const { history } = (await admin.get(`/api/admin/customers/${customer.id}/history?limit=3`)).body;
    expect(history.map(({ summary }: { summary: string }) => summary)).toEqual([
      'The quota of API calls was removed',
      'The quota of API calls was set to 2,000 a month (hard)',
      'The quota of API calls was set to 1,000 a month (soft)',
    ]);
    expect(history[1].changes).toEqual([{ field: 'callQuota', before: '1,000 a month (soft)', after: '2,000 a month (hard)' }]);
    const asOf = await admin.get(`/api/admin/customers/${customer.id}/as-of?at=${at}&compareTo=${new Date(now()).toISOString()}`);
    expect(asOf.body.customer.callQuota).toMatchObject({ limit: 1_000, kind: 'soft' });
    expect(asOf.body.changes).toContainEqual({ field: 'callQuota', before: '1,000 a month (soft)', after: null });
    const invalid = { name: customer.name, contactEmail: customer.contactEmail, callQuota: { limit: 0, kind: 'hard' } };
    expect(await partner.put(`/api/service-integrator/customers/${customer.id}`, invalid)).toMatchObject({ status: 400 });
  });
});

describe('a hard quota', () => {
  it('gets voided calls back, which can be recorded again', async () => {
    const customer = await limited(5);
    const tool = await asTool(server.url, customer);
    const voidFirst = async (lastSequence: number, total: number): Promise<void> => {
      const path = `/api/service-integrator/customers/${customer.id}/voids`;
      expect((await partner.post(path, { sourceId: 'one', lastSequence, reason: 'A test' })).status).toBe(200);
      await isCounted(customer, total);
    };
    const used = async (): Promise<number> => (await tool.get('/api/cli/session')).body.callQuota.used;
    expect((await send(tool, 'one', 1, many(5))).status).toBe(202);
    await isCounted(customer, 5);
    await voidFirst(2, 3);
    expect(await used()).toBe(3);
    // The same sequences are claimed again, once.
    expect(await send(tool, 'one', 1, many(1))).toMatchObject({ status: 202, body: { accepted: 1 } });
    expect(await send(tool, 'one', 1, many(1))).toMatchObject({ status: 202 });
    expect(await used()).toBe(4);
    expect(await send(tool, 'two', 1, many(3))).toMatchObject({ status: 403, body: { calls: { accepted: 1, refusedFrom: 2 } } });
    await isCounted(customer, 5);
    expect(await used()).toBe(5);
    await voidFirst(1, 4);
    expect(await used()).toBe(4);
    expect(await send(tool, 'two', 2, many(2))).toMatchObject({ status: 403, body: { calls: { accepted: 1, refusedFrom: 3 } } });
    await isCounted(customer, 5);
    expect(await used()).toBe(5);
  });

  it('records the calls that fit, and says what became of the batch', async () => {
    const customer = await limited(10);
    const tool = await asTool(server.url, customer);
    const resetsAt = endOfMonth(month());
    expect(await send(tool, 'one', 1, many(4))).toMatchObject({ status: 202, body: { accepted: 4 } });
    const refused = await send(tool, 'one', 3, [...many(5), { ...call, status: 1 }, ...many(6)]);
    expect(refused).toMatchObject({
      status: 403,
      body: {
        code: 'quota_exceeded',
        error:
          'The quota of 10 API calls a month is used up: 6 of 12 calls were recorded. ' +
          `Keep the others until ${resetsAt.slice(0, 10)} (UTC), or ask your service integrator or your administrator to raise the quota.`,
        calls: {
          accepted: 6,
          duplicates: 2,
          rejected: [{ sequence: 8 }],
          refusedFrom: 12,
          quota: { limit: 10, kind: 'hard', used: 10, resetsAt },
        },
      },
    });
    await isCounted(customer, 10);
    expect((await tool.get('/api/cli/usage')).body.callQuota).toEqual({ limit: 10, kind: 'hard', used: 10, resetsAt });
    expect((await tool.get('/api/cli/session')).body.callQuota).toEqual({ limit: 10, kind: 'hard', used: 10, resetsAt });
    const portal = await asCustomer(server.url, customer);
    expect((await portal.get('/api/customer/usage')).body.callQuota.used).toBe(10);
    expect((await partner.get(`/api/service-integrator/customers/${customer.id}/usage`)).body.callQuota.used).toBe(10);
    const metrics = await (await fetch(server.metricsUrl ?? '')).text();
    expect(metrics).toMatch(/^latchkey_api_calls_over_quota_total [1-9]/m);
  });

  it('takes calls that are sent again once, on any node', async () => {
    const customer = await limited(10);
    const [one, other] = [await asTool(server.url, customer), await asTool(second.url, customer)];
    for (const tool of [one, other, one]) expect((await send(tool, 'again', 1, many(6))).status).toBe(202);
    expect(await send(other, 'again', 4, many(7))).toMatchObject({ status: 202 });
    expect((await send(one, 'again', 11, many(1))).body.calls).toMatchObject({ accepted: 0, refusedFrom: 11 });
    await isCounted(customer, 10);
  });

  it('keeps a claim whose calls were not appended for the same calls', async () => {
    const customer = await limited(10);
    const tool = await asTool(server.url, customer);
    const claim = { customerId: customer.id, sourceId: 'crash', ranges: [[1, 6]] as const, at: new Date(now()).toISOString() };
    expect(await server.product.claimCalls(claim)).toMatchObject({ calls: 6, quota: { used: 6 } });
    expect((await send(tool, 'other', 1, many(5))).body.calls).toMatchObject({ accepted: 4, refusedFrom: 5 });
    expect(await send(tool, 'crash', 1, many(6))).toMatchObject({ status: 202, body: { accepted: 6 } });
    await isCounted(customer, 10);
  });

  it(`is exact with ${RECORDERS} recorders on two nodes that send everything twice`, async () => {
    const LIMIT = RECORDERS * 30; // of 56 calls of each
    const customer = await limited(LIMIT);
    const tools = [await asTool(server.url, customer), await asTool(second.url, customer)];
    const recorders = Array.from({ length: RECORDERS }, async (_, recorder) => {
      let accepted = 0;
      for (let batch = 0; batch < 8; batch++) {
        for (const tool of batch % 2 === 0 ? tools : [...tools].reverse()) {
          const { status, body } = await send(tool, `recorder-${recorder}`, batch * 7 + 1, many(7));
          expect([202, 403]).toContain(status);
          accepted = Math.max(accepted, status === 202 ? batch * 7 + 7 : body.calls.refusedFrom - 1);
          if (status === 403) return accepted;
        }
      }
      return accepted;
    });
    const accepted = (await Promise.all(recorders)).reduce((sum, calls) => sum + calls, 0);
    expect(accepted).toBe(LIMIT);
    await isCounted(customer, LIMIT);
  });

  it('takes calls again after it is raised or removed, and in the next month', async () => {
    const customer = await limited(5);
    let tool = await asTool(server.url, customer);
    expect((await send(tool, 'queue', 1, many(8))).body.calls).toMatchObject({ refusedFrom: 6 });
    await setQuota(customer, { limit: 7, kind: 'hard' });
    expect((await send(tool, 'queue', 6, many(3))).body.calls).toMatchObject({ accepted: 2, refusedFrom: 8 });
    await setQuota(customer, { limit: 3, kind: 'hard' });
    expect((await send(tool, 'queue', 8, many(1))).body.calls).toMatchObject({ accepted: 0, quota: { limit: 3, used: 7 } });
    const next = Date.parse(endOfMonth(month()));
    ahead = next - Date.now();
    await signIn();
    tool = await asTool(server.url, customer);
    expect(await inQuotaState('exceeded')).not.toContain(customer.id);
    expect(await send(tool, 'queue', 8, many(1))).toMatchObject({ status: 202 });
    expect((await tool.get('/api/cli/usage')).body.callQuota).toMatchObject({ limit: 3, used: 1 });
    expect((await send(tool, 'queue', 9, many(9))).body.calls).toMatchObject({ accepted: 2 });
    await setQuota(customer, null);
    expect(await send(tool, 'queue', 11, many(7))).toMatchObject({ status: 202, body: { accepted: 7 } });
    await isCounted(customer, 17);
  });

  it('counts what was recorded in the month before it was set', async () => {
    const customer = await newCustomer(admin, integratorId);
    const tool = await asTool(server.url, customer);
    await send(tool, 'before', 1, many(5));
    await isCounted(customer, 5);
    await setQuota(customer, { limit: 8, kind: 'hard' });
    ahead += 10_000; // a first quota is noticed within 10 s
    expect((await send(tool, 'before', 6, many(4))).body.calls).toMatchObject({ accepted: 3, quota: { used: 8 } });
    await noticed(customer, [100]);
  });
});

describe('a soft quota', () => {
  it('refuses nothing, and notifies at 70, 90 and 100 percent, each once', async () => {
    const customer = await limited(10, 'soft');
    const [one, other] = [await asTool(server.url, customer), await asTool(second.url, customer)];
    await send(one, 'soft', 1, many(7));
    await noticed(customer, [70]);
    await eventually(
      () => inQuotaState('near'),
      (ids) => ids.includes(customer.id),
    );
    await send(other, 'soft', 8, many(2));
    await noticed(customer, [70, 90]);
    expect(await send(one, 'soft', 10, many(5))).toMatchObject({ status: 202, body: { accepted: 5 } });
    await noticed(customer, [70, 90, 100]);
    await send(other, 'soft', 15, many(5));
    const shown = async (): Promise<Customer> => (await admin.get(`/api/admin/customers/${customer.id}`)).body.customer;
    await eventually(shown, ({ callQuota }) => callQuota?.reached === 100);
    const { history } = (await admin.get(`/api/admin/customers/${customer.id}/history?limit=1`)).body;
    expect(history[0].summary).toBe(`100% of the 10 API calls of ${month()} were used`);
    expect(await inQuotaState('exceeded')).toContain(customer.id);
    expect(await inQuotaState('near')).not.toContain(customer.id);
    const file = await admin.get('/api/admin/customers?quota=exceeded', { headers: { accept: 'text/csv' } });
    expect(file.body).toContain(`${customer.id},`);
    expect(file.body).toContain(',10,soft,100,');
    await setQuota(customer, { limit: 20, kind: 'soft' });
    expect(await inQuotaState('exceeded')).not.toContain(customer.id);
    await noticed(customer, [70, 90, 100, 90]);
    await setQuota(customer, { limit: 10, kind: 'soft' });
    await isCounted(customer, 19);
    expect((await noticesOf(customer)).map(({ percent }) => percent)).toEqual([70, 90, 100, 90]);
  });

  it('says that voids lowered its use, and notifies again', async () => {
    const customer = await limited(10, 'soft');
    const tool = await asTool(server.url, customer);
    const voidUpTo = (lastSequence: number) =>
      partner.post(`/api/service-integrator/customers/${customer.id}/voids`, { sourceId: 'soft', lastSequence, reason: 'A test' });
    const reached = (percent: number) =>
      eventually(
        async (): Promise<Customer> => (await admin.get(`/api/admin/customers/${customer.id}`)).body.customer,
        ({ callQuota }) => callQuota?.reached === percent,
      );
    await send(tool, 'soft', 1, many(10));
    await reached(100);
    await isCounted(customer, 10);
    expect((await voidUpTo(2)).status).toBe(200);
    await reached(70);
    expect(await inQuotaState('near')).toContain(customer.id);
    expect((await voidUpTo(4)).status).toBe(200);
    await reached(0);
    for (const state of ['near', 'exceeded'] as const) expect(await inQuotaState(state)).not.toContain(customer.id);
    const { history } = (await admin.get(`/api/admin/customers/${customer.id}/history?limit=1`)).body;
    expect(history[0].summary).toBe(`After voids, less than 70% of the 10 API calls of ${month()} are used`);
    await send(tool, 'soft', 11, many(1));
    await reached(70);
    expect((await noticesOf(customer)).map(({ percent }) => percent)).toEqual([100, 70]);
  });
});

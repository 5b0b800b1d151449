import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { CliFrame } from '../../src/contracts/cli.ts';
import type { Customer } from '../../src/contracts/customers.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
  toolLoginOf,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { dialTool, openToolSocket } from '../support/toolSocket.ts';

/** The clock of both nodes. */
let ahead = 0;
const now = () => Date.now() + ahead;
const inFuture = (ms: number) => new Date(now() + ms).toISOString();

let server: TestServer;
let second: Awaited<ReturnType<TestServer['openNode']>>;
let admin: Client;
let partner: Client;
let integratorId: string;

beforeAll(async () => {
  server = await openServer({}, { now });
  second = await server.openNode();
  admin = await asAdmin(server.url);
  const integrator = await newIntegrator(admin);
  integratorId = integrator.id;
  partner = await asIntegrator(server.url, integrator);
});

afterAll(() => server.close());

const pathOf = ({ id }: Customer) => `/api/service-integrator/customers/${id}`;
const stepsOf = async ({ id }: Customer): Promise<string[]> => {
  const steps: string[] = [];
  for await (const { event } of server.product.events.read(streams.customer(id))) {
    if (event.type === 'LicenseEnteredGrace' || event.type === 'LicenseExpired') steps.push(event.type);
  }
  return steps;
};
const termsIn = (frames: readonly CliFrame[]) => frames.flatMap((frame) => (frame.type === 'term' ? [frame.term] : []));
const stepsReach = (customer: Customer, count: number) =>
  eventually(
    () => stepsOf(customer),
    (steps) => steps.length >= count,
  );
const call = (at: string) => ({
  service: 'jira',
  instanceUrl: 'https://acme.atlassian.net',
  operation: 'GET:/issue',
  status: 200,
  durationMs: 40,
  at,
});

describe('a license without a term', () => {
  it('is shown as before, to each audience and to the tool', async () => {
    const customer = await newCustomer(admin, integratorId);
    expect(customer).not.toHaveProperty('term');
    expect((await partner.get(pathOf(customer))).body.customer).not.toHaveProperty('term');
    const login = await clientOf(server.url).post('/api/cli/login', toolLoginOf(customer, 'ada'));
    expect(login.body).not.toHaveProperty('term');
  });
});

describe('a term', () => {
  it('is set, renewed, extended and removed by a service integrator, and each step is in the history', async () => {
    const customer = await newCustomer(admin, integratorId);
    const term = { startsAt: '2026-01-01T00:00:00.000Z', expiresAt: '2035-01-31T00:00:00.000Z', graceDays: 14, isTrial: true };
    const set = await partner.put(`${pathOf(customer)}/term`, term);
    expect(set.body.customer.term).toEqual({ ...term, endsAt: '2035-02-14T00:00:00.000Z', state: 'active' });
    expect((await partner.put(`${pathOf(customer)}/term`, term)).headers.get('etag')).toBe(set.headers.get('etag'));

    const renewed = await partner.post(`${pathOf(customer)}/term/renew`, { months: 1 });
    expect(renewed.body.customer.term).toMatchObject({ expiresAt: '2035-02-28T00:00:00.000Z', isTrial: false });
    const extended = await partner.post(`${pathOf(customer)}/term/extend`, { days: 2 });
    expect(extended.body.customer.term).toMatchObject({
      expiresAt: '2035-03-02T00:00:00.000Z',
      endsAt: '2035-03-16T00:00:00.000Z',
    });
    const stale = await partner.delete(`${pathOf(customer)}/term`, { headers: { 'if-match': set.headers.get('etag') ?? '' } });
    expect(stale).toMatchObject({ status: 412, body: { code: 'revision_changed' } });
    const { at } = (await admin.get(`/api/admin/customers/${customer.id}/history?limit=1`)).body.history[0];
    expect((await partner.delete(`${pathOf(customer)}/term`)).body.customer).not.toHaveProperty('term');

    const { history } = (await admin.get(`/api/admin/customers/${customer.id}/history?limit=4`)).body;
    expect(history.map(({ summary }: { summary: string }) => summary)).toEqual([
      'The license became perpetual',
      'The license was extended until 2035-03-02',
      'The license was renewed until 2035-02-28',
      'The trial of the license was set to expire on 2035-01-31, with 14 days of grace',
    ]);
    expect(history[2].changes).toContainEqual({ field: 'isTrial', before: true, after: false });
    const asOf = await admin.get(`/api/admin/customers/${customer.id}/as-of?at=${at}&compareTo=${inFuture(0)}`);
    expect(asOf.body.customer.term.expiresAt).toBe('2035-03-02T00:00:00.000Z');
    expect(asOf.body.changes).toContainEqual({ field: 'expiresAt', before: '2035-03-02T00:00:00.000Z', after: null });
  });

  it('is given with a new customer, or refused with it', async () => {
    const customer = { name: 'Trial', contactEmail: 'it@trial.example', company: 'Trial Inc.', theme: null };
    const created = await partner.post('/api/service-integrator/customers', {
      ...customer,
      term: { expiresAt: inFuture(10 * DAY_MS), isTrial: true },
    });
    expect(created).toMatchObject({
      status: 201,
      body: { customer: { term: { state: 'expiring', isTrial: true, graceDays: 0, isRenewalDue: false } } },
    });
    const refused = await partner.post('/api/service-integrator/customers', {
      ...customer,
      term: { expiresAt: inFuture(-DAY_MS) },
    });
    expect(refused).toMatchObject({ status: 400, body: { code: 'term_without_duration' } });
    expect(await partner.put(`${pathOf(created.body.customer)}/term`, { expiresAt: 'soon', graceDays: -1 })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'expiresAt' }, { path: 'graceDays' }] },
    });
  });
});

describe('the clock', () => {
  it('leads a license through expiring and grace to its end, on two nodes, and a renewal brings it back', async () => {
    const expiresAt = inFuture(MINUTE_MS);
    const customer = await newCustomer(admin, integratorId, { term: { expiresAt, graceDays: 3 } });
    const tool = await asTool(server.url, customer);
    const socket = await openToolSocket(second.url, tool.token);
    const later = await newCustomer(admin, integratorId, { term: { expiresAt: inFuture(DAY_MS + MINUTE_MS) } });
    const announced = await openToolSocket(server.url, (await asTool(server.url, later)).token);
    const listed = async (term: string) =>
      (await partner.get(`/api/service-integrator/customers?term=${term}&search=acme`)).body.customers.some(
        ({ id }: Customer) => id === customer.id,
      );
    expect((await tool.get('/api/cli/session')).body.term).toMatchObject({ state: 'expiring', expiresAt });
    expect(await Promise.all(['expiring', 'grace', 'perpetual', 'trial'].map(listed))).toEqual([true, false, false, false]);
    expect(socket.frames[0]).toMatchObject({ type: 'welcome', term: { state: 'expiring', expiresAt } });

    ahead += 2 * MINUTE_MS;
    expect(await stepsReach(customer, 1)).toEqual(['LicenseEnteredGrace']);
    expect((await tool.get('/api/cli/session')).body.term.state).toBe('grace');
    await eventually(
      () => termsIn(socket.frames),
      (terms) => terms.at(-1)?.state === 'grace',
    );
    expect(await Promise.all(['expiring', 'grace'].map(listed))).toEqual([false, true]);
    await eventually(
      () => termsIn(announced.frames).map((term) => term?.state),
      (states) => states.length === 1 && states[0] === 'expiring',
    );
    await announced.close();
    const before = inFuture(0);
    await asTool(second.url, customer);

    ahead += 3 * DAY_MS;
    expect(await stepsReach(customer, 2)).toEqual(['LicenseEnteredGrace', 'LicenseExpired']);
    expect(await socket.closed).toBe(4403);
    expect(termsIn(socket.frames).map((term) => term?.state)).toEqual(['grace', 'expired']);
    expect(socket.frames.at(-1)).toEqual({ type: 'revoked', reason: expect.stringContaining('This license has expired') });
    const login = await clientOf(second.url).post('/api/cli/login', toolLoginOf(customer, 'ada'));
    expect(login).toMatchObject({ status: 403, body: { code: 'license_expired' } });
    const checked = await clientOf(second.url).post('/api/cli/license-key/check', { licenseKey: customer.licenseKey });
    expect(checked).toMatchObject({ status: 403, body: { code: 'license_expired' } });
    const again = await dialTool(server.url, { type: 'hello', token: tool.token, connectionId: socket.connectionId });
    expect(await again.closed).toBe(4403);
    expect((await tool.get('/api/cli/session')).body.term.state).toBe('expired');

    // Calls count by their own time.
    const calls = { sourceId: 'spool', firstSequence: 1, calls: [call(before), call(inFuture(0))] };
    const recorded = await tool.post('/api/cli/api-calls', calls);
    expect(recorded).toMatchObject({ status: 202, body: { accepted: 1, rejected: [{ sequence: 2, code: 'license_expired' }] } });
    admin = await asAdmin(server.url);
    const { impact } = (await admin.get(`/api/admin/customers/${customer.id}/impact?status=suspended`)).body;
    expect(impact).toMatchObject({ users: 1, lockedOut: { count: 0, names: [] } });
    // The portal stays.
    const portal = await asCustomer(second.url, customer);
    expect((await portal.get('/api/customer/profile')).body.profile.term.state).toBe('expired');

    partner = await asIntegrator(
      server.url,
      (await admin.get(`/api/admin/service-integrators/${integratorId}`)).body.service_integrator,
    );
    expect((await partner.post(`${pathOf(customer)}/term/renew`, { months: 2 })).body.customer.term.state).toBe('active');
    await asTool(server.url, customer);
    expect((await tool.post('/api/cli/api-calls', { ...calls, firstSequence: 2, calls: [call(inFuture(0))] })).body.accepted).toBe(
      1,
    );
    expect(await stepsOf(customer)).toHaveLength(2);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, asIntegrator, asTool, type Client, newIntegrator } from '../support/apiClient.ts';
import { openServer, type TestServer } from '../support/server.ts';

const PLANS = '/api/admin/plans';
const PRO = {
  name: 'Professional',
  developerSeats: 20,
  stakeholderSeats: -1,
  seatLimitsEnforced: false,
  termMonths: 12,
  graceDays: 14,
  isTrial: false,
};

let server: TestServer;
let admin: Client;
let partner: Client;
let integratorId: string;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  const integrator = await newIntegrator(admin);
  integratorId = integrator.id;
  partner = await asIntegrator(server.url, integrator);
  expect((await admin.post(PLANS, { code: 'pro', ...PRO })).status).toBe(201);
});
afterAll(() => server.close());

type ListedPlan = { code: string; licenses: number; retiredAt: string | null };
const listed = async (): Promise<ListedPlan[]> => (await admin.get(PLANS)).body.plans;
const choices = async (): Promise<string[]> =>
  (await partner.get('/api/service-integrator/plans')).body.plans.map(({ code }: { code: string }) => code);
const wanted = { name: 'Acme', contactEmail: 'it@acme.example', company: 'Acme Inc.' };
const asOwn = (body: object) => partner.post('/api/service-integrator/customers', { ...wanted, ...body });
const asAny = (body: object) => admin.post('/api/admin/customers', { ...wanted, serviceIntegratorId: integratorId, ...body });

describe('plans', () => {
  it('begin with the built-in one, which cannot be changed', async () => {
    const [first, second] = await listed();
    expect(first).toMatchObject({ code: 'ENT', name: 'Enterprise', developerSeats: 10, termMonths: null, isBuiltIn: true });
    expect(second).toMatchObject({ code: 'PRO', ...PRO, isBuiltIn: false, retiredAt: null });
    expect((await admin.put(`${PLANS}/ENT`, PRO)).body.code).toBe('plan_built_in');
    expect((await admin.post(`${PLANS}/ENT/retire`)).body.code).toBe('plan_built_in');
  });

  it('are changed and retired, which the history says, and can no longer be chosen', async () => {
    expect((await admin.post(PLANS, { code: 'TRY', ...PRO })).status).toBe(201);
    expect(await choices()).toEqual(['ENT', 'PRO', 'TRY']);
    const trial = { ...PRO, name: 'Trial', termMonths: 1, isTrial: true };
    expect((await admin.put(`${PLANS}/try`, trial)).status).toBe(200);
    expect((await admin.post(`${PLANS}/TRY/retire`)).status).toBe(200);
    expect(await choices()).toEqual(['ENT', 'PRO']);
    expect((await listed()).at(-1)).toMatchObject({ code: 'TRY', ...trial, retiredAt: expect.any(String) });
    expect((await asOwn({ plan: 'TRY' })).body).toMatchObject({ code: 'plan_retired' });
    const { history } = (await admin.get('/api/admin/history?type=PlanCreated,PlanChanged,PlanRetired&limit=3')).body;
    expect(history.map(({ summary }: { summary: string }) => summary)).toEqual([
      'The plan TRY (Trial) was retired',
      'The plan TRY (Trial) was changed',
      'The plan TRY (Professional) was created',
    ]);
    expect(history[1].changes).toEqual([
      { field: 'planName', before: 'Professional', after: 'Trial' },
      { field: 'termMonths', before: 12, after: 1 },
      { field: 'isTrial', before: false, after: true },
    ]);
  });

  it('are checked', async () => {
    for (const [wrong, path] of [
      [{ code: 'PROF' }, 'code'],
      [{ code: 'P1O' }, 'code'],
      [{ name: ' ' }, 'name'],
      [{ developerSeats: -2 }, 'developerSeats'],
      [{ termMonths: 0 }, 'termMonths'],
      [{ termMonths: 121 }, 'termMonths'],
      [{ graceDays: 366 }, 'graceDays'],
    ] as const) {
      const { status, body } = await admin.post(PLANS, { code: 'NEW', ...PRO, ...wrong });
      expect([status, body.issues[0].path]).toEqual([400, path]);
    }
  });
});

describe('a customer', () => {
  it('gets seats, term and key of its plan from a service integrator, and keeps them when the plan changes', async () => {
    const { status, body } = await asOwn({ plan: 'PRO' });
    expect(status).toBe(201);
    const { customer } = body;
    expect(customer).toMatchObject({
      tier: 'PRO',
      plan: { code: 'PRO', name: 'Professional' },
      developerSeats: 20,
      stakeholderSeats: -1,
      seatLimitsEnforced: false,
      term: { graceDays: 14, isTrial: false, state: 'active' },
    });
    expect(customer.licenseKey).toMatch(/^LK-PRO-/);
    const months = (Date.parse(customer.term.expiresAt) - Date.parse(customer.term.startsAt)) / 86_400_000;
    expect(months).toBeGreaterThanOrEqual(365);
    const path = `/api/service-integrator/customers/${customer.id}`;
    const { summary } = (await partner.get(`${path}/history?type=LicensePlanApplied`)).body.history[0];
    expect(summary).toBe('The license copied the plan PRO (Professional)');
    const asOf = (await partner.get(`${path}/as-of?at=${new Date().toISOString()}`)).body.customer;
    expect(asOf).toMatchObject({ tier: 'PRO', plan: { code: 'PRO' } });
    expect((await admin.put(`${PLANS}/PRO`, { ...PRO, name: 'Team', developerSeats: 30 })).status).toBe(200);
    expect((await partner.get(path)).body.customer).toMatchObject({ developerSeats: 20, plan: { name: 'Professional' } });
    expect((await admin.put(`${PLANS}/PRO`, PRO)).status).toBe(200);
    const rotated = (await partner.post(`${path}/rotate-key`)).body.customer;
    expect(rotated.licenseKey).toMatch(/^LK-PRO-/);
    await asTool(server.url, rotated, 'ada');
    const found = await partner.get(`/api/service-integrator/customers?search=${rotated.licenseKey.slice(3, 11)}`);
    expect(found.body.customers.map(({ id }: { id: string }) => id)).toEqual([customer.id]);
  });

  it('gets what an administrator says instead of the plan, and counts as a license of the plan until it is deleted', async () => {
    const licenses = async () => (await listed()).find(({ code }) => code === 'PRO')?.licenses;
    const before = (await licenses()) ?? 0;
    const expiresAt = '2050-01-01T00:00:00.000Z';
    const { body } = await asAny({ plan: 'PRO', developerSeats: 1, seatLimitsEnforced: true, term: { expiresAt } });
    expect(body.customer).toMatchObject({ tier: 'PRO', developerSeats: 1, stakeholderSeats: -1, seatLimitsEnforced: true });
    expect(body.customer.term).toMatchObject({ expiresAt, graceDays: 0 });
    expect(await licenses()).toBe(before + 1);
    expect((await admin.delete(`/api/admin/customers/${body.customer.id}`)).status).toBe(200);
    expect(await licenses()).toBe(before);
  });

  it('is created without a plan as before', async () => {
    const { customer } = (await asOwn({})).body;
    expect(customer).toMatchObject({ tier: 'ENT', developerSeats: 10, stakeholderSeats: 5, seatLimitsEnforced: true });
    expect(customer).not.toHaveProperty('plan');
    expect(customer).not.toHaveProperty('term');
    expect((await asOwn({ plan: 'ENT' })).body.customer).not.toHaveProperty('plan');
    const missing = await asAny({});
    expect(missing.status).toBe(400);
    expect(missing.body.issues).toEqual([
      { path: 'developerSeats', message: 'Must be a whole number' },
      { path: 'stakeholderSeats', message: 'Must be a whole number' },
    ]);
    expect((await asAny({ plan: 'ZZZ' })).body).toMatchObject({ code: 'plan_unknown', issues: [{ path: 'plan' }] });
  });
});

describe('the changes of a plan', () => {
  it('are offered to its licenses with a preview, and applied in the version that was shown', async () => {
    const { customer } = (await asOwn({ plan: 'PRO' })).body;
    const path = `/api/service-integrator/customers/${customer.id}`;
    const offerOf = async () => (await partner.get(`${path}/plan-offer`)).body.offer;
    expect(await offerOf()).toBeNull();
    expect((await admin.put(`${PLANS}/PRO`, { ...PRO, name: 'Team', developerSeats: 40, graceDays: 30 })).status).toBe(200);
    const offer = await offerOf();
    expect(offer).toMatchObject({ code: 'PRO', name: 'Team' });
    expect(offer.changes).toEqual([
      { field: 'developerSeats', before: 20, after: 40 },
      { field: 'plan', before: 'Professional', after: 'Team' },
      { field: 'graceDays', before: 14, after: 30 },
    ]);
    expect((await partner.get(path)).body.customer).toMatchObject({ developerSeats: 20, plan: { name: 'Professional' } });
    const { version } = offer;
    const outdated = await partner.post(`${path}/plan-offer`, { version: version - 1 });
    expect([outdated.status, outdated.body.code]).toEqual([409, 'plan_offer_outdated']);
    const applied = await partner.post(`${path}/plan-offer`, { version });
    expect(applied.body.customer).toMatchObject({ developerSeats: 40, stakeholderSeats: -1, plan: { name: 'Team' } });
    expect(applied.body.customer.term).toMatchObject({ graceDays: 30, expiresAt: customer.term.expiresAt });
    expect(await offerOf()).toBeNull();
    expect((await partner.post(`${path}/plan-offer`, { version })).status).toBe(200);
    const entry = (await partner.get(`${path}/history?type=LicensePlanApplied`)).body.history[0];
    expect(entry).toMatchObject({
      summary: 'The license copied the plan PRO (Team)',
      changes: [{ field: 'planName', before: 'Professional', after: 'Team' }],
    });
  });
});

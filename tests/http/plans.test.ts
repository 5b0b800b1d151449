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
  entitlements: null,
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
const choices = async (query = ''): Promise<string[]> =>
  (await partner.get(`/api/service-integrator/plans${query}`)).body.plans.map(({ code }: { code: string }) => code);
const wanted = { name: 'Acme', contactEmail: 'it@acme.example', company: 'Acme Inc.' };
const asOwn = (body: object) => partner.post('/api/service-integrator/customers', { ...wanted, ...body });
const asAny = (body: object) => admin.post('/api/admin/customers', { ...wanted, serviceIntegratorId: integratorId, ...body });

describe('plans', () => {
  it('begin with the built-in one, which cannot be changed', async () => {
    const [first, second] = await listed();
    expect(first).toMatchObject({ code: 'ENT', name: 'Enterprise', developerSeats: 10, termMonths: null, isBuiltIn: true });
    expect(second).toMatchObject({ code: 'PRO', ...PRO, isBuiltIn: false, retiredAt: null });
    const file = await admin.get(PLANS, { headers: { accept: 'text/csv' } });
    expect(file.headers.get('content-disposition')).toMatch(/filename="plans-\d{4}-\d\d-\d\d\.csv"/);
    expect(String(file.body)).toMatch(/^code,name,built_in,developer_seats,.*\r\nENT,Enterprise,true,10,.*\r\nPRO,/);
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
    expect(await choices('?retired=true')).toEqual(['ENT', 'PRO', 'TRY']);
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
      [{ termMonths: null, termDays: 0 }, 'termDays'],
      [{ termMonths: null, termDays: 3651 }, 'termDays'],
      [{ termDays: 14 }, 'termDays'],
      [{ graceDays: 366 }, 'graceDays'],
      [{ offlineDays: 0 }, 'offlineDays'],
      [{ offlineDays: 91 }, 'offlineDays'],
      [{ floatingDeveloperMinutes: 0 }, 'floatingDeveloperMinutes'],
      [{ floatingDeveloperMinutes: 1441 }, 'floatingDeveloperMinutes'],
      [{ callQuota: { limit: 0, kind: 'hard' } }, 'callQuota.limit'],
      [{ callQuota: { limit: 1 } }, 'callQuota.kind'],
      [{ entitlements: [] }, 'entitlements'],
      [{ entitlements: [{ code: 'two words' }] }, 'entitlements.0.code'],
      [{ entitlements: [{ code: 'jira' }, { code: 'Jira' }] }, 'entitlements'],
      [{ entitlements: [{ code: 'jira', endsAt: '2027-01-01' }] }, 'entitlements.0.endsAt'],
      [
        { entitlements: [{ code: 'jira', startsAt: '2027-01-01T00:00:00Z', endsAt: '2027-01-01T00:00:00Z' }] },
        'entitlements.0.endsAt',
      ],
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

  it('is found by its plan, in lists and their files', async () => {
    const found = (await asOwn({ plan: 'PRO', name: 'Of the plan', tags: ['planned'] })).body.customer;
    const { customers, total, counts } = (await partner.get('/api/service-integrator/customers?plan=pro&tag=planned')).body;
    expect(customers.map(({ id }: { id: string }) => id)).toEqual([found.id]);
    expect([total, counts.active]).toEqual([1, 1]);
    const { body } = await admin.get('/api/admin/customers?plan=PRO', { headers: { accept: 'text/csv' } });
    expect(body).toContain(',PRO,');
    expect(body).not.toContain(',ENT,');
    expect((await admin.get('/api/admin/customers?plan=none')).body).toMatchObject({ code: 'validation_failed' });
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
      { path: 'developerSeats', message: 'Required without a plan' },
      { path: 'stakeholderSeats', message: 'Required without a plan' },
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
    for (const name of ['bob', 'ada']) await asTool(server.url, customer, name);
    await admin.put(`${PLANS}/PRO`, { ...PRO, developerSeats: 1 });
    expect((await offerOf()).effects).toEqual({
      lockedOut: { count: 0, names: [] },
      overLimit: [{ kind: 'developer', limit: 1, holders: { count: 2, names: ['ada', 'bob'] } }],
      changedSeats: [{ kind: 'developer', limit: 1, isFloating: false, isEnforced: false, users: 2 }],
    });
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

describe('a term in days', () => {
  it('is that of new licenses of the plan, in its history and in files', async () => {
    const trial = { ...PRO, name: 'Trial', termMonths: null, termDays: 14, graceDays: 0, isTrial: true };
    expect((await admin.post(PLANS, { code: 'DAY', ...trial })).status).toBe(201);
    expect((await listed()).find(({ code }) => code === 'DAY')).toMatchObject({ termMonths: null, termDays: 14 });
    const daysOf = ({ startsAt, expiresAt }: { startsAt: string; expiresAt: string }) =>
      (Date.parse(expiresAt) - Date.parse(startsAt)) / 86_400_000;
    const { term } = (await asOwn({ plan: 'DAY' })).body.customer;
    expect(term).toMatchObject({ isTrial: true, state: 'expiring', isRenewalDue: false });
    expect(daysOf(term)).toBe(14);
    const file = await admin.get(PLANS, { headers: { accept: 'text/csv' } });
    expect(String(file.body)).toContain(',term_months,term_days,');
    expect((await admin.put(`${PLANS}/DAY`, { ...trial, termDays: 30 })).status).toBe(200);
    const { history } = (await admin.get('/api/admin/history?type=PlanChanged&limit=1')).body;
    expect(history[0].changes).toEqual([{ field: 'termDays', before: 14, after: 30 }]);
  });
});

describe('the quota of a plan', () => {
  it('is copied by a new license unless the request has another one, offered when it changes, and moves with the plan', async () => {
    const callQuota = { limit: 5_000, kind: 'soft' };
    expect((await admin.post(PLANS, { code: 'QUO', ...PRO, callQuota })).status).toBe(201);
    expect((await listed()).find(({ code }) => code === 'QUO')).toMatchObject({ callQuota });
    const { customer } = (await asOwn({ plan: 'QUO', externalId: 'quota' })).body;
    expect(customer.callQuota).toMatchObject(callQuota);
    const again = await asOwn({ plan: 'QUO', externalId: 'quota' });
    expect([again.status, again.body.customer.id]).toEqual([200, customer.id]);
    expect((await asAny({ plan: 'QUO', callQuota: { limit: 9, kind: 'hard' } })).body.customer.callQuota.limit).toBe(9);
    expect((await asAny({ plan: 'QUO', callQuota: null })).body.customer).not.toHaveProperty('callQuota');

    const path = `/api/admin/customers/${customer.id}`;
    expect((await admin.put(`${PLANS}/QUO`, { ...PRO, callQuota: { limit: 8_000, kind: 'hard' } })).status).toBe(200);
    expect((await admin.put(`${PLANS}/QUO`, { ...PRO, name: 'Metered' })).status).toBe(200);
    const { offer } = (await admin.get(`${path}/plan-offer`)).body;
    const raised = { field: 'callQuota', before: '5,000 a month (soft)', after: '8,000 a month (hard)' };
    expect(offer.changes).toContainEqual(raised);
    const { body } = await admin.post(`${path}/plan-offer`, { version: offer.version });
    expect(body.customer.callQuota).toMatchObject({ limit: 8_000, kind: 'hard' });
    const [entry] = (await admin.get('/api/admin/history?type=PlanChanged&limit=2')).body.history.slice(-1);
    expect(entry.changes).toContainEqual(raised);

    const away = (await admin.get(`${path}/plan-move?plan=PRO`)).body.move;
    expect(away.changes).toContainEqual({ field: 'callQuota', before: '8,000 a month (hard)', after: null });
    const moved = await admin.post(`${path}/plan-move`, { plan: 'PRO', version: away.version });
    expect(moved.body.customer).not.toHaveProperty('callQuota');
    expect((await admin.put(`${PLANS}/QUO`, { ...PRO, callQuota: null })).status).toBe(200);
    expect((await listed()).find(({ code }) => code === 'QUO')).toMatchObject({ callQuota: null });
  });
});

describe('floating seats of a plan', () => {
  it('are copied by a new license unless the request says otherwise, offered when they change, and move with the plan', async () => {
    const floatingDeveloperMinutes = 30;
    expect((await admin.post(PLANS, { code: 'FLO', ...PRO, floatingDeveloperMinutes })).status).toBe(201);
    expect((await listed()).find(({ code }) => code === 'FLO')).toMatchObject({ floatingDeveloperMinutes });
    const { customer } = (await asOwn({ plan: 'FLO', externalId: 'floating' })).body;
    expect(customer).toMatchObject({ floatingDeveloperMinutes, leasedDeveloperSeats: 0 });
    const again = await asOwn({ plan: 'FLO', externalId: 'floating' });
    expect([again.status, again.body.customer.id]).toEqual([200, customer.id]);
    expect((await asOwn({ plan: 'FLO', externalId: 'floating', floatingDeveloperMinutes: 5 })).status).toBe(409);
    expect((await asAny({ plan: 'FLO', floatingDeveloperMinutes: 5 })).body.customer.floatingDeveloperMinutes).toBe(5);
    expect((await asAny({ plan: 'FLO', floatingDeveloperMinutes: null })).body.customer).not.toHaveProperty(
      'floatingDeveloperMinutes',
    );

    const path = `/api/admin/customers/${customer.id}`;
    expect((await admin.put(`${PLANS}/FLO`, { ...PRO, floatingDeveloperMinutes: 60 })).status).toBe(200);
    expect((await admin.put(`${PLANS}/FLO`, { ...PRO, name: 'Shared' })).status).toBe(200);
    const { offer } = (await admin.get(`${path}/plan-offer`)).body;
    expect(offer.changes).toContainEqual({ field: 'floatingDeveloperMinutes', before: 30, after: 60 });
    const { body } = await admin.post(`${path}/plan-offer`, { version: offer.version });
    expect(body.customer).toMatchObject({ floatingDeveloperMinutes: 60 });
    const [entry] = (await admin.get('/api/admin/history?type=PlanChanged&limit=2')).body.history.slice(-1);
    expect(entry.changes).toContainEqual({ field: 'floatingDeveloperMinutes', before: 30, after: 60 });

    const away = (await admin.get(`${path}/plan-move?plan=PRO`)).body.move;
    expect(away.changes).toContainEqual({ field: 'floatingDeveloperMinutes', before: 60, after: null });
    const moved = await admin.post(`${path}/plan-move`, { plan: 'PRO', version: away.version });
    expect(moved.body.customer).not.toHaveProperty('floatingDeveloperMinutes');
  });
});

describe('offline licenses', () => {
  it('are valid for the days of the plan, once the license has copied them', async () => {
    expect((await admin.post(PLANS, { code: 'OFF', ...PRO })).status).toBe(201);
    const { customer } = (await asOwn({ plan: 'OFF' })).body;
    const { userId } = await asTool(server.url, customer, 'ada');
    const issue = async (fingerprint: string): Promise<number> => {
      const path = `/api/admin/users/${userId}/offline-licenses`;
      const { expiresAt } = (await admin.post(path, { fingerprint: fingerprint.repeat(32), machineName: 'vault' })).body;
      return Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000);
    };
    expect(await issue('a')).toBe(7);
    expect((await admin.put(`${PLANS}/OFF`, { ...PRO, offlineDays: 45 })).status).toBe(200);
    expect((await admin.put(`${PLANS}/OFF`, { ...PRO, name: 'Offline' })).status).toBe(200);
    expect((await listed()).find(({ code }) => code === 'OFF')).toMatchObject({ name: 'Offline', offlineDays: 45 });
    const path = `/api/admin/customers/${customer.id}/plan-offer`;
    const { offer } = (await admin.get(path)).body;
    expect(offer.changes).toContainEqual({ field: 'offlineDays', before: 7, after: 45 });
    const applied = await admin.post(path, { version: offer.version });
    expect(applied.body.customer.plan).toEqual({ code: 'OFF', name: 'Offline', offlineDays: 45 });
    expect(await issue('b')).toBe(45);
  });
});

describe('a move to another plan', () => {
  it('is previewed and done by an administrator, back to the built-in plan too, and keeps the key', async () => {
    const trial = { ...PRO, name: 'Trial', developerSeats: 3, termMonths: 1, graceDays: 0, isTrial: true };
    expect((await admin.post(PLANS, { code: 'TRL', ...trial })).status).toBe(201);
    expect((await admin.put(`${PLANS}/PRO`, PRO)).status).toBe(200);
    const { customer } = (await asOwn({ plan: 'TRL' })).body;
    const path = `/api/admin/customers/${customer.id}`;
    const moveOf = async (query: string) => (await admin.get(`${path}/plan-move?${query}`)).body.move;
    const kept = await moveOf('plan=pro');
    expect(kept.effects).toMatchObject({ overLimit: [], changedSeats: [{ kind: 'developer', limit: 20, users: 0 }] });
    expect(kept).toMatchObject({ code: 'PRO', name: 'Professional' });
    expect(kept.changes).toEqual([
      { field: 'developerSeats', before: 3, after: 20 },
      { field: 'plan', before: 'Trial', after: 'Professional' },
      { field: 'graceDays', before: 0, after: 14 },
      { field: 'isTrial', before: true, after: false },
    ]);
    const { version, changes } = await moveOf('plan=PRO&term=start');
    expect(changes.map(({ field }: { field: string }) => field)).toContain('expiresAt');
    expect(await moveOf('plan=TRL')).toBeNull();

    const move = (body: object, ifMatch = '*') => admin.post(`${path}/plan-move`, body, { headers: { 'if-match': ifMatch } });
    expect((await move({ plan: 'PRO', term: 'start', version: version - 1 })).body.code).toBe('plan_offer_outdated');
    expect((await move({ plan: 'PRO', version }, '"1"')).status).toBe(412);
    const etag = (await admin.get(`${path}/plan-move?plan=PRO&term=start`)).headers.get('etag') ?? '';
    const moved = await move({ plan: 'PRO', term: 'start', version }, etag);
    expect(moved.body.customer).toMatchObject({
      tier: 'PRO',
      plan: { code: 'PRO', name: 'Professional' },
      licenseKey: customer.licenseKey,
      developerSeats: 20,
      term: { graceDays: 14, isTrial: false },
    });
    expect(moved.body.customer.term.expiresAt > customer.term.expiresAt).toBe(true);
    await asTool(server.url, customer, 'ada');
    expect((await move({ plan: 'PRO', term: 'start', version })).body.customer.term).toEqual(moved.body.customer.term);
    const rotated = (await admin.post(`${path}/rotate-key`)).body.customer;
    expect(rotated.licenseKey).toMatch(/^LK-PRO-/);

    const builtIn = await move({ plan: 'ENT', term: 'start', version: 1 });
    expect(builtIn.body.customer).toMatchObject({ tier: 'ENT', developerSeats: 10, stakeholderSeats: 5 });
    for (const field of ['plan', 'term']) expect(builtIn.body.customer).not.toHaveProperty(field);
    const entries = (await partner.get(`/api/service-integrator/customers/${customer.id}/history`)).body.history;
    const ofPlan = entries.filter(({ type }: { type: string }) => type.startsWith('LicensePlan'));
    expect(ofPlan.map(({ summary }: { summary: string }) => summary)).toEqual([
      'The license moved from the plan PRO to ENT (Enterprise)',
      'The license moved from the plan TRL to PRO (Professional)',
      'The license copied the plan TRL (Trial)',
    ]);
    expect(ofPlan[1].changes).toEqual([{ field: 'planName', before: 'Trial', after: 'Professional' }]);
  });

  it('is refused to a plan that is unknown or retired, but not away from it', async () => {
    expect((await admin.post(PLANS, { code: 'OLD', ...PRO })).status).toBe(201);
    const { customer } = (await asOwn({ plan: 'OLD' })).body;
    expect((await admin.post(`${PLANS}/OLD/retire`)).status).toBe(200);
    const path = `/api/admin/customers/${customer.id}/plan-move`;
    expect((await admin.get(`${path}?plan=ZZZ`)).body.code).toBe('plan_unknown');
    expect((await admin.post(path, { plan: 'ENT', version: 1 })).body.customer.tier).toBe('ENT');
    expect((await admin.get(`${path}?plan=OLD`)).body.code).toBe('plan_retired');
    expect((await admin.post(path, { plan: 'OLD', version: 1 })).body.code).toBe('plan_retired');
  });
});

describe('the entitlements of a license', () => {
  const lasting = (code: string) => ({ code, startsAt: null, endsAt: null });
  const reports = { code: 'reports', startsAt: '2026-01-01T00:00:00.000Z', endsAt: '2050-12-31T23:59:59.999Z' };
  const details = { name: wanted.name, contactEmail: wanted.contactEmail };

  it('are copied from the plan, changed by its service integrator, and offered when the plan changes', async () => {
    const plan = { ...PRO, entitlements: [reports, { code: 'Jira' }] };
    expect((await admin.post(PLANS, { code: 'LTD', ...plan })).status).toBe(201);
    expect((await listed()).find(({ code }) => code === 'LTD')).toMatchObject({ entitlements: [lasting('jira'), reports] });
    const { customer } = (await asOwn({ plan: 'LTD' })).body;
    expect(customer.entitlements).toEqual([lasting('jira'), reports]);
    const path = `/api/service-integrator/customers/${customer.id}`;
    const put = async (entitlements: unknown) => (await partner.put(path, { ...details, entitlements })).body.customer;
    expect((await put([{ code: 'azdo' }])).entitlements).toEqual([lasting('azdo')]);
    expect((await put(undefined)).entitlements).toEqual([lasting('azdo')]);

    await admin.put(`${PLANS}/LTD`, { ...plan, developerSeats: 21 });
    const offer = async () => (await partner.get(`${path}/plan-offer`)).body.offer;
    expect((await offer()).changes.map(({ field }: { field: string }) => field)).toEqual(['developerSeats']);
    await admin.put(`${PLANS}/LTD`, { ...plan, entitlements: [{ code: 'confluence' }] });
    const { version, changes } = await offer();
    expect(changes).toContainEqual({ field: 'entitlements', before: 'azdo', after: 'confluence' });
    const applied = (await partner.post(`${path}/plan-offer`, { version })).body.customer;
    expect(applied.entitlements).toEqual([lasting('confluence')]);
    expect(await put(null)).not.toHaveProperty('entitlements');

    const { history } = (await partner.get(`${path}/history?type=LicenseEntitlementsSet`)).body;
    expect(history.map(({ summary }: { summary: string }) => summary)).toEqual([
      'The license includes everything',
      'The license includes confluence',
      'The license includes azdo',
      'The license includes jira, reports from 2026-01-01 until 2050-12-31',
    ]);
    expect(history[1].changes).toEqual([{ field: 'entitlements', before: 'azdo', after: 'confluence' }]);
    const asOf = await partner.get(`${path}/as-of?at=${history[1].at}&compareTo=${history[0].at}`);
    expect(asOf.body.customer.entitlements).toEqual([lasting('confluence')]);
    expect(asOf.body.changes).toEqual([{ field: 'entitlements', before: 'confluence', after: null }]);
  });

  it('include everything without a plan, and what the request says instead of the plan', async () => {
    expect((await asOwn({})).body.customer).not.toHaveProperty('entitlements');
    expect((await asOwn({ plan: 'LTD', entitlements: null })).body.customer).not.toHaveProperty('entitlements');
    const seats = { developerSeats: 1, stakeholderSeats: 1 };
    expect((await asAny({ ...seats, entitlements: [{ code: 'jira' }] })).body.customer.entitlements).toEqual([lasting('jira')]);
    expect((await asAny({ ...seats, entitlements: [] })).body.issues[0].path).toBe('entitlements');
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../src/contracts/audit.ts';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asAdmin, asIntegrator, asTool, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { newAdminMember } from '../support/members.ts';
import { openServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let admin: Client;
let partner: Client;
let integrator: ServiceIntegrator;
let customer: Customer;
let userId: string;
let path = '';

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
  partner = await asIntegrator(server.url, integrator);
  customer = await newCustomer(admin, integrator.id, { name: 'Northwind' });
  ({ userId } = await asTool(server.url, customer, 'ada'));
  path = `/api/service-integrator/customers/${customer.id}`;
});

afterAll(() => server.close());

const INCLUDED = ['entitlements'];
const RECORDS = ['customFields', 'externalId', 'tags'];

const newest = async (type: string): Promise<AuditEntry> => {
  const { body } = await admin.get(`/api/admin/audit?types=${type}&customer=${customer.id}&limit=1`);
  return body.entries[0];
};

const shown = async (): Promise<Customer> => (await partner.get(path)).body.customer;
const change = async (fields: Record<string, unknown>): Promise<void> => {
  const { name, contactEmail } = await shown();
  const { status, body } = await partner.put(path, { name, contactEmail, ...fields });
  if (status !== 200) throw new Error(JSON.stringify(body));
};

describe('reverting a change of a customer', () => {
  it.each<[type: string, fields: Record<string, unknown>, changed: string[]]>([
    ['CustomerDetailsChanged', { name: 'Renamed', company: 'Renamed Inc.' }, ['company', 'name']],
    ['SeatsAllocated', { developerSeats: 25 }, ['developerSeats']],
    ['SeatLimitsRelaxed', { seatLimitsEnforced: false }, ['seatLimitsEnforced']],
    ['CallQuotaSet', { callQuota: { limit: 5000, kind: 'hard' } }, ['callQuota']],
    ['MachineLimitSet', { machineLimit: 2 }, ['machineLimit']],
    ['IdleReleaseSet', { idleReleaseDays: 45 }, ['idleReleaseDays']],
    ['FloatingSeatsSet', { floatingDeveloperMinutes: 15 }, ['floatingDeveloperMinutes']],
    ['ThemeAssigned', { theme: 'aurora' }, ['theme']],
    ['CustomerRecordsChanged', { externalId: 'crm-1', tags: ['Gold'], customFields: { b: 1, a: { d: [2], c: 3 } } }, RECORDS],
    ['CustomerRecordsChanged', { tags: [], notes: 'Call first', customFields: null }, ['notes']],
    ['LicenseEntitlementsSet', { entitlements: [{ code: 'reports', endsAt: '2027-01-01T00:00:00Z' }, { code: 'jira' }] }, INCLUDED],
    ['CustomerSuspended', { status: 'suspended' }, ['status']],
  ])('takes back %s with a preview, and the history names the reverted entry', async (type, fields, changed) => {
    const before = await shown();
    await change(fields);
    const entry = await newest(type);
    const preview = await partner.get(`${path}/reverts/${entry.id}`);
    expect(preview.status).toBe(200);
    const changes: { field: string; before?: unknown; after?: unknown }[] = preview.body.changes;
    expect(changes.map(({ field }) => field).sort()).toEqual(changed);
    for (const { before: present, after } of changes) {
      expect(present).not.toBe(undefined);
      expect(present).not.toEqual(after);
    }
    const reverted = await partner.put(path, preview.body.revert.body);
    expect(reverted.status).toBe(200);
    expect(reverted.body.customer).toEqual(before);
    const { body } = await partner.get(`/api/service-integrator/audit/${entry.id}`);
    expect(body.revertedBy).toHaveLength(1);
    expect(body.revertedBy[0]).toMatchObject({ reverts: entry.id, summary: expect.stringMatching(/^Reverted: /) });
    expect((await partner.get(`${path}/reverts/${entry.id}`)).body.code).toBe('revert_outdated');
    expect((await partner.put(path, preview.body.revert.body)).body.code).toBe('revert_outdated');
  });

  it.each<[type: string, field: 'role' | 'status' | 'email', changed: string]>([
    ['UserRoleChanged', 'role', 'stakeholder'],
    ['UserDetailsChanged', 'email', 'lovelace@example.com'],
    ['UserSuspended', 'status', 'suspended'],
    ['UserDeactivated', 'status', 'inactive'],
  ])('takes back %s', async (type, field, changed) => {
    const user = { username: 'ada', email: 'ada@example.com', role: 'developer' as const };
    const former = { ...user, status: 'active' };
    await partner.put(`/api/users/${userId}`, { ...user, [field]: changed });
    const entry = await newest(type);
    const { body } = await partner.get(`${path}/reverts/${entry.id}`);
    expect(body).toMatchObject({
      revert: { kind: 'user', userId, username: 'ada' },
      changes: [{ field, before: changed, after: former[field] }],
    });
    const wrong = await partner.put(`/api/users/${userId}`, { ...body.revert.body, role: 'admin' });
    expect(wrong.body.code).toBe('revert_differs');
    expect((await partner.put(`/api/users/${userId}`, body.revert.body)).body.user).toMatchObject(former);
    expect((await admin.get(`/api/admin/audit/${entry.id}`)).body.revertedBy[0].reverts).toBe(entry.id);
    expect((await partner.get(`${path}/reverts/${entry.id}`)).body.code).toBe('revert_outdated');
  });

  it('changes nothing more than the entry, only by those who may change it, and only of the own customers', async () => {
    await change({ stakeholderSeats: 9 });
    const entry = await newest('SeatsAllocated');
    const { body } = await partner.get(`${path}/reverts/${entry.id}`);
    const more = await partner.put(path, { ...body.revert.body, status: 'suspended' });
    expect(more).toMatchObject({ status: 409, body: { code: 'revert_differs' } });
    const auditor = await newAdminMember(server.url, admin, 'auditor');
    expect((await auditor.get(`/api/admin/customers/${customer.id}/reverts/${entry.id}`)).status).toBe(200);
    expect((await auditor.put(`/api/admin/customers/${customer.id}`, body.revert.body)).status).toBe(403);
    const outsider = await asIntegrator(server.url, await newIntegrator(admin, { companyName: 'Fabrikam' }));
    expect((await outsider.get(`${path}/reverts/${entry.id}`)).body.code).toBe('customer_not_found');
    const other = await newCustomer(admin, integrator.id, { name: 'Tailspin' });
    expect((await partner.get(`/api/service-integrator/customers/${other.id}/reverts/${entry.id}`)).body.code).toBe(
      'entry_not_found',
    );
    expect((await shown()).stakeholderSeats).toBe(9);
    const [first] = (await admin.get(`/api/admin/audit?types=SeatsAllocated&customer=${other.id}`)).body.entries;
    expect((await partner.get(`/api/service-integrator/customers/${other.id}/reverts/${first.id}`)).body.code).toBe(
      'revert_unsupported',
    );
  });
});

describe('reverting a change other than of a customer', () => {
  const AUDIT = { admin: '/api/admin/audit', partner: '/api/service-integrator/audit' } as const;
  const last = async (by: keyof typeof AUDIT, type: string): Promise<AuditEntry> => {
    const { body } = await { admin, partner }[by].get(`${AUDIT[by]}?types=${type}&limit=1`);
    return body.entries[0];
  };

  /** Previews the revert of the newest entry of a type, sends it, and checks that it worked once and is in the history. */
  const revert = async (by: keyof typeof AUDIT, type: string, path: string) => {
    const client = { admin, partner }[by];
    const entry = await last(by, type);
    const preview = await client.get(`${AUDIT[by]}/${entry.id}/revert`);
    expect([type, preview.status, preview.body.code]).toEqual([type, 200, undefined]);
    const { body } = preview.body.revert;
    const sent = await client.put(path, body);
    expect([type, sent.status, sent.body.code]).toEqual([type, 200, undefined]);
    const shown = (await client.get(`${AUDIT[by]}/${entry.id}`)).body;
    expect(shown.revertedBy[0]).toMatchObject({ reverts: entry.id, summary: expect.stringMatching(/^Reverted: /) });
    expect((await client.get(`${AUDIT[by]}/${entry.id}/revert`)).body.code).toBe('revert_outdated');
    expect((await client.put(path, body)).body.code).toBe('revert_outdated');
    return preview.body;
  };

  it('takes back the status and the details of a service integrator', async () => {
    const { companyName, contactEmail, billingEmail } = integrator;
    const path = `/api/admin/service-integrators/${integrator.id}`;
    await admin.put(path, { companyName, contactEmail, billingEmail, status: 'suspended' });
    const { changes } = await revert('admin', 'IntegratorSuspended', path);
    expect(changes).toEqual([{ field: 'status', before: 'suspended', after: 'active' }]);
    partner = await asIntegrator(server.url, integrator);
    const hidden = await last('admin', 'IntegratorSuspended'); // what administrators write about the status
    expect((await partner.get(`${AUDIT.partner}/${hidden.id}/revert`)).body.code).toBe('entry_not_found');

    await partner.put('/api/service-integrator/profile', { companyName, contactEmail, billingEmail: 'new@billing.example' });
    const entry = await last('admin', 'IntegratorProfileChanged');
    const { body } = (await admin.get(`${AUDIT.admin}/${entry.id}/revert`)).body.revert;
    expect((await admin.put(path, { ...body, status: 'churned' })).body.code).toBe('revert_differs');
    const other = await newIntegrator(admin, { companyName: 'Wide World' });
    expect((await admin.put(`/api/admin/service-integrators/${other.id}`, body)).body.code).toBe('entry_not_found');
    await revert('partner', 'IntegratorProfileChanged', '/api/service-integrator/profile');
    expect((await admin.get(path)).body.service_integrator).toMatchObject({ companyName, billingEmail, status: 'active' });
  });

  it('takes back the brand and the white label of a service integrator', async () => {
    const path = `/api/admin/service-integrators/${integrator.id}`;
    const own = '/api/service-integrator/white-label';
    const brand = { whiteLabelEnabled: true, customDomain: 'licenses.contoso.example', logoUrl: null };
    const shownBrand = async () => (await admin.get(path)).body.service_integrator;
    await partner.put(own, brand);
    await partner.put(own, { ...brand, customDomain: null, logoUrl: 'https://contoso.example/logo.svg' });
    const { revert: taken, changes } = await revert('partner', 'BrandingChanged', own);
    expect(taken).toMatchObject({ kind: 'brand', integratorId: integrator.id, body: brand });
    expect(changes).toEqual([
      { field: 'customDomain', before: null, after: brand.customDomain },
      { field: 'logoUrl', before: 'https://contoso.example/logo.svg', after: null },
    ]);
    expect(await shownBrand()).toMatchObject(brand);

    await partner.put(own, { ...brand, whiteLabelEnabled: false });
    const entry = await last('partner', 'WhiteLabelDisabled');
    const { body } = (await partner.get(`${AUDIT.partner}/${entry.id}/revert`)).body.revert;
    expect((await partner.put(own, { ...body, customDomain: null })).body.code).toBe('revert_differs');
    expect(await revert('admin', 'WhiteLabelDisabled', path)).toMatchObject({ revert: { kind: 'integrator' } });
    expect(await shownBrand()).toMatchObject(brand);

    const { companyName, contactEmail, billingEmail } = integrator;
    await admin.put(path, { companyName, contactEmail, billingEmail, status: 'churned' });
    const lost = await last('admin', 'BrandingChanged');
    expect((await admin.get(`${AUDIT.admin}/${lost.id}/revert`)).body.code).toBe('integrator_churned');
    await revert('admin', 'IntegratorChurned', path);
    await revert('admin', 'BrandingChanged', path);
    await revert('admin', 'WhiteLabelDisabled', path);
    expect(await shownBrand()).toMatchObject({ ...brand, status: 'active' });
    partner = await asIntegrator(server.url, integrator);
  });

  it('takes back the look, the activity and the choice of the default of a theme', async () => {
    const look = { displayName: 'First', primaryColor: '#0070AD' };
    const create = async (themeName: string) =>
      (await partner.post('/api/service-integrator/themes', { themeName, ...look, isDefault: true })).body.theme.id;
    const first = await create('first');
    const path = `/api/service-integrator/themes/${first}`;
    await partner.put(path, { displayName: 'Changed', primaryColor: '#112233' });
    const { revert: body, changes } = await revert('partner', 'ThemeRevised', path);
    expect(body).toMatchObject({ kind: 'theme', themeId: first, name: 'Changed' });
    expect(changes.map(({ field }: { field: string }) => field).sort()).toEqual(['displayName', 'primaryColor']);
    await partner.put(path, { ...look, isActive: false });
    await revert('partner', 'ThemeDeactivated', path);
    expect((await partner.get(path)).body.theme).toMatchObject({ ...look, isActive: true, isDefault: true });
    await create('second');
    const replaced = await revert('partner', 'ThemeMadeDefault', path);
    expect(replaced.changes).toEqual([{ field: 'isDefault', before: false, after: true }]);
    expect((await partner.get(path)).body.theme.isDefault).toBe(true);
    const entry = await last('admin', 'ThemeRevised'); // administrators change no themes of service integrators
    expect((await admin.get(`${AUDIT.admin}/${entry.id}/revert`)).body.code).toBe('revert_unsupported');
  });

  it('takes back a role and the sign-in policy of the own team, and an alert rule', async () => {
    const invite = (name: string, role: string) =>
      partner.post('/api/team/members', { name, email: `${name}@partner.example`, role });
    await invite('olga', 'owner');
    const { userId: memberId } = (await invite('max', 'auditor')).body.member;
    const path = `/api/team/members/${memberId}`;
    const changed = await partner.put(path, { role: 'owner' });
    expect(changed.status).toBe(200);
    expect(await revert('partner', 'MemberRoleChanged', path)).toMatchObject({
      revert: { kind: 'member', name: 'max' },
      changes: [{ field: 'role', before: 'owner', after: 'auditor' }],
    });
    await partner.put(path, { name: 'Maximilian' });
    expect((await revert('partner', 'MemberDetailsChanged', path)).changes).toEqual([
      { field: 'name', before: 'Maximilian', after: 'max' },
    ]);
    const ofOther = await last('partner', 'MemberRoleChanged');
    expect((await admin.get(`${AUDIT.admin}/${ofOther.id}/revert`)).body.code).toBe('revert_unsupported');

    await partner.put('/api/team/policy', { secondFactorRequired: true });
    await revert('partner', 'SignInPolicyChanged', '/api/team/policy');
    expect((await partner.get('/api/team')).body.policy).toEqual({ keySignIn: 'allowed', secondFactorRequired: false });

    const rule = { name: 'Errors', metric: 'error_rate', threshold: 5, forSeconds: 60 };
    const { ruleId } = (await admin.post('/api/admin/alert-rules', rule)).body;
    await admin.put(`/api/admin/alert-rules/${ruleId}`, { ...rule, threshold: 50 });
    await revert('admin', 'AlertRuleChanged', `/api/admin/alert-rules/${ruleId}`);
    const { rules } = (await admin.get('/api/admin/alerts')).body;
    expect(rules.find((one: { ruleId: string }) => one.ruleId === ruleId)).toMatchObject(rule);
    const created = await last('admin', 'AlertRuleCreated');
    expect((await admin.get(`${AUDIT.admin}/${created.id}/revert`)).body.code).toBe('revert_unsupported');
  });

  it('takes back the terms of a plan until it is retired, and its licenses keep what they copied', async () => {
    const path = '/api/admin/plans/RVT';
    const terms = { name: 'Revertible', developerSeats: 20, stakeholderSeats: 5, termMonths: 12, graceDays: 14 };
    expect((await admin.post('/api/admin/plans', { code: 'RVT', ...terms })).status).toBe(201);
    const reports = [{ code: 'reports', startsAt: null, endsAt: null }];
    await admin.put(path, { ...terms, developerSeats: 30, entitlements: reports, callQuota: { limit: 5_000, kind: 'soft' } });
    const shown = async () => (await admin.get('/api/admin/plans')).body.plans.find(({ code }: { code: string }) => code === 'RVT');
    const { id } = await last('admin', 'PlanChanged');
    expect((await admin.put(path, { ...terms, reverts: id })).body.code).toBe('revert_differs');
    expect(await revert('admin', 'PlanChanged', path)).toMatchObject({
      revert: { kind: 'plan', code: 'RVT', name: 'Revertible' },
      changes: [
        { field: 'developerSeats', before: 30, after: 20 },
        { field: 'entitlements', before: 'reports', after: null },
        { field: 'callQuota', before: '5,000 a month (soft)', after: null },
      ],
    });
    expect(await shown()).toMatchObject({ ...terms, entitlements: null, callQuota: null });
    await admin.put(path, { ...terms, entitlements: reports });
    await admin.put(path, { ...terms, entitlements: null });
    await revert('admin', 'PlanChanged', path);
    expect((await shown()).entitlements).toEqual(reports);
    await admin.put(path, { ...terms, graceDays: 7 });
    await admin.post(`${path}/retire`);
    const { id: late } = await last('admin', 'PlanChanged');
    expect((await admin.get(`${AUDIT.admin}/${late}/revert`)).body.code).toBe('plan_retired');
  });
});

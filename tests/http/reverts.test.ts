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
    ['ThemeAssigned', { theme: 'aurora' }, ['theme']],
    ['CustomerSuspended', { status: 'suspended' }, ['status']],
  ])('takes back %s with a preview, and the history names the reverted entry', async (type, fields, changed) => {
    const before = await shown();
    await change(fields);
    const entry = await newest(type);
    const preview = await partner.get(`${path}/reverts/${entry.id}`);
    expect(preview.status).toBe(200);
    expect(preview.body.changes.map(({ field }: { field: string }) => field).sort()).toEqual(changed);
    const reverted = await partner.put(path, preview.body.revert.body);
    expect(reverted.status).toBe(200);
    const fieldsOf = ({ name, company, developerSeats, seatLimitsEnforced, theme, status }: Customer) => ({
      ...{ name, company, developerSeats, seatLimitsEnforced, theme, status },
    });
    expect(fieldsOf(reverted.body.customer)).toEqual(fieldsOf(before));
    const { body } = await partner.get(`/api/service-integrator/audit/${entry.id}`);
    expect(body.revertedBy).toHaveLength(1);
    expect(body.revertedBy[0]).toMatchObject({ reverts: entry.id, summary: expect.stringMatching(/^Reverted: /) });
    expect((await partner.get(`${path}/reverts/${entry.id}`)).body.code).toBe('revert_outdated');
    expect((await partner.put(path, preview.body.revert.body)).body.code).toBe('revert_outdated');
  });

  it('takes back the role of a user', async () => {
    const user = { username: 'ada', email: 'ada@example.com' };
    await partner.put(`/api/users/${userId}`, { ...user, role: 'stakeholder' });
    const entry = await newest('UserRoleChanged');
    const { body } = await partner.get(`${path}/reverts/${entry.id}`);
    expect(body).toMatchObject({
      revert: { kind: 'user', userId, username: 'ada' },
      changes: [{ field: 'role', before: 'stakeholder', after: 'developer' }],
    });
    const wrong = await partner.put(`/api/users/${userId}`, { ...body.revert.body, role: 'admin' });
    expect(wrong.body.code).toBe('revert_differs');
    expect((await partner.put(`/api/users/${userId}`, body.revert.body)).body.user.role).toBe('developer');
    expect((await newest('UserRoleChanged')).reverts).toBe(entry.id);
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
    const stranger = await asIntegrator(server.url, await newIntegrator(admin, { companyName: 'Fabrikam' }));
    expect((await stranger.get(`${path}/reverts/${entry.id}`)).body.code).toBe('customer_not_found');
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

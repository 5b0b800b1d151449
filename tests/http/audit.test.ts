import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { AuditEntry } from '../../src/contracts/audit.ts';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { runAdminTool } from '../support/adminTool.ts';
import { asAdmin, asIntegrator, askApproval, asTool, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { invite } from '../support/members.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { sessionEnd } from '../support/sessionEnd.ts';

const PARTNER = '/api/service-integrator/audit';
const ADMIN = '/api/admin/audit';

let server: TestServer;
let admin: Client;
let partner: Client;
let integrator: ServiceIntegrator;
let other: ServiceIntegrator;
let customer: Customer;
let foreign: Customer;
let begun = '';

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  // A policy creates the rules of alerts after the start, and they are entries too.
  await eventually(
    () => admin.get('/api/admin/alerts'),
    ({ body }) => body.rules.length > 0,
  );
  begun = new Date().toISOString();
  integrator = await newIntegrator(admin);
  other = await newIntegrator(admin, { companyName: 'Fabrikam' });
  partner = await asIntegrator(server.url, integrator);
  customer = await newCustomer(admin, integrator.id, { name: 'Northwind' });
  foreign = await newCustomer(admin, other.id, { name: 'Tailspin' });
  await asTool(server.url, customer, 'ada');
  const { name, contactEmail } = customer;
  await partner.put(`/api/service-integrator/customers/${customer.id}`, { name, contactEmail, developerSeats: 25 });
  await partner.post('/api/service-integrator/themes', { themeName: 'sea', displayName: 'Sea', primaryColor: '#003366' });
  const account = {
    companyName: integrator.companyName,
    contactEmail: integrator.contactEmail,
    billingEmail: integrator.billingEmail,
  };
  await admin.put(`/api/admin/service-integrators/${integrator.id}`, { ...account, status: 'suspended', reason: 'Unpaid' });
  await sessionEnd(server.product, partner);
  await admin.put(`/api/admin/service-integrators/${integrator.id}`, { ...account, status: 'active' });
  partner = await asIntegrator(server.url, integrator);
  await invite(admin, 'auditor');
});

afterAll(() => server.close());

const ask = async (client: Client, path: string, query = ''): Promise<AuditEntry[]> => {
  const { status, body } = await client.get(`${path}?limit=500&from=${begun}&${query}`);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.entries;
};
const typesOf = (entries: readonly AuditEntry[]): string[] => [...new Set(entries.map(({ type }) => type))];

describe('the audit page', () => {
  it('has everything for administrators, without sign-ins, newest first', async () => {
    const entries = await ask(admin, ADMIN);
    expect(typesOf(entries)).toEqual(
      expect.arrayContaining(['MemberInvited', 'IntegratorSuspended', 'ThemeCreated', 'SeatsAllocated', 'UserRegistered']),
    );
    expect(typesOf(entries)).not.toContain('UserAuthenticated');
    expect(entries.map(({ at }) => at)).toEqual(
      entries
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
    expect(entries.find(({ customer: of }) => of?.customerId === foreign.id)).toMatchObject({
      customer: { name: 'Tailspin' },
      integrator: { integratorId: other.id, name: 'Fabrikam' },
    });
    expect(entries[0]).toMatchObject({ type: 'MemberInvited', customer: null, integrator: null });
  });

  it('has the own customers and the own account for service integrators, without reasons of administrators', async () => {
    const entries = await ask(partner, PARTNER);
    expect(typesOf(entries)).toEqual(expect.arrayContaining(['CustomerRegistered', 'SeatsAllocated', 'ThemeCreated']));
    expect(typesOf(entries)).not.toContain('MemberInvited');
    expect(JSON.stringify(entries)).not.toMatch(/Tailspin|Fabrikam|Unpaid/);
    const seen = await ask(admin, ADMIN);
    const ids = new Set(entries.map(({ id }) => id));
    const hidden = seen.filter(({ id, integrator: of }) => of?.integratorId === integrator.id && !ids.has(id));
    expect(typesOf(hidden).sort()).toEqual(['IntegratorReactivated', 'IntegratorSuspended']);
  });

  it('is filtered, page by page and as a file, like all of it', async () => {
    const all = await ask(admin, ADMIN);
    const withSignIns = [...all, ...(await ask(admin, ADMIN, 'types=UserAuthenticated'))];
    const half = all[Math.floor(all.length / 2)]?.at ?? '';
    const own = await ask(admin, ADMIN, `customer=${customer.id}`);
    expect(own.length).toBeGreaterThan(3);
    const filters: [string, (entry: AuditEntry) => boolean][] = [
      ['types=SeatsAllocated', ({ type }) => type === 'SeatsAllocated'],
      ['types=SeatsAllocated,UserAuthenticated', ({ type }) => type === 'SeatsAllocated' || type === 'UserAuthenticated'],
      ['types=,', () => false],
      ['actor=integrator', ({ type, actor }) => actor.kind === 'integrator' && type !== 'UserAuthenticated'],
      [`customer=${customer.id}`, ({ type, customer: of }) => of?.customerId === customer.id && type !== 'UserAuthenticated'],
      [`customer=${customer.id}&types=UserRegistered`, ({ type }) => type === 'UserRegistered'],
      ['search=SEATS%20SET', ({ summary }) => summary.startsWith('Seats set')],
      ['search=seats%20set&types=UserAuthenticated,SeatsAllocated', ({ type }) => type === 'SeatsAllocated'],
      [`to=${half}`, ({ at, type }) => at <= half && type !== 'UserAuthenticated'],
    ];
    const newestFirst = (one: AuditEntry, two: AuditEntry): number => (one.at < two.at ? 1 : one.at > two.at ? -1 : 0);
    for (const [query, matches] of filters) {
      const expected = withSignIns.filter(matches).sort(newestFirst);
      const found = await ask(admin, ADMIN, query);
      expect([query, found.map(({ id }) => id).sort()]).toEqual([query, expected.map(({ id }) => id).sort()]);
      const paged: AuditEntry[] = [];
      let cursor = '';
      do {
        const { body } = await admin.get(`${ADMIN}?limit=2&from=${begun}&${query}${cursor && `&cursor=${cursor}`}`);
        paged.push(...body.entries);
        cursor = body.nextCursor ?? '';
      } while (cursor !== '');
      expect([query, paged]).toEqual([query, found]);
      const file = await admin.get(`${ADMIN}?from=${begun}&${query}`, { headers: { accept: 'application/x-ndjson' } });
      const lines = typeof file.body === 'string' ? file.body.trim().split('\n').filter(Boolean) : [JSON.stringify(file.body)];
      if (found.length !== 1) expect([query, lines]).toEqual([query, found.map((entry) => JSON.stringify(entry))]);
    }
    const mine = await ask(partner, PARTNER, 'types=SeatsAllocated,UserAuthenticated&search=seats');
    expect(typesOf(mine)).toEqual(['SeatsAllocated']);
    const csv = await partner.get(`${PARTNER}?types=SeatsAllocated`, { headers: { accept: 'text/csv' } });
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-[a-z0-9-]+-\d{4}-\d\d-\d\d\.csv"$/);
    expect(csv.body.split('\r\n')[0]).toMatch(/^customer_id,customer,service_integrator_id,.*,at,type,/);
    expect(csv.body).toContain(`${customer.id},Northwind,${integrator.id}`);
    for (const query of ['cursor=x', 'zone=Nowhere', 'actor=nobody', 'customer=1', 'types=A&types=B']) {
      expect([query, (await admin.get(`${ADMIN}?${query}`)).status]).toEqual([query, 400]);
    }
  });

  it('counts the sign-ins of each day of a time zone', async () => {
    const today = (zone: string): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(Date.parse(begun));
    for (const zone of ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles']) {
      const { body } = await partner.get(`${PARTNER}?zone=${zone}&from=${begun}`);
      expect([zone, body.signIns]).toEqual([zone, [{ day: today(zone), count: 1, isMore: false }]]);
    }
    const { body: others } = await (await asIntegrator(server.url, other)).get(`${PARTNER}?zone=UTC`);
    expect(others.signIns).toEqual([]);
    expect((await partner.get(`${PARTNER}?zone=UTC&types=SeatsAllocated`)).body.signIns).toBeUndefined();
  });

  it('says how and from which address a user of the tool acted, but not of each recorded call', async () => {
    const ada = await asTool(server.url, customer, 'ada');
    await askApproval(server.url, customer, 'ada', 'a-second-machine');
    const call = { service: 'jira', instanceUrl: 'https://northwind.example', operation: 'GET:/issue', durationMs: 5 };
    const calls = [{ ...call, at: new Date().toISOString(), ok: true, status: 200 }];
    await ada.post('/api/cli/api-calls', { sourceId: 'laptop', firstSequence: 1, calls });
    const types = 'UserRegistered,SeatClaimed,UserAuthenticated,MachineApprovalRequested';
    const entries = await ask(partner, PARTNER, `types=${types}`);
    expect(typesOf(entries).sort()).toEqual(types.split(',').sort());
    for (const { actor } of entries)
      expect(actor).toMatchObject({ kind: 'user', name: 'ada', method: 'key', address: '127.0.0.1' });
    const stream = streams.apiCalls(customer.id, new Date().toISOString().slice(0, 10));
    for await (const { meta, sealed } of server.product.events.read(stream)) {
      expect(Object.keys(meta.actor)).toEqual(['kind', 'id']);
      expect(sealed).toEqual({});
    }
  });

  it('has an address for each entry, with what the same request caused, for those who may see it', async () => {
    const [registered] = await ask(partner, PARTNER, 'types=UserRegistered');
    const { body } = await partner.get(`${PARTNER}/${registered?.id}`);
    expect(body.entry).toEqual(registered);
    expect(body.related.map(({ type }: AuditEntry) => type)).toContain('SeatClaimed');
    expect(new Set(body.related.map(({ correlationId }: AuditEntry) => correlationId))).toEqual(
      new Set([registered?.correlationId]),
    );
    expect(body.revertedBy).toEqual([]);
    expect((await admin.get(`${ADMIN}/${registered?.id}`)).status).toBe(200);
    const outsider = await asIntegrator(server.url, other);
    const [suspended] = await ask(admin, ADMIN, 'types=IntegratorSuspended');
    for (const [client, id] of [
      [outsider, registered?.id],
      [partner, suspended?.id],
    ] as const) {
      expect(await client.get(`${PARTNER}/${id}`)).toMatchObject({ status: 404, body: { code: 'entry_not_found' } });
    }
  });

  it('is exported with proofs that an offline tool accepts', async () => {
    const { body } = await partner.get(`${PARTNER}?proofs=true&from=${begun}&types=SeatsAllocated,UserRegistered`);
    const file = join(tmpdir(), `audit-${process.pid}.ndjson`);
    await writeFile(file, body);
    const { code, out } = await runAdminTool(['--json', 'audit', 'verify', file], {});
    expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, verified: true, entries: 3, problems: [] });
  });

  it('keeps the entries of a deleted customer, without personal data', async () => {
    const doomed = await newCustomer(admin, integrator.id, { name: 'Doomed Ltd', contactEmail: 'doomed@doomed.example' });
    await admin.delete(`/api/admin/customers/${doomed.id}`);
    const entries = await ask(partner, PARTNER, `customer=${doomed.id}`);
    expect(entries[0]).toMatchObject({ type: 'CustomerDeleted', customer: { customerId: doomed.id, name: null } });
    expect(typesOf(entries)).toContain('CustomerRegistered');
    expect(JSON.stringify(entries)).not.toMatch(/doomed/i);
  });
});

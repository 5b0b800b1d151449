import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { dayOf } from '../../src/domain/time.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let admin: Client;
let partner: Client;
let integrator: ServiceIntegrator;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
  partner = await asIntegrator(server.url, integrator);
});

afterAll(() => server.close());

const details = (id: string, changes: Record<string, unknown> = {}) =>
  [`/api/admin/customers/${id}`, { name: 'Acme', contactEmail: 'it@acme.example', ...changes }] as const;

describe('creating a customer', () => {
  it('generates its license key, and the list contains it immediately', async () => {
    const reply = await admin.post('/api/admin/customers', {
      name: ' Northwind ',
      contactEmail: 'it@northwind.example',
      company: '',
      serviceIntegratorId: integrator.id,
      theme: 'aurora',
      developerSeats: -1,
      stakeholderSeats: 0,
      seatLimitsEnforced: false,
    });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('x-position')).toMatch(/^\d+$/);
    expect(reply.body.customer).toMatchObject({
      name: 'Northwind',
      company: null,
      status: 'active',
      tier: 'ENT',
      theme: 'aurora',
      themeDisplayName: 'Aurora',
      developerSeats: -1,
      stakeholderSeats: 0,
      seatLimitsEnforced: false,
      serviceIntegratorId: integrator.id,
      serviceIntegratorName: 'Contoso',
      totalApiCalls: 0,
      activeConnections: 0,
      hasPassword: false,
      deletionRequestedAt: null,
    });
    expect(reply.body.customer.licenseKey).toMatch(/^LK-ENT-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{5}$/);
    const list = await admin.get('/api/admin/customers?search=northwind');
    expect(list.body).toMatchObject({ total: 1, nextCursor: null, counts: { all: 1, active: 1 } });
    expect(list.body.customers[0]).toEqual(reply.body.customer);
  });

  it('gives a customer of an integrator the default seats', async () => {
    const wanted = { name: 'Fabrikam', contactEmail: 'it@fabrikam.example', company: 'Fabrikam Ltd.' };
    const reply = await partner.post('/api/service-integrator/customers', wanted);
    expect(reply).toMatchObject({
      status: 201,
      body: {
        customer: {
          ...wanted,
          developerSeats: 10,
          stakeholderSeats: 5,
          seatLimitsEnforced: true,
          serviceIntegratorId: integrator.id,
        },
      },
    });
    expect(
      (await partner.get('/api/service-integrator/customers')).body.customers.map(({ name }: { name: string }) => name),
    ).toContain('Fabrikam');
  });

  it('is refused for a churned integrator', async () => {
    const churned = await newIntegrator(admin, { companyName: 'Gone' });
    const body = { companyName: 'Gone', contactEmail: 'a@b.example', billingEmail: 'a@b.example', status: 'churned' };
    expect((await admin.put(`/api/admin/service-integrators/${churned.id}`, body)).status).toBe(200);
    const reply = await admin.post('/api/admin/customers', {
      name: 'Late',
      contactEmail: 'it@late.example',
      serviceIntegratorId: churned.id,
      developerSeats: 1,
      stakeholderSeats: 1,
    });
    expect(reply).toMatchObject({ status: 409, body: { code: 'integrator_churned' } });
    expect((await admin.get('/api/admin/customers?search=Late')).body.total).toBe(0);
  });
});

describe('changing a customer', () => {
  it('changes the given fields atomically, and keeps the others', async () => {
    const { id } = await newCustomer(admin, integrator.id);
    const changed = await admin.put(
      ...details(id, { name: 'Acme 2', company: null, theme: 'summit', status: 'suspended', developerSeats: 3 }),
    );
    expect(changed).toMatchObject({
      status: 200,
      body: {
        customer: { name: 'Acme 2', company: null, theme: 'summit', status: 'suspended', developerSeats: 3, stakeholderSeats: 5 },
      },
    });
    const again = await admin.put(...details(id, { name: 'Acme 2', status: 'active', theme: '' }));
    expect(again.body.customer).toMatchObject({ status: 'active', theme: null, developerSeats: 3 });
    expect((await admin.get(`/api/admin/customers/${id}`)).body.customer).toEqual(again.body.customer);
  });

  it('is refused if another user changed it since', async () => {
    const { id } = await newCustomer(admin, integrator.id);
    const seen = (await admin.get(`/api/admin/customers/${id}`)).headers.get('etag') ?? '';
    expect(seen).toMatch(/^"\d+"$/);
    const mine = { headers: { 'if-match': seen } };
    const [path, body] = details(id, { name: 'Theirs' });
    const theirs = await partner.put(path.replace('admin', 'service-integrator'), body, mine);
    expect(theirs.status).toBe(200);
    expect(theirs.headers.get('etag')).not.toBe(seen);
    expect(await admin.put(path, { ...body, name: 'Mine' }, mine)).toMatchObject({
      status: 412,
      body: { code: 'revision_changed' },
    });
    expect(await admin.delete(path, mine)).toMatchObject({ status: 412 });
    expect(await admin.put(path, body, { headers: { 'if-match': 'nonsense' } })).toMatchObject({
      status: 400,
      body: { code: 'precondition_invalid' },
    });
    expect((await admin.get(path)).body.customer.name).toBe('Theirs');
    expect((await admin.put(path, body, { headers: { 'if-match': theirs.headers.get('etag') ?? '' } })).status).toBe(200);
  });
});

describe('customers that are changed together', () => {
  it('have one more entry, which counts and leads to their own', async () => {
    const ids = await Promise.all(
      ['One', 'Two', 'Three'].map(async (name) => (await newCustomer(admin, integrator.id, { name })).id as string),
    );
    const tagged = async (client: Client, root: string, id: string, bulkId: string) =>
      client.put(
        `${root}/customers/${id}`,
        { name: 'Renamed', contactEmail: 'it@acme.example', tags: ['vip'] },
        {
          headers: { 'bulk-id': bulkId },
        },
      );
    const audited = async (client: Client, root: string) =>
      (await client.get(`${root}/audit?types=BulkChangeFinished`)).body.entries as { id: string; summary: string }[];
    for (const [client, root] of [
      [partner, '/api/service-integrator'],
      [admin, '/api/admin'],
    ] as const) {
      const changed = client === partner ? ids.slice(0, 2) : ids.slice(2);
      for (const id of changed) expect((await tagged(client, root, id, 'a-bulk')).status).toBe(200);
      const finish = { id: 'a-bulk', kind: 'tags', refused: 1 };
      const { body } = await client.post(`${root}/bulk-changes`, finish);
      expect(body).toEqual({ success: true, changed: changed.length });
      const [entry] = await audited(client, root);
      const customers = changed.length === 1 ? '1 customer' : '2 customers';
      expect(entry?.summary).toBe(`Changed the tags of ${customers}, 1 refused`);
      const { related } = (await client.get(`${root}/audit/${entry?.id}`)).body;
      expect(new Set(related.map(({ customer }: { customer: { customerId: string } }) => customer.customerId))).toEqual(
        new Set(changed),
      );
      expect((await client.post(`${root}/bulk-changes`, { ...finish, id: 'another' })).body.changed).toBe(0);
      expect((await client.post(`${root}/bulk-changes`, { ...finish, id: 'two words' })).status).toBe(400);
      expect(await audited(client, root)).toHaveLength(client === partner ? 1 : 2);
    }
    const own = (await partner.get('/api/service-integrator/history?type=BulkChangeFinished')).body.history;
    expect(own).toHaveLength(1);
  });
});

describe('licenses that are extended together', () => {
  it('move their expiry, and have one more entry', async () => {
    const expiresAt = '2035-01-31T00:00:00.000Z';
    for (const [client, root] of [
      [partner, '/api/service-integrator'],
      [admin, '/api/admin'],
    ] as const) {
      for (const name of ['Four', 'Five']) {
        const { id } = await newCustomer(admin, integrator.id, { name, term: { expiresAt } });
        const path = `${root}/customers/${id}/term/extend`;
        const { status, body } = await client.post(path, { days: 3 }, { headers: { 'bulk-id': 'extended' } });
        expect([status, body.customer.term.expiresAt]).toEqual([200, '2035-02-03T00:00:00.000Z']);
      }
      expect(await client.post(`${root}/bulk-changes`, { id: 'extended', kind: 'extension', refused: 0 })).toMatchObject({
        status: 200,
        body: { changed: 2 },
      });
      const { entries } = (await client.get(`${root}/audit?types=BulkChangeFinished`)).body;
      expect(entries[0].summary).toBe('Extended the licenses of 2 customers');
    }
  });
});

describe('deleting a customer', () => {
  it('ends its sessions and removes it from all lists', async () => {
    const doomed = await newCustomer(admin, integrator.id, { name: 'Doomed' });
    const [portal, tool] = [await asCustomer(server.url, doomed), await asTool(server.url, doomed)];
    expect(await admin.delete(`/api/admin/customers/${doomed.id}`)).toMatchObject({ status: 200, body: { success: true } });
    expect((await admin.get(`/api/admin/customers/${doomed.id}`)).status).toBe(404);
    expect((await admin.get('/api/admin/customers?search=Doomed')).body.total).toBe(0);
    const history = `/customers/${doomed.id}/history`;
    const kept = (await admin.get(`/api/admin${history}`)).body.history.map(({ type }: { type: string }) => type);
    expect([kept[0], kept.at(-1)]).toEqual(['CustomerDeleted', 'CustomerRegistered']);
    expect((await partner.get(`/api/service-integrator${history}`)).status).toBe(404);
    await eventually(
      () => portal.get('/api/customer/profile'),
      ({ status }) => status === 401,
    );
    await eventually(
      () => tool.get('/api/cli/session'),
      ({ status }) => status === 401,
    );
    expect(await clientOf(server.url).post('/api/auth/customer/login', { licenseKey: doomed.licenseKey })).toMatchObject({
      status: 401,
    });
    expect((await admin.get(`/api/admin/users?search=ada&customerId=${doomed.id}`)).body.total).toBe(0);
  });
});

describe('a service integrator whose last customer was deleted', () => {
  it('can be deleted right away', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await newIntegrator(admin, { companyName: `Emptied ${round}` });
      const last = await newCustomer(admin, id);
      await admin.delete(`/api/admin/customers/${last.id}`);
      expect(await admin.delete(`/api/admin/service-integrators/${id}`)).toMatchObject({ status: 200 });
    }
  });
});

describe('lists of customers', () => {
  it('are read page by page, by status and by search', async () => {
    const owner = await newIntegrator(admin, { companyName: 'Pages' });
    for (let number = 0; number < 7; number++) await newCustomer(admin, owner.id, { name: `Page ${number}` });
    const own = await asIntegrator(server.url, owner);
    const names: string[] = [];
    let cursor = '';
    do {
      const page = await own.get(`/api/service-integrator/customers?limit=3&sort=name${cursor}`);
      expect(page.body.total).toBe(7);
      names.push(...page.body.customers.map(({ name }: { name: string }) => name));
      cursor = page.body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(page.body.nextCursor)}`;
    } while (cursor !== '');
    expect(names).toEqual([0, 1, 2, 3, 4, 5, 6].map((number) => `Page ${number}`));
    const [first] = (await own.get('/api/service-integrator/customers?search=page%203')).body.customers;
    expect(first.name).toBe('Page 3');
    const byKey = await admin.get(`/api/admin/customers?search=${first.licenseKey.toLowerCase()}`);
    expect(byKey.body.customers.map(({ name }: { name: string }) => name)).toEqual(['Page 3']);
    await admin.put(...details(first.id, { name: 'Page 3', status: 'suspended' }));
    const suspended = await own.get('/api/service-integrator/customers?status=suspended');
    expect(suspended.body).toMatchObject({ total: 1, counts: { all: 7, active: 6, suspended: 1, churned: 0 } });
    expect((await own.get('/api/service-integrator/stats/dashboard')).body.stats).toMatchObject({
      totalCustomers: 7,
      activeCustomers: 6,
    });
  });
});

describe('lists of customers by utilization', () => {
  it('follow the seats that are held and allowed, named and floating ones, page by page', async () => {
    const owner = await newIntegrator(admin, { companyName: 'Utilization' });
    const own = await asIntegrator(server.url, owner);
    const licensed = async (name: string, developerSeats: number, users: number) => {
      const customer = await newCustomer(admin, owner.id, { name, developerSeats, seatLimitsEnforced: false });
      for (let user = 0; user < users; user++) await asTool(server.url, customer, `${name}-${user}`);
      return customer;
    };
    const half = await licensed('Half', 2, 1);
    await licensed('Unlimited', -1, 1);
    await licensed('Over', 1, 2);
    await licensed('None', 4, 0);
    await licensed('Zero', 0, 1);
    const names = async (sort: string, filter = ''): Promise<string[]> => {
      const found: string[] = [];
      let cursor = '';
      do {
        const { body } = await own.get(`/api/service-integrator/customers?sort=${sort}&limit=2${filter}${cursor}`);
        found.push(...body.customers.map(({ name }: { name: string }) => name));
        cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`;
      } while (cursor !== '');
      return found;
    };
    expect(await names('-developerUtilization')).toEqual(['Over', 'Zero', 'Half', 'None', 'Unlimited']);
    expect(await names('developerUtilization', '&status=active')).toEqual(['Unlimited', 'None', 'Half', 'Zero', 'Over']);
    expect(await names('-heldDeveloperSeats')).toEqual(expect.arrayContaining(['Over', 'Half', 'Unlimited', 'Zero', 'None']));
    expect([(await names('-heldDeveloperSeats'))[0], (await names('heldDeveloperSeats'))[0]]).toEqual(['Over', 'None']);
    const inFile = async (): Promise<Record<string, string | undefined>> => {
      const { body } = await own.get('/api/service-integrator/customers', { headers: { accept: 'text/csv' } });
      const [head = '', ...rows] = String(body).trim().split('\r\n');
      const column = head.split(',').indexOf('developer_utilization');
      return Object.fromEntries(rows.map((row) => [row.split(',')[1], row.split(',')[column]]));
    };
    const change = (changes: object) => admin.put(...details(half.id, { name: 'Half', ...changes }));
    expect(await inFile()).toEqual({ Half: '0.5', Unlimited: '', Over: '2', None: '0', Zero: '' });
    await change({ developerSeats: 4, floatingDeveloperMinutes: 5 });
    expect((await inFile()).Half).toBe('0');
    expect((await names('heldDeveloperSeats')).slice(0, 2).sort()).toEqual(['Half', 'None']);
    await asTool(server.url, half, 'Half-0');
    expect((await names('heldDeveloperSeats'))[0]).toBe('None');
    expect((await inFile()).Half).toBe('0.25');
    expect(await names('-developerUtilization')).toEqual(['Over', 'Zero', 'Half', 'None', 'Unlimited']);
    const cursor = Buffer.from(JSON.stringify(['-developerUtilization', 2 ** 40, half.id])).toString('base64url');
    expect((await own.get(`/api/service-integrator/customers?sort=-developerUtilization&cursor=${cursor}`)).status).toBe(400);
  });
});

describe('lists of customers by last call', () => {
  it('have those without calls at one end, page by page', async () => {
    const owner = await newIntegrator(admin, { companyName: 'Callers' });
    const own = await asIntegrator(server.url, owner);
    const called = async (name: string, minutesAgo: number | null) => {
      const customer = await newCustomer(admin, owner.id, { name, developerSeats: 1 });
      if (minutesAgo === null) return;
      const at = new Date(Date.now() - minutesAgo * 60_000).toISOString();
      const call = { service: 'jira', instanceUrl: 'https://a.example', operation: 'GET:/', status: 200, durationMs: 4, at };
      const tool = await asTool(server.url, customer);
      const sent = await tool.post('/api/cli/api-calls', { sourceId: 'laptop', firstSequence: 1, calls: [call] });
      expect(sent.status).toBe(202);
    };
    await called('Older', 30);
    await called('Never', null);
    await called('Newer', 5);
    const pageOf = async (sort: string, cursor: string | null = null) => {
      const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      return (await own.get(`/api/service-integrator/customers?sort=${sort}&limit=2${after}`)).body;
    };
    const names = async (sort: string): Promise<string[]> => {
      const first = await pageOf(sort);
      // Read models of usage may not have the last customer yet.
      const second = first.nextCursor === null ? { customers: [] } : await pageOf(sort, first.nextCursor);
      return [...first.customers, ...second.customers].map(({ name }: { name: string }) => name);
    };
    await eventually(
      () => names('-lastCall'),
      (found) => found.join() === 'Newer,Older,Never',
    );
    expect(await names('lastCall')).toEqual(['Never', 'Older', 'Newer']);
  });
});

describe('lists as files', () => {
  const linesOf = async (client: Client, path: string, accept = 'text/csv') => {
    const { status, headers, body } = await client.get(path, { headers: { accept } });
    expect(status).toBe(200);
    return { name: headers.get('content-disposition'), lines: String(body).trimEnd().split(/\r?\n/) };
  };

  it('have all entries that match, in the order of the list, and no keys', async () => {
    const owner = await newIntegrator(admin);
    const [one, two] = [
      await newCustomer(admin, owner.id, { name: 'Zed, Inc.' }),
      await newCustomer(admin, owner.id, { name: 'Abe' }),
    ];
    await admin.put(...details(two.id, { name: '=Abe', developerSeats: -1 }));
    const query = `?serviceIntegratorId=${owner.id}&sort=-name&limit=1`;
    const csv = await linesOf(admin, `/api/admin/customers${query}`);
    const day = dayOf(Date.now());
    expect(csv.name).toBe(`attachment; filename="customers-${day}.csv"`);
    expect(csv.lines[0]).toMatch(
      /^id,name,contact_email,company,status,.*,developer_seats,.*,created_at,external_id,tags,notes,custom_fields,license_starts_at,license_expires_at,license_grace_days,license_trial,entitlements,call_quota,call_quota_kind,call_quota_reached,idle_release_days,machine_limit$/,
    );
    expect(csv.lines.slice(1).map((line) => line.slice(37, 45))).toEqual(['"Zed, In', "'=Abe,it"]);
    expect(csv.lines[2]).toMatch(/,-1,/);
    const own = await asIntegrator(server.url, owner);
    const rows = (await linesOf(own, '/api/service-integrator/customers', 'application/x-ndjson')).lines;
    expect(rows.map((row) => JSON.parse(row).id)).toEqual([two.id, one.id]);
    const integrators = await linesOf(admin, `/api/admin/service-integrators?search=${owner.companyName}`);
    const secrets = [one.licenseKey, two.licenseKey, owner.masterLicenseKey];
    for (const secret of secrets) expect([...csv.lines, ...rows, ...integrators.lines].join()).not.toContain(secret);
  });

  it('of users are named by their customer', async () => {
    const owner = await newIntegrator(admin);
    const customer = await newCustomer(admin, owner.id, { name: 'Größe & Söhne' });
    await asTool(server.url, customer, 'ada');
    const portal = await asCustomer(server.url, customer);
    const { name, lines } = await linesOf(portal, '/api/users/with-connections');
    expect(name).toMatch(/"users-groe-sohne-\d{4}-\d{2}-\d{2}\.csv"/);
    expect(lines[1]).toMatch(/,ada,.*,developer,active,/);
    expect((await linesOf(admin, `/api/admin/users?customerId=${customer.id}`)).lines).toEqual(lines);
    const partner = await asIntegrator(server.url, owner);
    expect((await linesOf(partner, '/api/users')).lines).toEqual(lines);

    const machines = await linesOf(portal, '/api/users/machines?search=ada');
    expect(machines.name).toMatch(/"machines-groe-sohne-\d{4}-\d{2}-\d{2}\.csv"/);
    expect(machines.lines[0]).toBe('id,machine,name,system,user_id,username,customer_id,customer,approved_at,last_seen_at');
    expect(machines.lines[1]).toMatch(/,ada,.*,Größe & Söhne,\d{4}-.*Z,\d{4}-.*Z$/);
    expect((await linesOf(partner, `/api/users/machines?customerId=${customer.id}`)).lines).toEqual(machines.lines);
    expect((await linesOf(admin, `/api/admin/users/machines?customerId=${customer.id}`)).lines).toEqual(machines.lines);
    expect((await partner.get('/api/users/machines?limit=1')).body.machines).toMatchObject([{ username: 'ada' }]);
    const outsider = await asIntegrator(server.url, await newIntegrator(admin));
    expect((await outsider.get('/api/users/machines')).body.machines).toEqual([]);
    expect((await portal.get('/api/users/machines?search=nobody')).body).toMatchObject({ machines: [], nextCursor: null });
  });

  it('have named users, and API tokens without their secrets', async () => {
    const owner = await newIntegrator(admin);
    const partner = await asIntegrator(server.url, owner);
    const member = { name: '+Olga', email: 'olga@contoso.example', role: 'auditor' };
    expect((await partner.post('/api/team/members', member)).status).toBe(201);
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const token = { name: 'CI', scopes: ['customers:read', 'users:read'], expiresAt, networks: ['203.0.113.0/24'] };
    const { secret } = (await partner.post('/api/tokens', token)).body;

    const team = await linesOf(partner, '/api/team');
    expect(team.name).toMatch(/"team-[a-z0-9-]+-\d{4}-\d{2}-\d{2}\.csv"/);
    expect(team.lines[1]).toMatch(/,'\+Olga,olga@contoso\.example,auditor,invited,false,false,0,false,/);
    const tokens = await linesOf(partner, '/api/tokens');
    expect(tokens.name).toMatch(/"api-tokens-[a-z0-9-]+-\d{4}-\d{2}-\d{2}\.csv"/);
    expect(tokens.lines[1]).toMatch(/,CI,active,customers:read users:read,203\.0\.113\.0\/24,/);
    expect([...team.lines, ...tokens.lines].join()).not.toContain(secret);
  });
});

describe('the history of a customer', () => {
  it('is listed, filtered, and exported as a file', async () => {
    const { id } = await newCustomer(admin, integrator.id, { name: '=cmd()' });
    await partner.put(`/api/service-integrator/customers/${id}`, {
      name: '=cmd()',
      contactEmail: 'it@acme.example',
      status: 'suspended',
    });
    const path = `/api/service-integrator/customers/${id}/history`;
    const all = await eventually(
      () => partner.get(path),
      ({ body }) => body.history?.[0]?.type === 'CustomerSuspended',
    );
    expect(all.body.history[0]).toMatchObject({ actor: { kind: 'integrator', id: integrator.id, name: 'Contoso' } });
    expect((await partner.get(`${path}?type=CustomerRegistered`)).body.total).toBe(1);
    const csv = await partner.get(path, { headers: { accept: 'text/csv' } });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="history-[a-z0-9-]+-\d{4}-\d\d-\d\d\.csv"$/);
    const lines = String(csv.body).trim().split('\r\n');
    expect(lines[0]).toBe(
      'at,type,actor_kind,actor_id,actor_name,summary,changes,position,id,actor_method,actor_address,actor_session',
    );
    expect(lines).toHaveLength(all.body.history.length + 1);
    expect(lines.join('\n')).not.toMatch(/(^|,)"?=/m);
    const seenByAdmin = path.replace('service-integrator', 'admin');
    const ndjson = await admin.get(seenByAdmin, { headers: { accept: 'application/x-ndjson' } });
    const entries = String(ndjson.body)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries).toEqual((await admin.get(seenByAdmin)).body.history);
    const portal = await asCustomer(server.url, await newCustomer(admin, integrator.id, { name: 'Own' }));
    const own = await eventually(
      () => portal.get('/api/customer/history'),
      ({ body }) => body.total > 0,
    );
    expect(own.body.history.at(-1).type).toBe('CustomerRegistered');
  });

  it('returns the state at a time, and the changes since', async () => {
    const { id, licenseKey, createdAt } = await newCustomer(admin, integrator.id, { name: 'Then' });
    await admin.put(...details(id, { name: 'Now', developerSeats: 99 }));
    const path = `/api/admin/customers/${id}/as-of`;
    const then = await admin.get(`${path}?at=${createdAt}&compareTo=2999-01-01T00:00:00Z`);
    expect(then).toMatchObject({
      status: 200,
      body: { success: true, at: createdAt, customer: { name: 'Then', developerSeats: 10, licenseKey } },
    });
    expect(then.body.changes).toEqual([
      { field: 'name', before: 'Then', after: 'Now' },
      { field: 'developerSeats', before: 10, after: 99 },
    ]);
    expect(await admin.get(`${path}?at=2001-01-01T00:00:00Z`)).toMatchObject({ status: 404 });
    expect(await admin.get(path)).toMatchObject({ status: 400, body: { issues: [{ path: 'at' }] } });
  });
});

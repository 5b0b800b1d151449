import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, asCustomer, asIntegrator, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { openServer, type TestServer } from '../support/server.ts';

const RECORDS = {
  externalId: 'crm-17',
  tags: ['eu', 'vip'],
  notes: 'Prefers calls\nin the morning',
  customFields: { contract: 'A-17', contacts: [{ name: 'Ada' }] },
};
const DETAILS = { name: 'Acme', contactEmail: 'it@acme.example' };

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
});

afterAll(() => server.close());

const pathOf = ({ id }: { id: string }) => `/api/service-integrator/customers/${id}`;
const putRecords = (customer: { id: string }, records: Record<string, unknown>) =>
  partner.put(pathOf(customer), { ...DETAILS, ...records });
const recordsOf = ({ externalId, tags, notes, customFields }: Record<string, unknown>) => ({
  externalId,
  tags,
  notes,
  customFields,
});

describe('the records of a customer', () => {
  it('are absent without a value, and set, changed and removed each by itself', async () => {
    const plain = await newCustomer(admin, integratorId);
    for (const field of Object.keys(RECORDS)) expect(plain).not.toHaveProperty(field);
    const set = await putRecords(plain, { ...RECORDS, externalId: 'crm-1', tags: ['VIP', 'eu', 'vip'] });
    expect(recordsOf(set.body.customer)).toEqual({ ...RECORDS, externalId: 'crm-1' });
    const changed = await putRecords(plain, { notes: '', tags: ['asia'] });
    expect(recordsOf(changed.body.customer)).toEqual({ ...RECORDS, externalId: 'crm-1', tags: ['asia'], notes: undefined });
    const none = await putRecords(plain, { externalId: null, tags: [], customFields: {} });
    for (const field of Object.keys(RECORDS)) expect(none.body.customer).not.toHaveProperty(field);
    const unchanged = await putRecords(plain, { externalId: null, tags: [], notes: null, customFields: null });
    expect(unchanged.headers.get('etag')).toBe(none.headers.get('etag'));
  });

  it('arrive whole in a long reply, whatever their alphabet', async () => {
    const notes = '👋 Grüße, 你好 '.repeat(120).trim();
    const { id } = await newIntegrator(admin);
    const customers = [];
    for (let count = 0; count < 10; count++) customers.push(await newCustomer(admin, id, { notes }));
    const list = await admin.get(`/api/admin/customers?serviceIntegratorId=${id}&sort=createdAt`);
    expect(list.body.customers).toEqual(customers);
    expect(Number(list.headers.get('content-length'))).toBe(Buffer.byteLength(JSON.stringify(list.body)));
  });

  it('are refused if they are too long or no JSON object', async () => {
    const { id } = await newCustomer(admin, integratorId);
    for (const [records, path] of [
      [{ tags: ['a,b'] }, 'tags.0'],
      [{ tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }, 'tags'],
      [{ notes: 'x'.repeat(2_001) }, 'notes'],
      [{ notes: 'bell\u0007' }, 'notes'],
      [{ customFields: { text: 'x'.repeat(8_192) } }, 'customFields'],
      [{ customFields: ['a'] }, 'customFields'],
      [{ externalId: 'x'.repeat(201) }, 'externalId'],
    ] as const) {
      const { status, body } = await putRecords({ id }, records);
      expect([status, body.issues?.[0]?.path]).toEqual([400, path]);
    }
    expect((await putRecords({ id }, { customFields: { text: 'x'.repeat(8_000) }, notes: 'é'.repeat(2_000) })).status).toBe(200);
  });

  it('are refused with numbers and names that would not be stored as they were sent', async () => {
    const { id } = await newCustomer(admin, integratorId, { externalId: 'exact', customFields: { a: 1 } });
    const headers = { 'content-type': 'application/json' };
    const limit = 'customFields: Must not have a number beyond 9007199254740991. Send';
    for (const [fields, error] of [
      ['{"a":1,"b":12345678901234567890}', `${limit} b as text`],
      ['{"a":{"b":[0,-1e999]}}', `${limit} a.b.1 as text`],
      ['{"__proto__":{"z":1},"a":1}', 'customFields: Must not have a field named __proto__'],
      ['{"a":{"__proto__":1}}', 'customFields: Must not have a field named __proto__'],
    ] as const) {
      const body = `{"name":"Acme","contactEmail":"it@acme.example","customFields":${fields}}`;
      for (const [method, path, sent] of [
        ['PUT', pathOf({ id }), body],
        ['POST', '/api/admin/customers', body.replace('{', `{"company":"Acme","serviceIntegratorId":"${integratorId}",`)],
      ] as const) {
        const reply = await (method === 'PUT' ? partner : admin).send(method, path, { headers, body: sent });
        expect(reply).toMatchObject({ status: 400, body: { error } });
      }
    }
    const fields = { least: -9_007_199_254_740_991, small: 1e-300, constructor: '12345678901234567890' };
    expect((await putRecords({ id }, { customFields: fields })).body.customer.customFields).toEqual(fields);
  });

  it('are not shown to the customer, in no reply and no entry of its history', async () => {
    const customer = await newCustomer(admin, integratorId, { ...RECORDS, externalId: 'crm-hidden', name: 'Hidden' });
    const portal = await asCustomer(server.url, customer);
    const profile = await portal.put('/api/customer/profile', {
      name: 'Shown',
      contactEmail: 'it@shown.example',
      company: 'Shown',
    });
    const replies = [
      profile,
      await portal.get('/api/customer/profile'),
      await portal.get('/api/customer/history'),
      await portal.get('/api/customer/history', { headers: { accept: 'text/csv' } }),
    ];
    for (const { status, body } of replies) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toMatch(/crm-hidden|vip|Prefers|contract|CustomerRecordsChanged/);
    }
    const { body } = await partner.get(`${pathOf(customer)}/history`);
    const entry = body.history.find(({ type }: { type: string }) => type === 'CustomerRecordsChanged');
    expect(entry.changes).toContainEqual({ field: 'tags', before: null, after: 'eu, vip' });
    expect((await partner.get(pathOf(customer))).body.customer).toMatchObject({ externalId: 'crm-hidden' });
  });

  it('are compared with an earlier state', async () => {
    const customer = await newCustomer(admin, integratorId);
    const put = await putRecords(customer, { tags: ['new'], customFields: { a: 1 } });
    expect(put.body).toMatchObject({ customer: { tags: ['new'] } });
    const now = new Date().toISOString();
    const { body } = await partner.get(`${pathOf(customer)}/as-of?at=${customer.createdAt}&compareTo=${now}`);
    expect(body.changes).toContainEqual({ field: 'tags', before: null, after: 'new' });
    expect(body.changes).toContainEqual({ field: 'customFields', before: null, after: '{"a":1}' });
  });

  it('find customers: by all of some tags, and by the external id', async () => {
    const both = await newCustomer(admin, integratorId, { name: 'Both', tags: ['north', 'key account'], externalId: 'erp-900' });
    const one = await newCustomer(admin, integratorId, { name: 'One', tags: ['north'] });
    const idsOf = async (query: string) => {
      const { body } = await partner.get(`/api/service-integrator/customers?${query}`);
      return { ids: body.customers.map(({ id }: { id: string }) => id).sort(), total: body.total };
    };
    expect(await idsOf('tag=North')).toEqual({ ids: [both.id, one.id].sort(), total: 2 });
    expect(await idsOf('tag=north,key%20account')).toEqual({ ids: [both.id], total: 1 });
    expect(await idsOf('tag=nort')).toEqual({ ids: [], total: 0 });
    expect(await idsOf('search=erp-900')).toEqual({ ids: [both.id], total: 1 });
    expect((await partner.get('/api/service-integrator/customers?tag=,')).status).toBe(400);
    const csv = await partner.get('/api/service-integrator/customers?tag=key%20account', { headers: { accept: 'text/csv' } });
    expect(csv.body).toMatch(/,external_id,tags,notes,custom_fields,.*\r\n.*,erp-900,"key account, north",/);
    await partner.put(pathOf(both), { ...DETAILS, name: 'Renamed' });
    expect(await idsOf('search=erp-900')).toEqual({ ids: [both.id], total: 1 });
  });
});

describe('the external id of a customer', () => {
  it('creates the customer once: the same again shows it, another one is refused', async () => {
    const wanted = { ...DETAILS, company: 'Acme Inc.', ...RECORDS, externalId: 'crm-once' };
    const first = await partner.post('/api/service-integrator/customers', wanted);
    expect(first.status).toBe(201);
    const again = await partner.post('/api/service-integrator/customers', { ...wanted, tags: ['vip', 'eu'] });
    expect([again.status, again.body.customer.id]).toEqual([200, first.body.customer.id]);
    const other = await partner.post('/api/service-integrator/customers', { ...wanted, name: 'Other' });
    expect([other.status, other.body.code, other.body.issues[0].path]).toEqual([409, 'external_id_taken', 'externalId']);
    const { id } = await newIntegrator(admin);
    expect(await newCustomer(admin, id, { externalId: 'crm-once' })).toMatchObject({ externalId: 'crm-once' });
  });

  it('creates one customer for equal requests at the same time, which all show it', async () => {
    for (const round of Array(10).keys()) {
      const wanted = { ...DETAILS, company: 'Acme Inc.', externalId: `crm-same-${round}` };
      const replies = await Promise.all(Array.from({ length: 6 }, () => partner.post('/api/service-integrator/customers', wanted)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
      expect(new Set(replies.map(({ body }) => body.customer.id)).size).toBe(1);
    }
  });

  it('belongs to one of many who want it at the same time', async () => {
    const customers = await Promise.all(Array.from({ length: 6 }, () => newCustomer(admin, integratorId)));
    const replies = await Promise.all(customers.map((customer) => putRecords(customer, { externalId: 'crm-race' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  it('is free again once its customer has another one, none, or is deleted', async () => {
    const [one, two] = [await newCustomer(admin, integratorId), await newCustomer(admin, integratorId)];
    await putRecords(one, { externalId: 'crm-a' });
    expect((await putRecords(two, { externalId: 'crm-a' })).status).toBe(409);
    await putRecords(one, { externalId: 'crm-b' });
    expect((await putRecords(two, { externalId: 'crm-a' })).status).toBe(200);
    await admin.delete(`/api/admin/customers/${one.id}`);
    expect((await putRecords(two, { externalId: 'crm-b' })).status).toBe(200);
  });

  it('is not kept by a change that was refused', async () => {
    const [one, two] = [await newCustomer(admin, integratorId), await newCustomer(admin, integratorId)];
    const refused = await partner.put(pathOf(one), { ...DETAILS, externalId: 'crm-late' }, { headers: { 'if-match': '"0"' } });
    expect(refused.status).toBe(412);
    expect((await putRecords(two, { externalId: 'crm-late' })).status).toBe(200);
  });
});

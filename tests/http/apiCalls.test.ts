import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { dayOf } from '../../src/domain/time.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  bearer,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
  type Reply,
  type Tool,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { sessionEnd } from '../support/sessionEnd.ts';
import { itAtLength } from '../support/tiers.ts';

let server: TestServer;
let admin: Client;
let integrator: ServiceIntegrator;
let customer: Customer;
let tool: Tool;
let portal: Client;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
  customer = await newCustomer(admin, integrator.id);
  [tool, portal] = [await asTool(server.url, customer), await asCustomer(server.url, customer)];
});

afterAll(() => server.close());

const call = (given: Record<string, unknown> = {}) => ({
  service: 'jira',
  instanceUrl: 'https://acme.atlassian.net/',
  operation: 'GET:/issue',
  status: 200,
  durationMs: 40,
  ...given,
});
const send = (sourceId: string, firstSequence: number, calls: unknown[], as: Client = tool): Promise<Reply> =>
  as.post('/api/cli/api-calls', { sourceId, firstSequence, calls });
const many = (count: number, given?: Record<string, unknown>) => Array.from({ length: count }, () => call(given));
const totalOf = async (id: string = customer.id): Promise<number> =>
  (await admin.get(`/api/admin/customers/${id}`)).body.customer.totalApiCalls;
const isCounted = (total: number, id?: string) =>
  eventually(
    () => totalOf(id),
    (found) => found >= total,
  );

describe('recorded calls', () => {
  it('are counted, by instance and by day', async () => {
    const calls = [
      ...many(8),
      call({ status: 500, durationMs: 400 }),
      call({ instanceUrl: 'https://dev.azure.com/acme', service: 'azdo' }),
    ];
    expect(await send('by-instance', 1, calls)).toMatchObject({
      status: 202,
      body: { success: true, accepted: 10, duplicates: 0, rejected: [], nextSequence: 11 },
    });
    await isCounted(10);
    const { usage } = (await portal.get('/api/customer/usage?days=7')).body;
    expect(usage).toMatchObject({
      totalApiCalls: 10,
      totalErrors: 1,
      errorRate: 0.1,
      activeInstances: 2,
      avgResponseTime: 76,
      peakUsageCalls: 10,
    });
    expect(usage.daily).toHaveLength(7);
    expect(
      usage.instanceUsage.map(({ instanceUrl, apiCalls }: { instanceUrl: string; apiCalls: number }) => [instanceUrl, apiCalls]),
    ).toEqual([
      ['https://acme.atlassian.net', 9],
      ['https://dev.azure.com/acme', 1],
    ]);
    expect((await admin.get(`/api/admin/customers/${customer.id}/instances`)).body.instances).toHaveLength(2);
  });

  it('are shown for any days of any time zone, by what they were made of, with the days before', async () => {
    const query = (values: Record<string, string>) => `/api/customer/usage?${new URLSearchParams(values)}`;
    const today = (zone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(Date.now());
    const zone = 'Asia/Kolkata';
    const { usage } = (await portal.get(query({ zone, days: '7', compare: 'previous' }))).body;
    const user = { key: tool.userId, username: 'ada' };
    expect(usage).toMatchObject({
      zone,
      to: today(zone),
      totalApiCalls: 10,
      users: [{ ...user, calls: 10, errors: 1 }],
      operations: [{ key: 'GET:/issue', calls: 10, errors: 1 }],
      services: [
        { key: 'jira', calls: 9 },
        { key: 'azdo', calls: 1 },
      ],
      reasons: [{ key: '500', calls: 1, errors: 1, avgResponseTime: 400 }],
      previous: { totalApiCalls: 0, daily: Array.from({ length: 7 }, () => ({ calls: 0, errors: 0, p95: 0 })) },
    });
    expect(usage.daily.at(-1).from).toMatch(/T18:30:00.000Z$/);
    expect(usage.week.calls.reduce((sum: number, calls: number) => sum + calls, 0)).toBe(10);
    const past = (await portal.get(query({ zone, from: '2026-03-01', to: '2026-03-31' }))).body.usage;
    expect([past.daily.length, past.totalApiCalls, past.apiCallsLast30Days, past.previous]).toEqual([31, 0, 10, null]);
    expect((await tool.get('/api/cli/usage?zone=Asia/Kolkata')).body.usage).toMatchObject({ zone, users: null, totalApiCalls: 10 });
  });

  it('are exported as they are shown, in a file named by customer, days and zone', async () => {
    const path = '/api/customer/usage?zone=Europe/Berlin&days=7&compare=previous';
    const { usage } = (await portal.get(path)).body;
    const csv = await portal.get(path, { headers: { accept: 'text/csv' } });
    expect(csv.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="usage-[a-z0-9-]+-${usage.from}-${usage.to}-europe-berlin.csv"$`),
    );
    const lines = String(csv.body).split('\r\n');
    expect(lines[0]).toBe('part,key,name,from,to,calls,errors,avg_response_ms,p95_ms,last_active,p50_ms,p99_ms');
    expect(lines[1]).toMatch(/^range,Europe\/Berlin,,.*,10,1,76,[\d.]+,,[\d.]+,[\d.]+$/);
    expect(lines.filter((line) => line.startsWith('day,'))).toHaveLength(7);
    const [before] = usage.previous.daily;
    expect(lines.find((line) => line.startsWith('previous_range,'))).toBe(
      `previous_range,Europe/Berlin,,${before.from},${usage.daily[0].from},0,0,0,0,,0,0`,
    );
    expect(lines.filter((line) => line.startsWith('previous_day,'))).toHaveLength(7);
    expect(lines).toContain(`previous_day,${before.day},,${before.from},${before.to},0,0,0,0,,,`);
    expect(lines).toContain('last_30_days,,,,,10,,,,,,');
    expect(lines.filter((line) => line.startsWith('hour_of_week,'))).toHaveLength(168);
    expect(lines.find((line) => line.startsWith('error_reason,'))).toBe(
      `error_reason,500,,,,1,1,400,,${usage.reasons[0].lastActive},,`,
    );
    const ndjson = await admin.get(`/api/admin/customers/${customer.id}/usage?days=7`, {
      headers: { accept: 'application/x-ndjson' },
    });
    const rows = String(ndjson.body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.find(({ part }) => part === 'user')).toMatchObject({ key: tool.userId, name: 'ada', calls: 10 });
  });

  it('are limited to chosen parts, which combine, and are shown to the service integrator for all customers', async () => {
    const usageOf = async (client: Client, path: string) => (await client.get(path)).body.usage;
    const path = '/api/customer/usage?days=7&zone=Asia/Kolkata';
    expect(await usageOf(portal, `${path}&userId=${tool.userId}`)).toMatchObject({
      totalApiCalls: 10,
      apiCallsLast30Days: 10,
      users: [{ key: tool.userId, username: 'ada', calls: 10 }],
    });
    const failed = await usageOf(portal, `${path}&userId=${tool.userId}&reason=500&compare=previous`);
    expect(failed).toMatchObject({
      totalApiCalls: 1,
      totalErrors: 1,
      p95: failed.p50,
      countedFrom: null,
      apiCallsLast30Days: null,
    });
    expect(failed.previous).toMatchObject({ totalApiCalls: 0 });
    expect(await usageOf(portal, `${path}&reason=500&service=azdo`)).toMatchObject({ totalApiCalls: 0, operations: [] });
    const instance = encodeURIComponent('HTTPS://dev.azure.com/acme/');
    expect((await usageOf(portal, `${path}&instanceUrl=${instance}`)).instanceUsage).toMatchObject([
      { service: 'azdo', apiCalls: 1 },
    ]);
    const reseller = await asIntegrator(server.url, integrator);
    const ofAll = '/api/service-integrator/usage?days=7&zone=Asia/Kolkata';
    const all = await usageOf(reseller, ofAll);
    expect(all).toMatchObject({ zone: 'Asia/Kolkata', totalApiCalls: 10, totalErrors: 1, activeCustomers: 1 });
    expect(all.customers).toMatchObject([{ key: customer.id, name: customer.name, calls: 10, errors: 1 }]);
    expect(all).toMatchObject({ apiCallsLast30Days: 10, arrived: { zone: 'UTC', totalApiCalls: 10, totalErrors: 1 } });
    expect(all.activeInstances).toBeGreaterThan(0);
    const { parts } = (await reseller.get(ofAll.replace('?', '/parts?'))).body;
    expect(parts).toMatchObject({ zone: 'UTC', totalApiCalls: 10, totalErrors: 1 });
    const sumOf = (of: readonly { calls: number }[]) => of.reduce((sum, { calls }) => sum + calls, 0);
    expect([sumOf(parts.services), sumOf(parts.operations)]).toEqual([10, 10]);
    const file = await reseller.get(`${ofAll}&compare=previous`, { headers: { accept: 'text/csv' } });
    expect(file.headers.get('content-disposition')).toMatch(/usage-.+-asia-kolkata\.csv/);
    const lines = String(file.body).trim().split('\r\n');
    expect([lines[1]?.split(',')[5], lines[9]?.split(',')[0]]).toEqual(['10', 'previous_range']);
    expect(lines[17]).toMatch(new RegExp(`^customer,${customer.id},.*,10,1,`));
    expect(lines[18]).toMatch(/^last_30_days,.*,10,/);
    expect(lines[19]).toMatch(/^arrived_range,UTC,.*,10,1,/);
    const kinds = new Set(lines.slice(20).map((line) => line.split(',')[0]));
    expect([...kinds]).toEqual([
      ...['arrived_day', 'previous_arrived_range', 'previous_arrived_day', 'arrived_hour_of_week'],
      ...['arrived_outcome', 'arrived_service', 'arrived_operation'],
    ]);
  });

  it('cannot be shown for days that do not exist, that are too many, or of an unknown zone', async () => {
    for (const [query, field, message] of [
      ['zone=Mars/Olympus', 'zone', 'Must be a time zone like Europe/Berlin or UTC'],
      ['from=2026-01-01', 'to', 'Give both from and to, or days'],
      ['to=2026-01-01', 'from', 'Give both from and to, or days'],
      ['days=7&from=2026-01-01&to=2026-01-02', 'days', 'Give either days, or from and to'],
      ['from=2026-01-02&to=2026-01-01', 'to', 'Must not be before from'],
      ['from=2025-01-01&to=2026-01-02', 'to', 'Must be less than 366 days after from'],
      ['from=1999-12-31&to=2000-01-02', 'from', 'Must be a day from 2000-01-01 to 9998-12-31'],
      ['from=2026-02-30&to=2026-03-02', 'from', 'Must be a day like 2026-01-31'],
      ['compare=next', 'compare', 'Must be previous'],
      ['reason=5xx', 'reason', 'Must be a status from 100 to 599, or none'],
    ] as const) {
      const { status, body } = await portal.get(`/api/customer/usage?${query}`);
      expect([query, status, body.issues]).toEqual([query, 400, [{ path: field, message }]]);
    }
  });

  it('are checked one by one', async () => {
    const before = await totalOf();
    const reply = await send('judged', 5, [
      call(),
      call({ service: 'github' }),
      'nonsense',
      call({ at: '2001-01-01T00:00:00Z' }),
      call(),
      call({ operation: 'GET:/a\u0000b' }),
    ]);
    expect(reply).toMatchObject({ status: 202, body: { accepted: 2, duplicates: 0, nextSequence: 11 } });
    expect(reply.body.rejected.map(({ sequence }: { sequence: number }) => sequence)).toEqual([6, 7, 8, 10]);
    expect(reply.body.rejected[2].reason).toBe('at: Must not be older than 400 days');
    expect(reply.body.rejected[3].reason).toBe('operation: Must not contain control characters');
    await isCounted(before + 2);
  });

  it('count once if they are sent repeatedly, in any order and overlapping', async () => {
    const owner = await newCustomer(admin, (await newIntegrator(admin)).id);
    const [one, two] = [await asTool(server.url, owner, 'one'), await asTool(server.url, owner, 'two')];
    const windows = [
      [1, 40],
      [21, 60],
      [101, 140],
      [41, 100],
      [1, 140],
      [90, 110],
    ] as const;
    const sends = windows.flatMap(([first, last]) => [
      send('laptop', first, many(last - first + 1), one),
      send('laptop', first, many(last - first + 1), one),
      send('build', first, many(last - first + 1), two),
    ]);
    for (const reply of await Promise.all(sends)) expect(reply.status).toBe(202);
    await isCounted(280, owner.id);
    await send('laptop', 1, many(141), one);
    await isCounted(281, owner.id);
    expect(await totalOf(owner.id)).toBe(281);
  });

  it('that are sent again right away are reported as duplicates', async () => {
    expect((await send('again', 1, many(3))).body).toMatchObject({ accepted: 3, duplicates: 0, nextSequence: 4 });
    expect((await send('again', 1, many(3))).body).toMatchObject({ accepted: 0, duplicates: 3, nextSequence: 4 });
    expect((await send('again', 1, many(4))).body).toMatchObject({ accepted: 1, duplicates: 3, nextSequence: 5 });
    expect((await send('again', 2, many(1))).body).toMatchObject({ accepted: 0, duplicates: 1, nextSequence: 5 });
  });

  it('that replace rejected ones are accepted, the others are duplicates', async () => {
    const owner = await newCustomer(admin, (await newIntegrator(admin)).id);
    const as = await asTool(server.url, owner);
    const first = await send('corrected', 1, [call(), call({ service: 'github' }), call()], as);
    expect(first.body).toMatchObject({ accepted: 2, duplicates: 0 });
    expect((await send('corrected', 1, many(3), as)).body).toMatchObject({ accepted: 1, duplicates: 2, rejected: [] });
    expect((await send('corrected', 1, many(3), as)).body).toMatchObject({ accepted: 0, duplicates: 3 });
    await isCounted(3, owner.id);
    expect(await totalOf(owner.id)).toBe(3);
  });

  itAtLength('that another node acknowledged are reported as duplicates once the read model has counted them', async () => {
    const owner = await newCustomer(admin, (await newIntegrator(admin)).id);
    const here = await asTool(server.url, owner);
    const node = await server.openNode({ ROLES: 'api' });
    await send('nodes', 1, many(1), here);
    await send('nodes', 1, many(6), clientOf(node.url, bearer(here.token)));
    await isCounted(6, owner.id);
    expect((await send('nodes', 1, many(6), here)).body).toMatchObject({ accepted: 0, duplicates: 6, nextSequence: 7 });
    await node.close();
  });

  it('are durable before they are acknowledged', async () => {
    const reply = await send('durable', 1, many(2));
    const events = server.product.events;
    const found: number[] = [];
    const stream = `apiCalls-${customer.id}.${dayOf(Date.now()).replaceAll('-', '')}` as const;
    for await (const { event } of events.read(stream)) {
      if (event.type !== 'ApiCallsRecorded') continue;
      for (const { sourceId, calls } of event.data.flushes) if (sourceId === 'durable') found.push(calls.length);
    }
    expect([reply.status, found]).toEqual([202, [2]]);
  });
});

describe('a request with calls', () => {
  it.each([
    ['no calls', { sourceId: 'x', firstSequence: 1, calls: [] }, 'calls'],
    ['1,001 calls', { sourceId: 'x', firstSequence: 1, calls: many(1_001) }, 'calls'],
    ['no source', { firstSequence: 1, calls: [call()] }, 'sourceId'],
    ['the sequence 0', { sourceId: 'x', firstSequence: 0, calls: [call()] }, 'firstSequence'],
    ['a source with a NUL', { sourceId: 'a\u0000b', firstSequence: 1, calls: [call()] }, 'sourceId'],
    ['a field too many', { sourceId: 'x', firstSequence: 1, calls: [call()], user: 'ada' }, 'user'],
  ])('with %s is refused', async (_what, body, path) => {
    expect(await tool.post('/api/cli/api-calls', body)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', issues: [{ path }] },
    });
  });

  it('with maximum nesting is rejected as invalid, and only after the session check', async () => {
    const body = `{"calls":${'['.repeat(500_000)}${']'.repeat(500_000)}}`;
    const headers = { 'content-type': 'application/json' };
    const problems = await Promise.all(
      [tool, clientOf(server.url)].map((as) => as.send('POST', '/api/cli/api-calls', { headers, body })),
    );
    expect(problems.map(({ status, body: problem }) => [status, problem.code])).toEqual([
      [400, 'validation_failed'],
      [401, 'session_required'],
    ]);
    expect(await send('after-deep-nesting', 1, many(1))).toMatchObject({ status: 202, body: { accepted: 1 } });
  });

  it('of a suspended customer is refused, and accepted after a new sign-in', async () => {
    const owner = await newCustomer(admin, (await newIntegrator(admin)).id);
    const suspended = await asTool(server.url, owner);
    const set = (status: string) =>
      admin.put(`/api/admin/customers/${owner.id}`, { name: 'X', contactEmail: 'a@b.example', status });
    await set('suspended');
    await eventually(
      () => send('s', 1, [call()], suspended),
      ({ status, body }) => status === 403 && body.code === 'customer_suspended',
    );
    await sessionEnd(server.product, suspended);
    await set('active');
    expect(await send('s', 1, [call()], suspended)).toMatchObject({ status: 401, body: { code: 'session_required' } });
    expect(await send('s', 1, [call()], await asTool(server.url, owner))).toMatchObject({ status: 202 });
  });
});

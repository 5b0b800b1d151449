import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChartsReply, ConnectedSeries } from '../../src/contracts/charts.ts';
import type { Customer } from '../../src/contracts/customers.ts';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { asAdmin, asTool, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { openToolSocket } from '../support/toolSocket.ts';

/** How far the server's clock is ahead, ms: charts divide minutes that are over. */
let ahead = 0;
let server: TestServer;
let admin: Client;
let customer: Customer;
/** A customer whose tool is connected, and that made no calls. */
let quiet: Customer;

beforeAll(async () => {
  server = await openServer({}, { now: () => Date.now() + ahead });
  admin = await asAdmin(server.url);
  const integrator = await newIntegrator(admin);
  customer = await newCustomer(admin, integrator.id, { name: '=Acme' });
  const tool = await asTool(server.url, customer, 'ada');
  const call = { service: 'jira', instanceUrl: 'https://acme.atlassian.net', operation: 'GET:/issue', status: 200, durationMs: 40 };
  const calls = [call, call, { ...call, service: 'azdo', status: 503 }];
  expect((await tool.post('/api/cli/api-calls', { sourceId: 'laptop', firstSequence: 1, calls })).status).toBe(202);
  await eventually(
    async () => (await admin.get('/api/admin/calls')).body.calls.length,
    (count) => count === 3,
  );
  quiet = await newCustomer(admin, integrator.id, { name: 'Quiet' });
  await openToolSocket(server.url, tokenOf(await asTool(server.url, quiet, 'eve')));
  ahead = MINUTE_MS;
  await eventually(
    async () => (await admin.get('/monitoring/charts?by=customer')).body.connected,
    (parts) => parts.length === 1,
  );
});
afterAll(() => server.close());

const tokenOf = ({ headers }: Client): string => headers.authorization?.split(' ')[1] ?? '';

const fileOf = async (query: string, accept: string) => {
  const { status, headers, body } = await admin.get(`/monitoring/charts?${query}`, { headers: { accept } });
  expect(status).toBe(200);
  return { name: headers.get('content-disposition') ?? '', lines: String(body).trim().split(/\r?\n/) };
};

describe('the charts', () => {
  it('divide the connected users by customer, and count those of the filter', async () => {
    const usersIn = async (query: string) => {
      const { body } = await admin.get(`/monitoring/charts?range=1h&${query}`);
      const { points }: ChartsReply['chart'] = body.chart;
      // The last point in which a server ran: the clock of the samples is not ahead.
      const last = points.findLastIndex(({ connectedUsers }) => connectedUsers !== null);
      const parts = body.connected?.map(({ key, users }: ConnectedSeries) => [key, users[last]]);
      return { whole: points[last]?.connectedUsers, parts: parts ?? null, names: body.names };
    };
    expect(await usersIn('by=customer')).toMatchObject({ whole: 1, parts: [[quiet.id, 1]], names: { [quiet.id]: 'Quiet' } });
    expect(await usersIn(`customer=${quiet.id}&service=jira`)).toMatchObject({ whole: 1, parts: null });
    expect(await usersIn(`customer=${customer.id}&by=integrator`)).toMatchObject({ whole: 0, parts: [] });
    expect(await usersIn('by=service')).toMatchObject({ whole: 1, parts: null });
  });

  it('say how far each projection group is behind', async () => {
    const { body } = await admin.get('/monitoring/charts?range=1h');
    const [lag] = body.chart.points.filter(({ projectionLagMs }: { projectionLagMs: number | null }) => projectionLagMs !== null);
    expect(Math.max(lag.mainLagMs, lag.usageLagMs)).toBe(lag.projectionLagMs);
  });
});

describe('the file of the charts', () => {
  it('has each point of all calls and of their parts, as the reply has them', async () => {
    const { lines } = await fileOf('range=1h&by=customer', 'application/x-ndjson');
    const rows = lines.map((line) => JSON.parse(line));
    const { body } = await admin.get('/monitoring/charts?range=1h&by=customer');
    const whole = rows.filter(({ by }) => by === null);
    expect(whole).toHaveLength(body.chart.points.length);
    expect(whole.filter(({ calls }) => calls > 0)).toMatchObject([
      { period: 'current', calls: 3, failed: 1, p95: expect.any(Number) },
    ]);
    const parts = rows.filter(({ by, calls }) => by === 'customer' && calls > 0);
    expect(parts).toMatchObject([{ key: customer.id, name: '=Acme', calls: 3, failed: 1 }]);
    const ofQuiet = rows.filter(({ key, connectedUsers }) => key === quiet.id && connectedUsers > 0);
    expect(ofQuiet.at(-1)).toEqual(expect.objectContaining({ name: 'Quiet', connectedUsers: 1 }));
    expect(ofQuiet.every(({ calls }) => calls === undefined)).toBe(true);
  });

  it('has the previous period, the calls of the filter, and a name by customer and period', async () => {
    const query = `range=1h&by=service&customer=${customer.id}&compare=previous`;
    const { name, lines } = await fileOf(query, 'text/csv');
    const [header, ...rows] = lines;
    expect(header).toBe(
      'period,at,seconds,by,part,part_name,customer_id,customer,calls,failed,p50_ms,p95_ms,p99_ms,connected_users,' +
        'projection_lag_ms,main_lag_ms,usage_lag_ms',
    );
    const { body } = await admin.get(`/monitoring/charts?${query}`);
    expect(rows.filter((row) => row.startsWith('previous,'))).toHaveLength(body.previous.points.length);
    expect(rows.filter((row) => /,service,jira,jira,,,2,0,/.test(row))).toHaveLength(1);
    expect(rows.filter((row) => /,service,azdo,azdo,,,1,1,/.test(row))).toHaveLength(1);
    expect(name).toMatch(/"monitoring-acme-by-service-\d{4}-\d\d-\d\d(t\d{4}z)?-\d{4}-\d\d-\d\d(t\d{4}z)?\.csv"$/);
    const ofInstances = await fileOf(`range=1h&by=instance&customer=${customer.id}`, 'text/csv');
    expect(ofInstances.lines.filter((row) => row.includes(`,https://acme.atlassian.net,${customer.id},'=Acme,3,1,`))).toHaveLength(
      1,
    );
  });
});

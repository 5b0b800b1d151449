import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, type Client, clientOf, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { itAtLength } from '../support/tiers.ts';

let server: TestServer;
let admin: Client;
let nobody: Client;

beforeAll(async () => {
  server = await openServer({ API_DOCS: 'on' });
  admin = await asAdmin(server.url);
  nobody = clientOf(server.url);
});

afterAll(() => server.close());

describe('monitoring', () => {
  it('checks every dependency of the server', async () => {
    // A delay of the event loop in a start on a busy machine is critical until the next check.
    const { body } = await eventually(
      () => admin.get('/monitoring/health/detailed'),
      ({ body }) => body.summary.critical === 0,
    );
    expect(Object.keys(body.checks).sort()).toEqual(
      [
        'auditLog',
        'database',
        'databaseRoles',
        'eventLoop',
        'eventStore',
        'liveFeed',
        'memory',
        'parkedStreams',
        'policies',
        'projections',
        'signIns',
        'tools',
        'vault',
      ].sort(),
    );
    expect(body.summary.healthy + body.summary.warnings + body.summary.critical).toBe(13);
    expect(body.summary.critical).toBe(0);
    expect(body.uptime).toBeGreaterThanOrEqual(0);
    for (const check of Object.values(body.checks)) {
      expect(check).toMatchObject({
        status: expect.stringMatching(/^(healthy|warning)$/),
        message: expect.any(String),
        responseTime: expect.any(Number),
      });
    }
  });

  it('counts customers and calls, and returns the last minutes', async () => {
    const { id } = await newIntegrator(admin);
    await newCustomer(admin, id);
    expect((await admin.get('/monitoring/metrics')).body).toMatchObject({
      apiCalls: { total: 0, successful: 0, failed: 0, avgDuration: 0 },
      customers: { total: 1, active: 1, suspended: 0 },
    });
    const { body } = await admin.get('/monitoring/timeline?window=15m');
    expect(body).toMatchObject({ success: true, window: '15m', resolutionSeconds: 1 });
    expect(body.points).toHaveLength(900);
    expect((await admin.get('/monitoring/timeline?window=24h')).body.points).toHaveLength(1440);
    const charts = await admin.get('/monitoring/charts?range=7d&compare=previous');
    expect(charts.body).toMatchObject({ chart: { stepSeconds: 3600 }, previous: { stepSeconds: 3600 } });
    expect(Date.parse(charts.body.chart.from) - Date.parse(charts.body.previous.from)).toBe(7 * 86_400_000);
    expect(charts.body).toMatchObject({ series: null, names: {} });
    const divided = await admin.get('/monitoring/charts?by=customer&service=jira&outcome=2xx&operation=GET:/issue');
    expect(divided.body).toMatchObject({ chart: { stepSeconds: 60 }, series: [], previous: null });
    for (const [query, path] of [
      ['from=2026-01-31T12:00:00Z', 'from'],
      ['range=1h&from=2026-01-31T12:00:00Z&to=2026-01-31T13:00:00Z', 'from'],
      ['from=2026-01-31T12:00:00Z&to=2026-01-31T12:00:00Z', 'to'],
      ['from=2026-01-31T12:00:00Z&to=2026-04-04T12:00:00Z', 'to'],
      ['by=operation&instance=https://acme.example', 'customer'],
      ['by=user', 'by'],
    ]) {
      const { status, body } = await admin.get(`/monitoring/charts?${query}`);
      expect([query, status, body.issues[0].path]).toEqual([query, 400, path]);
    }
    expect((await admin.get('/api/admin/stats/dashboard')).body.stats).toMatchObject({
      totalCustomers: 1,
      activeCustomers: 1,
      totalServiceIntegrators: 1,
    });
  });
});

describe('probes', () => {
  it('report that the server is alive and ready', async () => {
    expect(await nobody.get('/healthz')).toMatchObject({ status: 200, body: { status: 'alive' } });
    expect(await nobody.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready', missing: [] } });
  });

  it('read metrics with an administrator’s token from any address', async () => {
    const token = (admin.headers.cookie ?? '').split('=')[1] ?? '';
    const scraped = await nobody.get('/metrics', { headers: { authorization: `Bearer ${token}` } });
    expect(scraped.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(scraped.body).toMatch(/^latchkey_http_requests_total\{method="GET",route="\/monitoring\/timeline",status="2xx"\} 2$/m);
    expect(scraped.body).toMatch(
      /^latchkey_http_request_duration_seconds_bucket\{le="\+Inf",method="GET",route="\/monitoring\/timeline"\} 2$/m,
    );
    expect(scraped.body).toMatch(/^latchkey_limit_rejections_total\{limit="handshakes"\} 0$/m);
  });
});

describe('the description of the API', () => {
  it('is OpenAPI 3.1 with every route and its contracts', async () => {
    const { body } = await nobody.get('/api/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    const create = body.paths['/api/admin/customers'].post;
    expect(create.security).toEqual([{ admin: [] }]);
    const schema = create.requestBody.content['application/json'].schema;
    expect(schema.required).toEqual(['name', 'contactEmail', 'serviceIntegratorId']); // seats only without a plan
    expect(schema.properties.developerSeats).toEqual({ type: 'integer', minimum: -1, maximum: 1_000_000 });
    expect(schema.properties.company.anyOf[0]).toMatchObject({ type: 'string', maxLength: 200 });
    expect(create.responses['201'].content['application/json'].schema.properties.customer.properties.licenseKey).toEqual({
      type: 'string',
    });
    expect(Object.keys(create.responses)).toEqual(['200', '201', '400', '401', '403', '409']);
    expect(create.responses['409'].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Problem' });
    const headersOf = ({ parameters = [] }: { parameters?: { in: string; name: string }[] }): string[] =>
      parameters.flatMap((parameter) => (parameter.in === 'header' ? [parameter.name] : []));
    expect(headersOf(create)).toEqual(['idempotency-key']);
    expect(headersOf(body.paths['/api/admin/customers/{customerId}'].put)).toEqual(['idempotency-key', 'if-match']);
    expect(headersOf(body.paths['/api/admin/customers'].get)).toEqual([]);
    expect(headersOf(body.paths['/api/cli/api-calls'].post)).toEqual([]);
    expect(body.components.schemas.Problem.required).toEqual(['success', 'error', 'code']);
    // A description that repeats what all routes share is read by nobody: it had 4.3 MB.
    expect(JSON.stringify(body).length).toBeLessThan(1_500_000);
  });

  it('is served from memory, with an ETag', async () => {
    /** Accepts and unpacks gzip, as browsers do. */
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const reply = await fetch(`${server.url}${path}`, { headers });
      return { status: reply.status, headers: reply.headers, body: await reply.text() };
    };
    for (const path of ['/api/openapi.json', '/api/docs', '/api/docs/static/swagger-ui-bundle.js']) {
      const first = await get(path);
      const etag = first.headers.get('etag') ?? '';
      expect(first.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
      expect(first.headers.get('content-encoding')).toBe('gzip');
      expect(await get(path, { 'if-none-match': `"other", ${etag}` })).toMatchObject({ status: 304, body: '' });
      expect(await get(path, { 'if-none-match': '"other"' })).toMatchObject({ status: 200, body: first.body });
      const plain = await get(path, { 'accept-encoding': 'gzip;q=0, identity' });
      expect([plain.headers.get('content-encoding'), plain.body]).toEqual([null, first.body]);
      expect(plain.headers.get('etag')).not.toBe(etag);
    }
  });

  itAtLength('is not served if the configuration disables it', async () => {
    const { url, close } = await server.openNode({ API_DOCS: 'off' });
    for (const path of ['/api/openapi.json', '/api/docs', '/api/docs/', '/api/docs/static/swagger-ui-bundle.js']) {
      expect([path, (await clientOf(url).get(path)).status]).toEqual([path, 404]);
    }
    expect((await clientOf(url).get('/api/version')).body).toEqual({ success: true, version: null });
    const { version } = (await nobody.get('/api/openapi.json')).body.info;
    expect((await nobody.get('/api/version')).body).toEqual({ success: true, version });
    await close();
  });

  it('has a viewer with its own content security policy', async () => {
    const reader = await nobody.get('/api/docs');
    expect(reader.status).toBe(200);
    expect(reader.headers.get('content-security-policy')).toContain("default-src 'self'");
    const scripts = [...String(reader.body).matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(scripts.length).toBeGreaterThan(3);
    for (const path of scripts) expect([path, (await nobody.get(path)).status]).toEqual([path, 200]);
    expect(String(reader.body)).not.toMatch(/<script>(?!<)/);
  });
});

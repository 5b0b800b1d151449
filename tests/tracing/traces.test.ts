import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi } from '../../src/cli/api/api.ts';
import { asAdmin, asTool, type Client, clientOf, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { ADMIN_KEY } from '../support/keys.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { itAtLength } from '../support/tiers.ts';
import { type ReceivedSpan, startCollector } from './collector.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SENDER = 'b7ad6b7169203331';
const traceparent = `00-${TRACE}-${SENDER}-01`;

let collector: Awaited<ReturnType<typeof startCollector>>;
let dataDir: string;
let server: ServerProcess;
let admin: Client;

beforeAll(async () => {
  collector = await startCollector();
  dataDir = await mkdtemp(join(tmpdir(), 'latchkey-traces-'));
  server = await startServerProcess(dataDir, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
  admin = await asAdmin(server.url);
});

afterAll(async () => {
  await server.stop();
  await collector.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** The names of a span and of its parents, from the first one on. */
const pathOf = (span: ReceivedSpan, all: readonly ReceivedSpan[]): string[] => {
  const parent = all.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(parent ? pathOf(parent, all) : []), span.name];
};

const pathsIn = (traceId: string): string[] => {
  const all = collector.spans().filter((span) => span.traceId === traceId);
  return all.map((span) => pathOf(span, all).join(' > '));
};

describe('a trace', () => {
  it('leads from the request of a sender over command, append and projection to the live message', async () => {
    const { id } = await newCustomer(admin, (await newIntegrator(admin)).id);
    const path = `/api/admin/customers/${id}`;
    const body = JSON.stringify({ name: 'Canary Corporation', contactEmail: 'canary@acme.example' });
    const reply = await admin.send('PUT', path, { headers: { traceparent, 'content-type': 'application/json' }, body });
    expect(reply.status).toBe(200);
    const append = 'PUT /api/admin/customers/:customerId > command ChangeCustomerDetails > append to customer';
    const paths = await eventually(
      () => pathsIn(TRACE),
      (found) => found.includes(`${append} > project main > live message`),
    );
    expect(paths).toEqual(expect.arrayContaining([append, `${append} > project main`, `${append} > project main > live message`]));
    const request = collector.spans().find(({ traceId, name }) => traceId === TRACE && name.startsWith('PUT'));
    expect(request?.parentSpanId).toBe(SENDER);
  });

  it('leads from recorded calls of a tool to the usage', async () => {
    const customer = await newCustomer(admin, (await newIntegrator(admin)).id);
    const tool = await asTool(server.url, customer, 'ada');
    const trace = TRACE.replace('0', '1');
    const calls = [{ service: 'jira', instanceUrl: 'https://jira.example', operation: 'GET:/issue', status: 200, durationMs: 5 }];
    await tool.send('POST', '/api/cli/api-calls', {
      headers: { traceparent: traceparent.replace(TRACE, trace), 'content-type': 'application/json' },
      body: JSON.stringify({ sourceId: 'traced', firstSequence: 1, calls }),
    });
    const projected = 'POST /api/cli/api-calls > append to apiCalls > project usage';
    await eventually(
      () => pathsIn(trace),
      (found) => found.includes(projected),
    );
  });

  it('leads from the environment of the command-line tool', async () => {
    const trace = TRACE.replace('0', '2');
    const env = { TRACEPARENT: traceparent.replace(TRACE, trace) };
    const api = openApi({ server: server.url, token: null, env, now: Date.now, signal: new AbortController().signal });
    await api.login({ licenseKey: 'LK-ENT-0000-00000', username: 'ada', email: 'ada@acme.example', machineId: 'machine' });
    await api.close();
    await eventually(
      () => pathsIn(trace),
      (found) => found.includes('POST /api/cli/login'),
    );
  });

  it('begins at the server for a request without a valid traceparent', async () => {
    const anonymous = clientOf(server.url);
    for (const wrong of ['00-00000000000000000000000000000000-b7ad6b7169203331-01', 'x'.repeat(4_000), '00-1-2-3']) {
      const reply = await anonymous.send('GET', '/api/admin/customers', { headers: { traceparent: wrong } });
      expect(reply.status).toBe(401);
    }
    const roots = await eventually(
      () => collector.spans().filter(({ name }) => name === 'GET /api/admin/customers'),
      ({ length }) => length >= 3,
    );
    expect(roots.filter(({ parentSpanId }) => parentSpanId)).toEqual([]);
  });

  it('holds no key, name, email address or address of a client', async () => {
    await clientOf(server.url).post('/api/auth/customer/login', { licenseKey: 'LK-ENT-CANA-RY000' });
    await eventually(
      () => collector.spans(),
      (spans) => spans.some(({ name }) => name === 'POST /api/auth/customer/login'),
    );
    const text = collector.text();
    for (const secret of [ADMIN_KEY, 'CANA-RY000', 'Canary', 'canary@', '127.0.0.1', 'LK-']) expect(text).not.toContain(secret);
  });
});

itAtLength('a collector that does not answer costs no request', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'latchkey-traces-'));
  const alone = await startServerProcess(elsewhere, {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
  try {
    const { id } = await newIntegrator(await asAdmin(alone.url));
    expect(id).not.toBe('');
    await eventually(
      () => alone.output(),
      (lines) => lines.includes('Traces could not be exported'),
    );
    expect(await alone.stop()).toBe(0);
  } finally {
    await alone.kill();
    await rm(elsewhere, { recursive: true, force: true });
  }
});

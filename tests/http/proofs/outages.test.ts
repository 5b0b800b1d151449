import { connect, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONNECTIONS } from '../../../src/database/database.ts';
import { asAdmin, type Reply } from '../../support/apiClient.ts';
import { openServer, type TestServer } from '../../support/server.ts';
import { asSuperuser } from '../../support/stores.ts';
import { account, type Outage } from './situation.ts';
import { createTestTenant, type TestTenant } from './testAccounts.ts';

let server: TestServer;
let tenant: TestTenant;

beforeAll(async () => {
  server = await openServer();
  tenant = await createTestTenant(server.url, await asAdmin(server.url));
});

afterAll(() => server.close());

describe('temporary problems', () => {
  const outages: Record<Outage, { status: number; error: RegExp; retryAfter: string | null }> = {
    overloaded: { status: 503, error: /^The server is busy\. Try again in a moment\.$/, retryAfter: '1' },
    unavailable: { status: 503, error: /^The server cannot reach its stores\. Try again in a moment\.$/, retryAfter: '2' },
    request_timeout: { status: 408, error: /^The request took too long to arrive$/, retryAfter: null },
    internal_error: { status: 500, error: /^Something went wrong on the server \(reference [0-9a-f-]{36}\)$/, retryAfter: null },
    idempotency_in_progress: {
      status: 503,
      error: /^The first request with this Idempotency-Key is still in progress\. Try again\.$/,
      retryAfter: '1',
    },
  };

  const expectOutage = (code: Outage, reply: Pick<Reply, 'status' | 'body'> & { retryAfter: string | null }): void => {
    const { status, error, retryAfter } = outages[code];
    expect(reply).toMatchObject({ status, body: { success: false, code, error: expect.stringMatching(error) }, retryAfter });
  };

  const asOutage = ({ status, body, headers }: Reply) => ({ status, body, retryAfter: headers.get('retry-after') });

  /** A request whose body never arrives, and its reply. */
  const openRequest = (head: string): { socket: Socket; answer: Promise<string> } => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => socket.write(`${head}\r\nHost: localhost\r\n\r\n`));
    const answer = new Promise<string>((resolve, reject) => {
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
        if (text.endsWith('}')) resolve(text);
      });
      socket.on('error', reject);
    });
    return { socket, answer };
  };

  const answered = (text: string) => {
    const [statusLine = '', ...lines] = text.split('\r\n');
    const retryAfter = lines.find((line) => /^retry-after:/i.test(line))?.replace(/^[^:]+: */, '') ?? null;
    return { status: Number(statusLine.split(' ')[1]), body: JSON.parse(lines.at(-1) ?? ''), retryAfter };
  };

  it('include a busy server, until it recovers', async () => {
    const { tool } = tenant;
    const head = `POST /api/cli/api-calls HTTP/1.1\r\nAuthorization: ${tool.headers.authorization}\r\nContent-Type: application/json\r\nContent-Length: 1048576`;
    const open = Array.from({ length: 80 }, () => openRequest(head));
    const first = await Promise.race(open.map(({ answer }) => answer));
    expectOutage('overloaded', answered(first));
    for (const { socket } of open) socket.destroy();
    const call = { service: 'jira', instanceUrl: 'https://jira.example', operation: 'GET', status: 200, durationMs: 1 };
    const record = () => tool.post('/api/cli/api-calls', { sourceId: 'busy', firstSequence: 1, calls: [call] });
    await expect.poll(record, { timeout: 30_000 }).toMatchObject({ status: 202 });
  });

  it('include an internal error, with only a reference in the reply', async () => {
    const { db } = server.product;
    await asSuperuser(db, 'alter table http.idempotency rename to idempotency_lost');
    const reply = await tenant.partner.put('/api/service-integrator/profile', account, {
      headers: { 'idempotency-key': 'lost' },
    });
    await asSuperuser(db, 'alter table http.idempotency_lost rename to idempotency');
    expectOutage('internal_error', asOutage(reply));
    expect(reply.body.error).toContain(reply.body.correlationId);
    expect(JSON.stringify(reply.body)).not.toMatch(/idempotency|relation |42P01/);
  });

  it('include requests that take longer than half a minute', async () => {
    const { db } = server.product;
    const { partner } = tenant;
    const slow = openRequest('POST /api/auth/admin/login HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 100');
    const atWork = () => partner.put('/api/service-integrator/profile', account, { headers: { 'idempotency-key': 'at-work' } });
    expect((await atWork()).status).toBe(200);
    await db
      .updateTable('http.idempotency')
      .set({ status: null, sealed_body: null, claimed_until: new Date(Date.now() + 120_000) })
      .where('key', '=', 'at-work')
      .execute();
    const brand = { whiteLabelEnabled: true, customDomain: 'stuck.example.com', logoUrl: null };
    const [late, busy, stuck] = await Promise.all([
      slow.answer,
      atWork(),
      // Another connection holds the lock that the request needs.
      db.transaction().execute(async (holder) => {
        await sql`lock table ops.verified_domain in access exclusive mode`.execute(holder);
        return partner.put('/api/service-integrator/white-label', brand);
      }),
    ]);
    expectOutage('request_timeout', answered(late));
    expectOutage('idempotency_in_progress', asOutage(busy));
    expectOutage('overloaded', asOutage(stuck));
  });

  it('include unreachable stores, while all connections to them are in use', async () => {
    const { db } = server.product;
    const profile = () => tenant.partner.get('/api/service-integrator/profile');
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    // The server keeps one to itself, so the last of these waits in vain, as the request does.
    const holders = Promise.allSettled(Array.from({ length: CONNECTIONS }, () => db.transaction().execute(() => held)));
    const reply = await profile();
    letGo();
    await holders;
    expectOutage('unavailable', asOutage(reply));
    expect((await profile()).status).toBe(200);
  });
});

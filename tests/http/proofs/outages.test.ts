import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin } from '../../support/apiClient.ts';
import { openServer, type TestServer } from '../../support/server.ts';
import { asSuperuser } from '../../support/stores.ts';
import { answered, asOutage, expectOutage, openRequest } from './outageReplies.ts';
import { account } from './situation.ts';
import { createTestTenant, type TestTenant } from './testAccounts.ts';

let server: TestServer;
let tenant: TestTenant;

beforeAll(async () => {
  server = await openServer();
  tenant = await createTestTenant(server.url, await asAdmin(server.url));
});

afterAll(() => server.close());

describe('temporary problems', () => {
  it('include a busy server, until it recovers', async () => {
    const { tool } = tenant;
    const head = `POST /api/cli/api-calls HTTP/1.1\r\nAuthorization: ${tool.headers.authorization}\r\nContent-Type: application/json\r\nContent-Length: 1048576`;
    const open = Array.from({ length: 80 }, () => openRequest(server.url, head));
    const first = await Promise.race(open.map(({ answer }) => answer));
    expectOutage('overloaded', answered(first));
    for (const { socket } of open) socket.destroy();
    const call = { service: 'jira', instanceUrl: 'https://jira.example', operation: 'GET', status: 200, durationMs: 1 };
    const record = () => tool.post('/api/cli/api-calls', { sourceId: 'busy', firstSequence: 1, calls: [call] });
    await expect.poll(record).toMatchObject({ status: 202 });
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
});

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONNECTIONS } from '../../../src/database/database.ts';
import { asAdmin } from '../../support/apiClient.ts';
import { openServer, type TestServer } from '../../support/server.ts';
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

describe('temporary problems that end after a time limit', () => {
  it('include requests that take longer than half a minute', async () => {
    const { db } = server.product;
    const { partner } = tenant;
    const slow = openRequest(
      server.url,
      'POST /api/auth/admin/login HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 100',
    );
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

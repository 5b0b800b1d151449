import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { seededRandom } from '../../src/demo/random.ts';
import { asAdmin, clientOf, newCustomer, newIntegrator, type Reply } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/freePort.ts';
import { startServerProcess } from '../support/serverProcess.ts';
import { deployInTwoProcesses } from './parts.ts';

const KILLS = 4;
const MOVES = 6;
const SEED = Number(process.env.CHAOS_SEED ?? 1);
/** Within which the appends of a move are made. */
const APPENDS_MS = 120;
const PAUSE_MS = 500;
/** A claim of an idempotency key by a node that was killed lasts 40 s. */
const ANSWERED_MS = 120_000;

it('moves customers once, and answers the repeated request with the result, whenever the node is killed', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-moves-'));
  const deployment = await deployInTwoProcesses(dataDir, await freePort());
  const startSecond = () => startServerProcess(join(dataDir, 'second'), { ...deployment.env, ROLES: 'api,projector' });
  let second = await startSecond();
  try {
    const admin = await asAdmin(deployment.url);
    const owners = [await newIntegrator(admin), await newIntegrator(admin, { companyName: 'Next Partners' })];
    const [first = '', next = ''] = owners.map(({ id }) => id);
    const customers = await Promise.all(
      Array.from({ length: MOVES }, async (_, nr) => (await newCustomer(admin, first, { externalId: `crm-${nr}` })).id),
    );
    const random = seededRandom(SEED).next;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const to = kill % 2 === 0 ? next : first;
      const requests = await Promise.all(
        customers.map(async (id) => {
          const path = `/api/admin/customers/${id}/integrator-move`;
          const { headers } = await admin.get(`${path}?serviceIntegratorId=${to}`);
          const once = { 'if-match': headers.get('etag') ?? '', 'idempotency-key': randomUUID() };
          return (url: string): Promise<Reply | null> =>
            clientOf(url, admin.headers)
              .post(path, { serviceIntegratorId: to }, { headers: once })
              .catch(() => null);
        }),
      );
      const broken = requests.map((send) => send(second.url));
      await delay(random() * APPENDS_MS);
      await second.kill();
      await Promise.all(broken);
      second = await startSecond();
      const answered = async (send: (url: string) => Promise<Reply | null>): Promise<Reply> => {
        const deadline = performance.now() + ANSWERED_MS;
        for (;;) {
          const reply = await send(deployment.url);
          if ((reply && reply.status !== 503) || performance.now() > deadline)
            return reply ?? Promise.reject(new Error('No reply'));
          await delay(PAUSE_MS);
        }
      };
      for (const { status, body } of await Promise.all(requests.map(answered))) {
        expect([status, body.code]).toEqual([200, undefined]);
        expect(body.customer.serviceIntegratorId).toBe(to);
      }
      const listed = async (id: string): Promise<number> =>
        (await admin.get(`/api/admin/customers?serviceIntegratorId=${id}`)).body.total;
      expect(await listed(to)).toBe(MOVES);
      expect(await listed(to === next ? first : next)).toBe(0);
    }
    for (const id of customers) {
      const moves = async (): Promise<number> =>
        (await admin.get(`/api/admin/customers/${id}/history?type=CustomerMoved&limit=100`)).body.total;
      expect(await moves()).toBe(KILLS);
    }
    // The last one withdrawn is free to be deleted, and the external ids are those of the present owner alone.
    await eventually(
      () => admin.delete(`/api/admin/service-integrators/${next}`),
      ({ status }) => status === 200,
      ANSWERED_MS,
    );
  } finally {
    await second.stop();
    await deployment.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

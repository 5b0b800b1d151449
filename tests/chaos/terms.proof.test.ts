import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import { connectDatabase } from '../../src/database/database.ts';
import { seededRandom } from '../../src/demo/random.ts';
import type { CustomerId } from '../../src/domain/ids.ts';
import { createEventStore } from '../../src/eventstore/adapter.ts';
import { masterSecretOf } from '../../src/security/masterSecret.ts';
import { createSealing } from '../../src/security/sealing.ts';
import { createVault } from '../../src/security/vault.ts';
import { eventsOf } from '../eventstoreClient/adapterSupport.ts';
import { metaOf } from '../support/builders/command.ts';
import { customerRegistered, licenseTermSet } from '../support/builders/customer.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/freePort.ts';
import { startServerProcess } from '../support/serverProcess.ts';
import { deployInTwoProcesses } from './parts.ts';

const LICENSES = 2_000;
const KILLS = 8;
const SEED = Number(process.env.CHAOS_SEED ?? 1);
const AT_ONCE = 50;

/** Runs work for all, some at a time. */
const forEach = async <T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> => {
  for (let first = 0; first < all.length; first += AT_ONCE) await Promise.all(all.slice(first, first + AT_ONCE).map(work));
};

it('records each step of each term once, whichever of two nodes is killed', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-terms-'));
  const deployment = await deployInTwoProcesses(dataDir, await freePort());
  const { env } = deployment;
  const startProjector = () => startServerProcess(join(dataDir, 'projector'), { ...env, ROLES: 'projector' });
  let projector = await startProjector();
  const { db } = connectDatabase(await deployment.databaseUrl(), { onError: () => undefined });
  const vault = createVault({ db, masterSecret: masterSecretOf(Buffer.from(env.MASTER_SECRET ?? '', 'base64')) });
  const events = createEventStore({ url: env.EVENTSTORE_URL ?? '', sealing: createSealing(vault) });
  try {
    const customerIds = Array.from({ length: LICENSES }, () => randomUUID() as CustomerId);
    const term = licenseTermSet({ expiresAt: '2026-02-01T00:00:00.000Z', graceDays: 14 });
    const random = seededRandom(SEED).next;
    const kills = (async () => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await delay(random() * 1_500);
        if (random() < 0.5) {
          await projector.kill();
          projector = await startProjector();
        } else await deployment.kill('api');
      }
    })();
    await forEach(customerIds, (customerId) =>
      events.append(streams.customer(customerId), [customerRegistered({ customerId }), term], {
        expected: 'no_stream',
        meta: metaOf(),
      }),
    );
    await kills;
    const expired = async (): Promise<number> => {
      let count = 0;
      await forEach(customerIds, async (id) => {
        const types = (await eventsOf(events, streams.customer(id))).map(({ type }) => type);
        expect(['LicenseEnteredGrace', 'LicenseExpired'].slice(0, types.length - 2)).toEqual(types.slice(2));
        if (types.length === 4) count += 1;
      });
      return count;
    };
    await eventually(expired, (count) => count === LICENSES, 300_000);
  } finally {
    await events.close();
    await db.destroy();
    await projector.stop();
    await deployment.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

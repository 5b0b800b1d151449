import { sql } from 'kysely';
import { Pool } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { connectDatabase } from '../../src/database/database.ts';
import { adminKeyOf } from '../../src/security/adminKey.ts';
import { createPasswords } from '../../src/security/passwords.ts';
import { GUESSES } from '../../src/security/signInPermits.ts';
import { CONCURRENT } from '../../src/security/signInTurns.ts';
import { asAdmin, type Client, clientOf, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { ADMIN_KEY } from '../support/keys.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { itAtLength } from '../support/tiers.ts';

type Node = Pick<TestServer, 'url' | 'product'>;
type Route = readonly [path: string, wrong: object];

const ROUTES: Record<string, Route> = {
  admin: ['/api/auth/admin/login', { adminKey: 'wrong' }],
  customer: ['/api/auth/customer/login', { licenseKey: 'LK-ENT-0000-00000' }],
  integrator: ['/api/auth/service-integrator/login', { masterLicenseKey: 'LK-SI-0000-00000' }],
  check: ['/api/cli/license-key/check', { licenseKey: 'LK-ENT-0000-00000' }],
  cli: ['/api/cli/login', { licenseKey: 'LK-ENT-0000-00000', username: 'a', email: 'a@b.example', machineId: 'm' }],
};
/** Concurrent guesses of one address, other addresses that guess, and correct sign-ins beside them. `npm run test:proofs` sets more. */
const FLOOD = Number(process.env.GUESSES_OF_ADDRESS ?? 30);
const OTHERS = Number(process.env.GUESSING_ADDRESSES ?? 8);
const SIGN_INS = Number(process.env.SIGN_INS_BESIDE ?? 9);
const KEYS = GUESSES.address - GUESSES.keptForAdministrators;

let server: TestServer;
let nodes: Node[];
let pools: Pool[];
let admin: Client;
let integrator: ServiceIntegrator;
let customer: Customer;

beforeAll(async () => {
  server = await openServer({ TRUST_PROXY: 'loopback' });
  nodes = [server, await server.openNode()];
  pools = nodes.map(({ url }) => new Pool(url, { connections: 60 }));
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
  customer = await newCustomer(admin, integrator.id, { developerSeats: -1 });
});

afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.destroy()));
  await server.close();
});

const forget = async (): Promise<void> => {
  for (const { product } of nodes) await product.tiers.busy(); // flushes the counts
  await server.product.db.deleteFrom('auth.sign_in_permit').execute();
  await server.product.db.deleteFrom('auth.sign_in_failures').execute();
  for (const { product } of nodes) {
    await product.tiers.busy();
    product.permits.forget();
  }
};

beforeEach(forget);

const post = async (node: number, path: string, address: string, body: object): Promise<number> => {
  const reply = await (pools[node % pools.length] as Pool).request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body),
  });
  await reply.body.dump();
  return reply.statusCode;
};

/** Sends a request many times concurrently to both nodes. Resolves to the number of replies by status. */
const flood = async (count: number, [path, body]: Route, address: string | ((index: number) => string)) => {
  const statuses = await Promise.all(
    Array.from({ length: count }, (_, index) => post(index, path, typeof address === 'string' ? address : address(index), body)),
  );
  return (status: number): number => statuses.filter((found) => found === status).length;
};

const guessFrom = (address: string): [path: string, address: string, body: object] => {
  const [path, body] = ROUTES.customer as Route;
  return [path, address, body];
};

const signIn = (index: number, address: string): Promise<number> => {
  const right: readonly Route[] = [
    ['/api/auth/admin/login', { adminKey: ADMIN_KEY }],
    ['/api/auth/customer/login', { licenseKey: customer.licenseKey }],
    ['/api/auth/service-integrator/login', { masterLicenseKey: integrator.masterLicenseKey }],
  ];
  const [path, body] = right[index % right.length] as Route;
  return post(index, path, address, body);
};

describe('many concurrent guesses', () => {
  for (const [audience, route] of Object.entries(ROUTES)) {
    const limit = audience === 'admin' ? GUESSES.address : KEYS;
    it(`of one address are evaluated ${limit} times, over two nodes (${audience})`, async () => {
      const count = await flood(FLOOD, route, '192.0.2.1');
      expect([count(401), count(429)]).toEqual([limit, FLOOD - limit]);
    });
  }

  it('of one address are evaluated ten times in total for all kinds of keys', async () => {
    const counts = await Promise.all(Object.values(ROUTES).map((route) => flood(FLOOD, route, '192.0.2.1')));
    expect(counts.reduce((sum, count) => sum + count(401), 0)).toBeLessThanOrEqual(GUESSES.address);
  });

  it('also exhaust the limit for the correct key', async () => {
    await flood(FLOOD, ROUTES.customer as Route, '192.0.2.1');
    expect(await post(1, '/api/auth/customer/login', '192.0.2.1', { licenseKey: customer.licenseKey })).toBe(429);
  });

  it('of one address count together behind a proxy that appends ports', async () => {
    const count = await flood(FLOOD, ROUTES.admin as Route, (index) => `192.0.2.1:${40_000 + index}`);
    expect(count(401)).toBe(GUESSES.address);
  });

  it('of one IPv6 network count together', async () => {
    const count = await flood(FLOOD, ROUTES.admin as Route, (index) => `2001:db8:1:2::${(index + 1).toString(16)}`);
    expect(count(401)).toBe(GUESSES.address);
  });
});

describe('a lockout by a third party', () => {
  it('does not reject correct keys from clean addresses while others guess and one sends many requests', async () => {
    const attack = [
      ...Array.from({ length: OTHERS }, (_, index) => flood(12, ROUTES.customer as Route, `198.51.100.${index}`)),
      flood(25 * OTHERS, ROUTES.admin as Route, '192.0.2.66'),
      flood(FLOOD, ROUTES.cli as Route, '192.0.2.67'),
    ];
    const statuses = await Promise.all(Array.from({ length: SIGN_INS }, (_, index) => signIn(index, `198.51.100.${180 + index}`)));
    const counts = await Promise.all(attack);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    for (const count of counts) expect(count(401)).toBeLessThanOrEqual(GUESSES.address);
  });

  it('leaves database connections for clean addresses while guesses use theirs', async () => {
    const addresses = Array.from({ length: 40 }, (_, index) => `198.51.100.${index}`);
    const guess = () => Promise.all(addresses.map((address) => post(0, ...guessFrom(address))));
    expect(new Set(await guess())).toEqual(new Set([401]));
    const { db } = connectDatabase(server.stores.databaseUrl, { max: 2, onError: () => undefined });
    const waitForLocks = async (): Promise<number> => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int4 as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db,
      );
      return rows[0]?.n ?? 0;
    };
    const guesses = await db.transaction().execute(async (transaction) => {
      await sql`select from auth.sign_in_permit where bucket like 'ip:198.51.100.%' for update`.execute(transaction);
      const begun = performance.now();
      const held = guess();
      await eventually(waitForLocks, (count) => count >= CONCURRENT);
      expect(await Promise.all([0, 2, 4].map((index) => signIn(index, `203.0.113.${index}`)))).toEqual([200, 200, 200]);
      expect(await waitForLocks()).toBe(CONCURRENT);
      return { held, forMs: performance.now() - begun };
    });
    // A sign-in that waited for ten seconds in total is refused, as on a busy machine.
    const statuses = guesses.forMs < 5_000 ? [401] : [401, 429];
    expect((await guesses.held).filter((status) => !statuses.includes(status))).toEqual([]);
    await db.destroy();
  });

  it('does not exhaust the budget of administrators at the same address', async () => {
    const count = await flood(FLOOD, ROUTES.customer as Route, '192.0.2.1');
    expect(count(401)).toBe(KEYS);
    expect(await post(0, '/api/auth/admin/login', '192.0.2.1', { adminKey: ADMIN_KEY })).toBe(200);
  });

  itAtLength('does not occupy argon2id for administrators at other addresses', async () => {
    const generated = await server.openNode({ ADMIN_KEY: '' });
    const key = await adminKeyOf({ db: server.product.db, passwords: createPasswords(), prefix: 'LK', given: null }).rotate();
    const pool = new Pool(generated.url, { connections: 200 });
    const login = async (address: string, adminKey: string) => {
      const reply = await pool.request({
        method: 'POST',
        path: '/api/auth/admin/login',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ adminKey }),
      });
      await reply.body.dump();
      return reply.statusCode;
    };
    const attack = Array.from({ length: 120 }, (_, index) => login(`198.51.100.${index % 30}`, 'wrong'));
    expect(await Promise.all([1, 2, 3].map((host) => login(`203.0.113.${host}`, key)))).toEqual([200, 200, 200]);
    expect((await Promise.all(attack)).filter((status) => status !== 401 && status !== 429)).toEqual([]);
    await pool.destroy();
    await generated.close();
    admin = await asAdmin(server.url); // another admin key ended the sessions
  });
});

describe('guesses from many addresses', () => {
  const failures = async (tier: string, count: number): Promise<void> => {
    await sql`
      insert into auth.sign_in_failures (bucket, window_start, failures)
      values (${tier}, date_trunc('minute', clock_timestamp()), ${count})`.execute(server.product.db);
    for (const { product } of nodes) await product.tiers.busy();
  };
  const check = async () => (await admin.get('/monitoring/health/detailed')).body.checks.signIns;

  it('of one network delay sign-ins from it, reject none, and are reported', async () => {
    expect(await check()).toMatchObject({ status: 'healthy' });
    await failures('key 203.0.113.0/24', 5_000);
    await failures('key 2001:db8:1::/48', 5_000);
    /** The most sign-ins that are delayed at once. On a busy machine the delay of one may end before that of the last begins. */
    const mostDelayed = async (): Promise<number> => {
      let isOver = false;
      let most = 0;
      const signIns = Promise.all(
        ['203.0.113.7', '203.0.113.8', '2001:db8:1:77::1', '192.0.2.2'].map((address) =>
          post(0, '/api/auth/customer/login', address, { licenseKey: customer.licenseKey }),
        ),
      ).finally(() => {
        isOver = true;
      });
      await eventually(
        () => {
          most = Math.max(most, server.product.tiers.delayed());
          return isOver;
        },
        (over) => over,
      );
      expect(await signIns).toEqual([200, 200, 200, 200]);
      return most;
    };
    await eventually(mostDelayed, (most) => most === 3);
    // The failures of the minute before count for less with each second of the next one.
    const details = expect.stringMatching(/license keys from 203\.0\.113\.0\/24: ([1-4]\d{3}|5000) a minute/);
    expect(await check()).toMatchObject({ status: 'warning', details });
    const token = admin.headers.cookie?.split('=')[1];
    const metrics = await clientOf(server.url).get('/metrics', { headers: { authorization: `Bearer ${token}` } });
    expect(metrics.body).toMatch(/^latchkey_sign_in_tiers_over_limit 2$/m);
  });

  itAtLength('are counted by network', async () => {
    for (let address = 0; address < 30; address++) await flood(10, ROUTES.customer as Route, `203.0.113.${address}`);
    expect(await check()).toMatchObject({
      status: 'warning',
      details: expect.stringMatching(/^license keys from 203\.0\.113\.0\/24: \d+ a minute$/),
    });
  });

  itAtLength('delay each sign-in for a bounded time, since the oldest then continue', async () => {
    await failures('key all', 100_000);
    const signIns = Promise.all(
      Array.from({ length: 250 }, (_, index) => {
        const { product } = server;
        return product.tiers.delay({ address: `198.51.${index}.1`, network: null }, 'key');
      }),
    );
    expect(server.product.tiers.delayed()).toBeLessThanOrEqual(200);
    expect(await signIns).toHaveLength(250);
    expect(server.product.tiers.delayed()).toBe(0);
  });

  it('of license keys do not delay administrators', async () => {
    await failures('key all', 100_000);
    expect(await server.product.tiers.delay({ address: '198.51.100.1', network: null }, 'admin')).toBe(0);
  });
});

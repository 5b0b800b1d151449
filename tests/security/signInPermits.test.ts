import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createSignInPermits, GUESSES, type GuessKind, type Permit, type SignInPermits } from '../../src/security/signInPermits.ts';
import { openDatabase } from '../support/stores.ts';

let db: Database;
let close: () => Promise<void>;
let one: SignInPermits;
let other: SignInPermits;
const errors: unknown[] = [];
const ADDRESS = 'ip:203.0.113.9';
const LIMIT = GUESSES.address;

beforeAll(async () => {
  const { databaseUrl, close: drop } = await openDatabase();
  const nodes = [1, 2].map(() => connectDatabase(databaseUrl, { onError: (error) => void errors.push(error) }).db);
  await migrate(nodes[0] as Database);
  db = nodes[0] as Database;
  [one, other] = nodes.map((node) =>
    createSignInPermits({ db: node, now: () => performance.now(), onError: (error) => void errors.push(error) }),
  ) as [SignInPermits, SignInPermits];
  close = async () => {
    one.close();
    other.close();
    for (const node of nodes) await node.destroy();
    await drop();
  };
});

afterAll(async () => {
  // Dropping the database may still end a connection of the pools.
  const found = [...errors];
  await close();
  expect(found).toEqual([]);
});

beforeEach(async () => {
  await db.deleteFrom('auth.sign_in_permit').execute();
  one.forget();
  other.forget();
});

/** As if so many seconds had passed. */
const pass = async (seconds: number): Promise<void> => {
  const earlier = (column: string) =>
    sql`array(select t - make_interval(secs => ${seconds}) from unnest(${sql.ref(column)}) t order by t)`;
  await sql`update auth.sign_in_permit set held = ${earlier('held')}, spent = ${earlier('spent')}`.execute(db);
  one.forget();
  other.forget();
};

const permitOf = async (permits: SignInPermits, kind: GuessKind = 'admin'): Promise<Permit> => {
  const permit = await permits.acquire(ADDRESS, kind);
  if (!permit.granted) throw new Error('refused');
  return permit;
};

/** Sends wrong guesses at the same time; resolves to how many were evaluated. */
const guess = async (count: number, kind: GuessKind, nodes: readonly SignInPermits[] = [one, other]): Promise<number> => {
  const evaluated = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const permit = await (nodes[index % nodes.length] ?? one).acquire(ADDRESS, kind);
      if (permit.granted) await permit.spend();
      return permit.granted;
    }),
  );
  return evaluated.filter(Boolean).length;
};

describe('permits to evaluate a guess', () => {
  it('are ten a minute for an address, whatever two nodes receive concurrently', async () => {
    expect(await guess(300, 'admin')).toBe(LIMIT);
    expect(await guess(50, 'admin')).toBe(0);
  });

  it('reserve two for administrators, and are ten in total', async () => {
    expect(await guess(100, 'key')).toBe(LIMIT - GUESSES.keptForAdministrators);
    expect(await guess(100, 'admin')).toBe(GUESSES.keptForAdministrators);
  });

  it('are available again one at a time, each a minute after its wrong guess', async () => {
    expect(await guess(4, 'admin')).toBe(4);
    await pass(30);
    expect(await guess(20, 'admin')).toBe(6);
    const refused = await one.acquire(ADDRESS, 'admin');
    expect(refused).toEqual({ granted: false, retryAfter: 30 });
    await pass(30);
    expect(await guess(20, 'admin')).toBe(4);
    await pass(30);
    expect(await guess(20, 'admin')).toBe(6);
  });

  it('are not consumed by correct keys', async () => {
    for (let signIn = 0; signIn < 3 * LIMIT; signIn++) await (await permitOf(signIn % 2 ? one : other)).refund();
    expect(await guess(20, 'admin')).toBe(LIMIT);
  });

  it('are awaited while other guesses of the address are evaluated, on any node', async () => {
    const right = Array.from({ length: 60 }, async (_, index) => {
      const permit = await (index % 2 ? one : other).acquire(ADDRESS, 'key');
      if (permit.granted) await permit.refund();
      return permit.granted;
    });
    expect(await Promise.all(right)).toEqual(Array.from({ length: 60 }, () => true));
    const held = await Promise.all(Array.from({ length: LIMIT }, () => permitOf(one)));
    const waiting = permitOf(other);
    await held[0]?.refund();
    await (await waiting).refund();
    await Promise.all(held.slice(1).map(({ refund }) => refund()));
  });

  it('are refused to waiting guesses once the evaluated ones were wrong', async () => {
    const held = await Promise.all(Array.from({ length: LIMIT }, () => permitOf(one)));
    const waiting = Promise.all(Array.from({ length: 100 }, () => one.acquire(ADDRESS, 'admin')));
    await Promise.all(held.map(({ spend }) => spend()));
    expect((await waiting).filter(({ granted }) => granted)).toEqual([]);
    expect(one.waiting()).toBe(0);
  });

  it('let a bounded number wait, and are refused to others without a statement', async () => {
    const held = await Promise.all(Array.from({ length: LIMIT }, () => permitOf(one)));
    const outcomes = Array.from({ length: 2_500 }, () => one.acquire(ADDRESS, 'admin'));
    expect(one.waiting()).toBeLessThanOrEqual(200);
    await Promise.all(held.map(({ spend }) => spend()));
    expect((await Promise.all(outcomes)).every(({ granted }) => !granted)).toBe(true);
  });

  it('of a crashed node are available again after a minute', async () => {
    const lost = await Promise.all(Array.from({ length: LIMIT }, () => permitOf(one)));
    await pass(61);
    expect(await guess(20, 'admin', [other])).toBe(LIMIT);
    await Promise.all(lost.map(({ refund }) => refund()));
    expect(await guess(20, 'admin', [other])).toBe(0);
  });

  it('are independent for each address', async () => {
    await guess(20, 'admin');
    expect(await one.acquire('ip:203.0.113.10', 'admin')).toMatchObject({ granted: true });
  });
});

import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { listenTo, type Notices } from '../../src/database/listen.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { CustomerId, IntegratorId, UserId } from '../../src/domain/ids.ts';
import { LIFETIME, type SessionOwner } from '../../src/security/session.ts';
import { SESSIONS_CHANNEL } from '../../src/security/sessionRows.ts';
import { createSessions, type Sessions } from '../../src/security/sessions.ts';
import { eventually } from '../support/eventually.ts';
import { openDatabase, type TestDatabase } from '../support/stores.ts';

const integratorId = '11111111-1111-4111-8111-111111111111' as IntegratorId;
const customerId = '22222222-2222-4222-8222-222222222222' as CustomerId;
const otherCustomerId = '22222222-2222-4222-8222-222222222223' as CustomerId;
const userId = '33333333-3333-4333-8333-333333333333' as UserId;
const customerOwner: SessionOwner = { kind: 'customer', customerId, integratorId };
const cliOwner: SessionOwner = { kind: 'cli', userId, customerId, integratorId, machine: null };

let stores: TestDatabase;
let db: Database;
const opened: { sessions: Sessions; notices: Notices }[] = [];
const errors: unknown[] = [];
const onError = (error: unknown) => void errors.push(error);

/** A node of its own: its own cache, its own connection for notices, and a clock that the test turns. */
const node = async () => {
  const clock = { at: Date.UTC(2026, 0, 31, 12) };
  const notices = listenTo(stores.databaseUrl, [SESSIONS_CHANNEL], { onError });
  const sessions = createSessions({ db, notices, now: () => clock.at, onError });
  await notices.start();
  opened.push({ sessions, notices });
  return { sessions, notices, clock };
};

beforeAll(async () => {
  stores = await openDatabase();
  ({ db } = connectDatabase(stores.databaseUrl, { onError }));
  await migrate(db);
});

// At once, since the last test cuts off all nodes that are still there.
afterEach(async () => {
  for (const { sessions, notices } of opened.splice(0)) {
    await sessions.close();
    await notices.close();
  }
});

afterAll(async () => {
  expect(errors).toEqual([]); // before the database goes: it cuts off connections that have not quite ended
  await db.destroy();
  await stores.close();
});

describe('a session', () => {
  it('is found by its token on every node, with its owner', async () => {
    const [a, b] = [await node(), await node()];
    const { token } = await a.sessions.open(cliOwner);
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    for (const { sessions } of [a, b]) {
      expect(await sessions.resolve(token)).toMatchObject({ found: true, session: { owner: cliOwner } });
    }
  });

  it('has how, where and when its user signed in, on every node', async () => {
    const [a, b] = [await node(), await node()];
    const client = { address: '203.0.113.7', browser: 'Chrome on Windows' };
    const { token, session } = await a.sessions.open({ kind: 'admin', userId }, { role: 'auditor', method: 'passkey', client });
    expect(session).toMatchObject({ method: 'passkey', client, authenticatedAt: a.clock.at });
    expect(await b.sessions.resolve(token)).toEqual({ found: true, session });
  });

  it('of a version before works, and was authenticated when it was opened', async () => {
    const { sessions, clock } = await node();
    const { token, session } = await sessions.open(customerOwner);
    const unknown = { method: null, address: null, browser: null, authenticated_at: null };
    await db.updateTable('auth.session').set(unknown).where('token_hash', '=', session.hash).execute();
    expect(await sessions.resolve(token)).toMatchObject({
      found: true,
      session: { method: null, client: { address: null, browser: null }, authenticatedAt: clock.at },
    });
  });

  it('is stored without its token', async () => {
    const { sessions } = await node();
    const { token } = await sessions.open(customerOwner);
    const rows = await db.selectFrom('auth.session').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('is not found by an invalid token', async () => {
    const { sessions } = await node();
    for (const token of ['', 'x', 'A'.repeat(43), `${'A'.repeat(42)}\0`, 'A'.repeat(100_000)]) {
      expect(await sessions.resolve(token)).toEqual({ found: false, ended: null, owner: null });
    }
  });

  it('is extended by use and expires without', async () => {
    const { sessions, clock } = await node();
    const { token } = await sessions.open({ kind: 'admin' });
    for (let used = 0; used < 4; used++) {
      clock.at += LIFETIME.admin.idle - 1;
      expect(await sessions.resolve(token)).toMatchObject({ found: true });
    }
    clock.at += LIFETIME.admin.idle + 120_000;
    expect(await sessions.resolve(token)).toMatchObject({ found: false, ended: null });
  });

  it('ends at its absolute lifetime', async () => {
    const { sessions, clock } = await node();
    const { token } = await sessions.open({ kind: 'admin' });
    const step = 20 * 60_000;
    for (let used = step; used < LIFETIME.admin.absolute; used += step) {
      clock.at += step;
      expect(await sessions.resolve(token)).toMatchObject({ found: true });
    }
    clock.at += step;
    expect(await sessions.resolve(token)).toMatchObject({ found: false });
  });
});

describe('ending sessions', () => {
  it('ends those of one customer on other nodes too, with the reason', async () => {
    const [a, b] = [await node(), await node()];
    const [mine, users, others] = await Promise.all([
      a.sessions.open(customerOwner),
      a.sessions.open(cliOwner),
      a.sessions.open({ ...customerOwner, customerId: otherCustomerId }),
    ]);
    for (const { token } of [mine, users, others]) await b.sessions.resolve(token);
    const notified = new Promise((resolve) => b.sessions.onEnded((match, reason) => resolve({ match, reason })));

    expect(await a.sessions.end({ customerId }, 'customer_suspended')).toBeGreaterThanOrEqual(2);

    expect(await notified).toEqual({ match: { customerId }, reason: 'customer_suspended' });
    for (const { sessions } of [a, b]) {
      expect(await sessions.resolve(mine.token)).toMatchObject({ found: false, ended: 'customer_suspended' });
      expect(await sessions.resolve(users.token)).toMatchObject({ found: false, ended: 'customer_suspended', owner: cliOwner });
      expect(await sessions.resolve(others.token)).toMatchObject({ found: true });
    }
  });

  it('can except the session of the request', async () => {
    const { sessions } = await node();
    const [kept, ended] = [await sessions.open(customerOwner), await sessions.open(customerOwner)];
    await sessions.end({ customerId, kind: 'customer', except: kept.session.hash }, 'password_changed');
    expect(await sessions.resolve(kept.token)).toMatchObject({ found: true });
    expect(await sessions.resolve(ended.token)).toMatchObject({ found: false, ended: 'password_changed' });
    expect(await sessions.alive([kept.session.hash, ended.session.hash])).toEqual(new Set([kept.session.hash]));
  });

  it('ends those of a key, and keeps those of named users and of tools with a device code', async () => {
    const [a, b] = [await node(), await node()];
    const customer = { ...cliOwner, customerId: '22222222-2222-4222-8222-222222222224' as CustomerId };
    const opened = {
      key: await a.sessions.open({ kind: 'admin' }),
      member: await a.sessions.open({ kind: 'admin', userId }, { role: 'owner', method: 'password' }),
      tool: await a.sessions.open(customer),
      device: await a.sessions.open(customer, { method: 'device_code' }),
    };
    const found = async () => {
      const results = Object.entries(opened).map(async ([name, { token }]) => [name, (await b.sessions.resolve(token)).found]);
      return Object.fromEntries(await Promise.all(results));
    };
    expect(await found()).toEqual({ key: true, member: true, tool: true, device: true });
    const notified = new Promise((resolve) => b.sessions.onEnded(({ customerId }) => customerId && resolve(true)));
    await a.sessions.end({ kind: 'admin', isByKey: true }, 'key_rotated');
    await a.sessions.end({ customerId: customer.customerId, isByKey: true }, 'key_rotated');
    await notified;
    expect(await found()).toEqual({ key: false, member: true, tool: false, device: true });
    await a.sessions.end({ customerId: customer.customerId, isByName: true }, 'sessions_revoked');
    await eventually(found, ({ device }) => device === false);
  });

  it('refuses to end all sessions without a condition', async () => {
    const { sessions } = await node();
    await expect(sessions.end({}, 'signed_out')).rejects.toThrow('in common');
  });

  it('does not use the cache while the notification connection is lost, and reloads all afterwards', async () => {
    const { sessions, notices } = await node();
    const { token, session } = await sessions.open(customerOwner);
    await sessions.resolve(token);
    const gap = new Promise<void>((resolve) => notices.onGap(resolve));
    const notified = new Promise((resolve) => sessions.onEnded((match, reason) => resolve({ match, reason })));
    const broken = errors.length;
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'latchkey-notices' and datname = current_database()`.execute(db);
    await db.updateTable('auth.session').set({ ended_at: new Date() }).where('token_hash', '=', session.hash).execute();
    await gap;
    errors.splice(broken);
    expect(await notified).toEqual({ match: {}, reason: null });
    expect(await sessions.resolve(token)).toMatchObject({ found: false });
  });
});

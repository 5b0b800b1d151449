import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openCheckpoint, originOf } from '../../src/auditLog/checkpoint.ts';
import { isConsistent } from '../../src/auditLog/proofs.ts';
import { newSigningKey } from '../../src/auditLog/signedNote.ts';
import { streams } from '../../src/commands/streams.ts';
import { STREAM_CATEGORIES } from '../../src/domain/events.ts';
import type { CredentialId } from '../../src/domain/ids.ts';
import type { StoredDigest } from '../../src/eventstore/port.ts';
import { type AuditLog, createAuditLog } from '../../src/projections/auditLog/auditLog.ts';
import { append, type LogItem, readLog } from '../../src/projections/auditLog/log.ts';
import { startAuditRunner } from '../../src/projections/auditLog/runner.ts';
import { type LogVerification, verifyLog } from '../../src/projections/auditLog/verifyLog.ts';
import type { Runner } from '../../src/projections/engine/runner.ts';
import { type DatabaseSession, openDatabaseSession } from '../../src/projections/engine/session.ts';
import { createAuditKeys } from '../../src/security/auditKeys.ts';
import { customerOwner } from '../../src/security/owner.ts';
import { naiveLeaf, naiveRoot } from '../auditLog/naiveTree.ts';
import { seatsAllocated } from '../support/builders/customer.ts';
import { createMemoryEventStore, type MemoryEventStore } from '../support/memoryEventStore.ts';
import { record } from './calls.ts';
import { appendEvents, eventually, openFixture } from './fixture.ts';
import { newCustomer } from './tenants.ts';

let store: MemoryEventStore;
let auditLog: AuditLog;
const fixture = openFixture((sealing) => {
  store = createMemoryEventStore(sealing);
  return store;
});

beforeAll(() => {
  const { db, sealing } = fixture;
  const keys = createAuditKeys({ db, sealing, newKey: (logId) => newSigningKey(originOf(logId)), now: () => Date.now() });
  auditLog = createAuditLog({ db, keys, now: () => Date.now() });
});

const runners: Runner[] = [];
const run = (): Runner => {
  const runner = startAuditRunner({
    databaseUrl: fixture.databaseUrl,
    events: fixture.events,
    signCheckpoint: auditLog.sign,
    node: 'test',
    now: () => Date.now(),
    random: () => 0,
    onError: () => undefined,
  });
  runners.push(runner);
  return runner;
};
const stopAll = async (): Promise<void> => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
};
afterEach(stopAll);

/** All events, as the log reads them. */
const recorded = async (): Promise<StoredDigest[]> => {
  const found: StoredDigest[] = [];
  const subscription = fixture.events.subscribeStored({ after: null, categories: STREAM_CATEGORIES });
  for await (const item of subscription) {
    if (item.kind === 'caughtUp') break;
    if (item.kind === 'stored') found.push(item.stored);
  }
  return found;
};

const digest = (bytes: Uint8Array | string): string =>
  typeof bytes === 'string' ? bytes : createHash('sha256').update(bytes).digest('base64');

/** The leaf as docs/audit-log.md defines it. */
const leafOf = ({ stream, revision, type, id, storedAt, data, metadata }: StoredDigest): Buffer => {
  const at = new Date(storedAt).toISOString();
  return naiveLeaf(
    Buffer.from(
      `["latchkey event v1","${stream}","${revision}","${type}","${id}","${at}","${digest(data)}","${digest(metadata)}"]`,
    ),
  );
};

const caughtUp = async (): Promise<void> => {
  const head = await fixture.events.head();
  await eventually(async () => ((await auditLog.status()).position ?? -1n) >= (head ?? 0n));
};

const verified = (): Promise<LogVerification> => {
  const { db, databaseUrl, events } = fixture;
  return verifyLog({ db, databaseUrl, events, auditLog, signal: new AbortController().signal, onProgress: () => undefined });
};

const rootNow = async (): Promise<Buffer> => {
  const { size } = await auditLog.status();
  const tree = await auditLog.tree(size);
  return (await tree?.root()) ?? Buffer.alloc(0);
};

const killSessions = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'latchkey-audit-log'`.execute(fixture.db);

const NO_PROBLEMS = { wrongEvents: [], wrongTiles: [], wrongCheckpoints: [] };

describe('the audit log', () => {
  it('has each event once, in order, although two nodes write it and their connections are killed', async () => {
    run();
    run();
    const { customerId } = await newCustomer(fixture);
    for (let batch = 0; batch < 30; batch++) {
      const seats = Array.from({ length: 20 }, (_, n) => seatsAllocated({ developerSeats: batch * 20 + n }));
      await appendEvents(fixture, streams.customer(customerId), seats);
      if (batch % 5 === 4) await killSessions();
    }
    await caughtUp();
    await stopAll();
    const events = await recorded();
    expect((await auditLog.status()).size).toBe(events.length);
    expect(events.length).toBeGreaterThan(600);
    expect(await rootNow()).toEqual(naiveRoot(events.map(leafOf)));
    expect(await verified()).toMatchObject({ ...NO_PROBLEMS, events: events.length, deleted: 0 });
  });

  it('is the same after a crash at any statement', async () => {
    const { customerId } = await newCustomer(fixture);
    const before = (await auditLog.status()).size;
    const seats = Array.from({ length: 300 }, (_, n) => seatsAllocated({ developerSeats: n }));
    await appendEvents(fixture, streams.customer(customerId), seats);
    const items: LogItem[] = (await recorded()).slice(before).map((stored) => ({ kind: 'stored', stored }));
    /** A session of a process that ends before the given statement. */
    const ending = (session: DatabaseSession, statement: number): DatabaseSession => {
      let count = 0;
      const next = async <Result>(work: () => Promise<Result>): Promise<Result> => {
        count += 1;
        if (count < statement) return work();
        await session.close();
        throw new Error('The process ended');
      };
      return {
        ...session,
        query: (text, values) => next(() => session.query(text, values)),
        execute: (text) => next(() => session.execute(text)),
      };
    };
    let statement = 1;
    for (let at = 0; at < items.length; statement++) {
      const session = await openDatabaseSession(fixture.databaseUrl, 'crash', { idle: 'forever' });
      const state = await readLog(session);
      const part = items.slice(state.size - before, state.size - before + 150);
      await append(ending(session, statement), state, part, 'test').catch(() => undefined);
      await session.close();
      at = (await auditLog.status()).size - before;
    }
    expect(statement).toBeGreaterThan(4);
    expect(await rootNow()).toEqual(naiveRoot((await recorded()).map(leafOf)));
  });

  it('still fits after personal data were erased and a stream was deleted', async () => {
    const { customerId } = await newCustomer(fixture, { name: 'Erased' });
    const credential = streams.credential(randomUUID() as CredentialId);
    await store.appendRaw(credential, 'CredentialDeleted', {});
    run();
    await caughtUp();
    await fixture.vault.destroy(customerOwner(customerId));
    await fixture.events.deleteStream(credential);
    expect(await verified()).toMatchObject({ ...NO_PROBLEMS, deleted: 1 });
  });

  it('signs checkpoints, of which each newer one begins with the older ones', async () => {
    run();
    const { customerId } = await newCustomer(fixture);
    await caughtUp();
    const older = await auditLog.sign();
    expect(await auditLog.sign()).toEqual(older);
    await record(fixture, customerId, [1, 5]);
    await caughtUp();
    const newer = await auditLog.sign();
    const keys = await auditLog.verifierKeys();
    const [before, after] = [openCheckpoint(older.note, keys), openCheckpoint(newer.note, keys)];
    if (!before || !after) throw new Error('No valid checkpoint');
    expect(after.size).toBe(before.size + 1);
    const tree = await auditLog.tree(after.size);
    expect(isConsistent(before, after, (await tree?.consistency(before.size)) ?? [])).toBe(true);
    expect(await auditLog.ofSize(before.size)).toEqual(older);
    expect(await auditLog.tree(after.size + 1)).toBeNull();
  });

  it('has a new key after a rotation, whose first checkpoint the former key signed too', async () => {
    const [former] = await auditLog.verifierKeys();
    const { note } = await auditLog.rotateKey();
    const keys = await auditLog.verifierKeys();
    expect(keys[1]).toBe(former);
    expect(openCheckpoint(note, keys)?.signedBy).toEqual(keys.slice(0, 2));
    await newCustomer(fixture);
    run();
    await caughtUp();
    expect(openCheckpoint((await auditLog.sign()).note, keys)?.signedBy).toEqual([keys[0]]);
  });
});

describe('an event store that was rolled back', () => {
  it('stops the log until it is confirmed; then all leaves stay, and new events follow', async () => {
    const before = await auditLog.status();
    const kept = (await recorded()).length;
    const { deleted } = await verified();
    await newCustomer(fixture);
    run();
    await caughtUp();
    await stopAll();
    const { size } = await auditLog.status();
    expect(size).toBe(before.size + 2);
    store.rollBackTo(kept);
    await newCustomer(fixture, { name: 'Instead' });
    run();
    await eventually(async () => (await auditLog.status()).error?.includes('latchkey-admin confirm-store'));
    expect((await auditLog.status()).size).toBe(size);
    await sql`update audit.log set position = null`.execute(fixture.db);
    await eventually(async () => (await auditLog.status()).error === null);
    await caughtUp();
    expect((await auditLog.status()).size).toBe(size + 2);
    expect(await verified()).toMatchObject({ ...NO_PROBLEMS, deleted: deleted + 2 });
  });
});

describe('the verification', () => {
  it('finds a changed event, a changed tile, and the checkpoints that do not fit', async () => {
    const { customerId } = await newCustomer(fixture);
    const seats = Array.from({ length: 300 }, (_, n) => seatsAllocated({ developerSeats: n }));
    await appendEvents(fixture, streams.customer(customerId), seats);
    run();
    await caughtUp();
    await stopAll();
    store.replaceRaw(streams.customer(customerId), 0n, { name: 'Forged' });
    expect((await verified()).wrongEvents).toMatchObject([
      { kind: 'changed', stream: streams.customer(customerId), revision: '0', type: 'CustomerRegistered' },
    ]);
    await sql`update audit.tile set hashes = overlay(hashes placing '\\x00'::bytea from 1) where level = 1`.execute(fixture.db);
    expect((await verified()).wrongTiles).toEqual(['1/0']);
    expect((await verified()).wrongCheckpoints.length).toBeGreaterThan(0);
  });
});

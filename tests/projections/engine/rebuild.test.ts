import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streams } from '../../../src/commands/streams.ts';
import { type HistoryRow, historyTable } from '../../../src/database/tables/history.ts';
import type { ConnectionId, CredentialId, CustomerId, IntegratorId, UserId } from '../../../src/domain/ids.ts';
import { completeBuild, createBuild, swapBuild, withLookUps } from '../../../src/projections/engine/builds.ts';
import type { ProjectionGroup } from '../../../src/projections/engine/projection.ts';
import { rebuild } from '../../../src/projections/engine/rebuild.ts';
import { openRowBuffer } from '../../../src/projections/engine/rowBuffer.ts';
import { type Runner, startRunner } from '../../../src/projections/engine/runner.ts';
import { type DatabaseSession, openDatabaseSession } from '../../../src/projections/engine/session.ts';
import { verify } from '../../../src/projections/engine/verify.ts';
import { customerOwner, integratorOwner } from '../../../src/security/owner.ts';
import { apiCallBatch, apiCallsJoined } from '../../support/builders/activity.ts';
import { credentialRevised, credentialStored, credentialTested } from '../../support/builders/credential.ts';
import {
  customerDeleted,
  customerDetailsChanged,
  customerSuspended,
  licenseIssued,
  seatClaimed,
  seatLimitsEnforced,
  seatReleased,
  seatsAllocated,
  themeAssigned,
  userDeactivated,
  userDetailsChanged,
  userMachineChanged,
  userRegistered,
  userRoleChanged,
} from '../../support/builders/customer.ts';
import { themeIdOf, userIdOf } from '../../support/builders/ids.ts';
import {
  brandingChanged,
  integratorChurned,
  integratorDeleted,
  integratorProfileChanged,
  integratorReactivated,
  masterLicenseIssued,
  masterLicenseKeyRotated,
  whiteLabelDisabled,
  whiteLabelEnabled,
} from '../../support/builders/integrator.ts';
import { themeActivated, themeCreated, themeDeactivated, themeMadeDefault, themeRevised } from '../../support/builders/theme.ts';
import { createMemoryEventStore, type MemoryEventStore } from '../../support/memoryEventStore.ts';
import { itAtLength } from '../../support/tiers.ts';
import { record, recordInstances } from '../calls.ts';
import { appendEvents, openFixture, plans, runnerDeps, settled } from '../fixture.ts';
import { newCustomer, newIntegrator } from '../tenants.ts';

let store: MemoryEventStore;
const fixture = openFixture((sealing) => {
  store = createMemoryEventStore(sealing);
  return store;
});
let runners: Runner[] = [];
const deleted: CustomerId[] = [];
let churned: IntegratorId;
let deletedIntegrator: IntegratorId;

const buildDeps = () => ({
  ...runnerDeps(fixture),
  signal: new AbortController().signal,
  onProgress: () => undefined,
  onParked: () => undefined,
});

/** Calls as they were stored while an event was of one source. */
const formerCalls = (customerId: CustomerId, userId: UserId) => ({
  ...{ customerId, userId, sourceId: 'laptop', firstSequence: 41 },
  ...{ instances: [['jira', 'https://acme.example']], operations: ['GET:/issue'], from: '2026-01-31T11:00:00.000Z' },
  ...{ instance: [0, null, 0], operation: [0, 0, 0], status: [200, 0, 0], durationMs: [1, 0, 2], after: [0, 0, 5], failed: [2] },
});

/** A customer to whom all that the read models know of happens, in appends of their own, so that live it is many batches. */
const live = async (integratorId: Awaited<ReturnType<typeof newIntegrator>>, name: string, theme: string) => {
  const { customerId } = await newCustomer(fixture, {
    integratorId,
    name,
    events: [licenseIssued(`LK-ENT-${name}`), seatsAllocated()],
  });
  const stream = streams.customer(customerId);
  const userId = userIdOf(name);
  const credentialId = randomUUID() as CredentialId;
  const connectionId = randomUUID() as ConnectionId;
  await appendEvents(fixture, stream, [
    userRegistered(name, { machineId: 'm-1' }),
    seatClaimed(name),
    themeAssigned(themeIdOf(theme)),
  ]);
  await appendEvents(fixture, streams.userActivity(userId), [
    { type: 'UserAuthenticated', data: { userId, customerId } },
    { type: 'UserConnected', data: { userId, customerId, connectionId, node: 'n' } },
  ]);
  await record(fixture, customerId, [1, 20], { missing: [3], call: { at: '2026-01-30T23:59:59.999Z', durationMs: 77 } });
  await appendEvents(fixture, stream, [customerDetailsChanged({ name: `${name} II`, company: null })], {
    at: '2026-02-01T00:00:00Z',
  });
  await record(fixture, customerId, [15, 40], { at: '2026-01-31T12:00:01.5Z' });
  await store.appendRaw(streams.apiCalls(customerId, '2026-01-31'), 'ApiCallsRecorded', formerCalls(customerId, userId));
  const flush = (sourceId: string, firstSequence: number) => apiCallBatch({ customerId, sourceId, firstSequence });
  await appendEvents(fixture, streams.apiCalls(customerId, '2026-01-31'), [
    apiCallsJoined(flush('laptop', 40), flush('build', 1), flush('laptop', 44), flush('build', 1), flush('build', 2)),
  ]);
  await appendEvents(fixture, streams.credential(credentialId), [
    credentialStored({ credentialId, customerId, expiresAt: '2027-01-01T00:00:00.123456Z' }),
  ]);
  await appendEvents(fixture, streams.credential(credentialId), [
    credentialTested(),
    credentialRevised({ customerId, password: 'new' }),
  ]);
  await appendEvents(fixture, stream, [
    userDetailsChanged(name, { username: `${name}-2` }),
    userRoleChanged(name, 'admin'),
    userMachineChanged(name, 'm-2'),
  ]);
  await appendEvents(fixture, stream, [userDeactivated(name), seatReleased(name), customerSuspended('Late')]);
  return { customerId, userId, credentialId };
};

/** An integrator to which all happens that the read models know of; a suspension was stored when reasons were not sealed. */
const liveIntegrator = async (companyName: string) => {
  const integratorId = await newIntegrator(fixture, companyName);
  const [stream, theme] = [streams.integrator(integratorId), randomUUID()];
  await appendEvents(fixture, stream, [masterLicenseIssued(`LK-SI-${companyName}`), whiteLabelEnabled()]);
  await appendEvents(fixture, streams.themes(integratorId), [
    themeCreated(theme),
    themeMadeDefault(theme),
    themeDeactivated(theme),
  ]);
  await store.appendRaw(stream, 'IntegratorSuspended', { reason: `${companyName} owes money` });
  await appendEvents(fixture, stream, [brandingChanged(), integratorProfileChanged({ companyName: `${companyName} II` })]);
  await appendEvents(fixture, streams.themes(integratorId), [themeActivated(theme), themeRevised(theme)]);
  await appendEvents(fixture, stream, [integratorReactivated('Paid'), masterLicenseKeyRotated()]);
  await appendEvents(fixture, stream, [integratorChurned(`${companyName} left`), whiteLabelDisabled()]);
  return integratorId;
};

const eraseIntegrator = async (integratorId: IntegratorId) => {
  await settled(fixture, 'read', await appendEvents(fixture, streams.integrator(integratorId), [integratorDeleted()]));
  await fixture.vault.destroy(integratorOwner(integratorId));
};

const erase = async ({ customerId, userId, credentialId }: Awaited<ReturnType<typeof live>>) => {
  const position = await appendEvents(fixture, streams.customer(customerId), [customerDeleted()]);
  deleted.push(customerId);
  await Promise.all([settled(fixture, 'read', position), settled(fixture, 'usage', position)]);
  await fixture.vault.destroy(customerOwner(customerId));
  for (const stream of [
    streams.userActivity(userId),
    streams.credential(credentialId),
    streams.apiCalls(customerId, '2026-01-31'),
  ]) {
    await fixture.events.deleteStream(stream);
  }
};

beforeAll(async () => {
  runners = Object.values(plans).map((plan) => startRunner(plan, runnerDeps(fixture)));
  const integratorId = await newIntegrator(fixture);
  const theme = randomUUID();
  await appendEvents(fixture, streams.themes(integratorId), [themeCreated(theme), themeMadeDefault(theme)]);
  const { customerId } = await live(integratorId, 'stays', theme);
  const gone = await live(integratorId, 'goes', theme);
  // So many that a build already writes earlier events when it receives the deletion.
  await appendEvents(
    fixture,
    streams.customer(customerId),
    Array.from({ length: 1_100 }, () => seatLimitsEnforced()),
  );
  await appendEvents(fixture, streams.themes(integratorId), [themeRevised(theme, { displayName: 'Revised' })]);
  await erase(gone);
  churned = await liveIntegrator('Stayer');
  deletedIntegrator = await liveIntegrator('Leaver');
  await eraseIntegrator(deletedIntegrator);
  await live(integratorId, 'follows', theme);
  // More instances than are counted by themselves, in another order the second time.
  for (const from of [1, 701, 1_401, 2_101]) await recordInstances(fixture, customerId, [from, from + 699]);
  await recordInstances(fixture, customerId, [1_900, 2_500], { firstSequence: 5_000 });
  const position = (await newCustomer(fixture)).position;
  await Promise.all([settled(fixture, 'read', position), settled(fixture, 'usage', position)]);
});

const stopRunners = async (): Promise<void> => {
  await Promise.all(runners.map((runner) => runner.stop()));
  runners = [];
};
afterAll(stopRunners);

describe.each(Object.values(plans))('the rebuilt read models of $name', (plan: ProjectionGroup) => {
  it('have the same rows, even for a customer whose keys and streams are deleted', async () => {
    const verification = await verify(plan, buildDeps());
    expect(verification.differences).toEqual([]);
    expect(verification.tables).toBeGreaterThan(5);
    const { rows } = await sql<{ found: string | null }>`select to_regnamespace(${`${plan.schema}_verify`})::text as found`.execute(
      fixture.db,
    );
    expect(rows[0]?.found).toBeNull();
  });

  itAtLength('have the same indexes, keys and settings by the same names', async () => {
    const shape = async (): Promise<unknown> => {
      const { rows } = await sql`
        select r.relname as relation, x.relname as name, pg_get_indexdef(i.indexrelid) as definition, r.reloptions as options
        from pg_index i join pg_class r on r.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
        where r.relnamespace = to_regnamespace(${plan.schema}) order by 1, 2`.execute(fixture.db);
      return rows;
    };
    const before = await shape();
    expect(await rebuild(plan, buildDeps(), { afresh: true })).toBe(true);
    expect(await shape()).toEqual(before);
  });

  it('have an index for each look-up of a batch', async () => {
    const { rows } = await sql<{ name: string }>`
      select indexname as name from pg_indexes where schemaname = ${plan.schema}`.execute(fixture.db);
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining([...plan.lookUpIndexes]));
  });

  it('replace the former ones while the runner continues', async () => {
    expect(await rebuild(plan, buildDeps(), { afresh: true })).toBe(true);
    const { customerId, position } = await newCustomer(fixture);
    await settled(fixture, plan.schema, position);
    expect((await verify(plan, buildDeps())).differences).toEqual([]);
    await settled(fixture, 'read', position);
    expect(await fixture.queries.customers.get(customerId)).not.toBeNull();
  });
});

describe('a build', () => {
  const schema = 'read_look_ups';
  const sparse = [...plans.main.sparseIndexes].sort();
  let session: DatabaseSession;
  const indexesOf = async (of: string): Promise<string[]> => {
    const rows = await session.query<{ name: string }>(
      `select indexname as name from pg_indexes where schemaname = $1 and indexname not in
         (select conname from pg_constraint where connamespace = to_regnamespace($1)) order by indexname`,
      [of],
    );
    return rows.map(({ name }) => name);
  };
  beforeAll(async () => {
    session = await openDatabaseSession(fixture.databaseUrl, 'test', { idle: 'forever' });
    await createBuild(session, plans.main, schema);
  });
  afterAll(async () => {
    await session.execute(`drop schema if exists ${schema} cascade`);
    await session.close();
  });

  it('has an index by which rows are looked up from the first look-up on, and again after a rollback', async () => {
    expect(await indexesOf(schema)).toEqual(sparse);
    const building = await withLookUps(session, plans.main, schema);
    const lookUp = async (): Promise<void> => {
      const history = openRowBuffer<HistoryRow>(historyTable, building, schema);
      history.preload('1', '1');
      history.preloadBy('customer_id', randomUUID());
      await history.load();
    };
    const withLookUp = [...sparse, 'history_of_customer'].sort();
    await session.execute('begin');
    await lookUp();
    expect(await indexesOf(schema)).toEqual(withLookUp);
    await session.execute('rollback');
    expect(await indexesOf(schema)).toEqual(sparse);
    await lookUp();
    await lookUp();
    expect(await indexesOf(schema)).toEqual(withLookUp);
  });

  it('has all indexes once it is complete', async () => {
    await completeBuild([session], plans.main, schema);
    expect(await indexesOf(schema)).toEqual(await indexesOf('read'));
  });

  it('waits for an ANALYZE of one of its tables before it serves, instead of a deadlock', async () => {
    const analyzing = await openDatabaseSession(fixture.databaseUrl, 'test', { idle: 'forever' });
    const build = 'read_analyzed';
    try {
      await createBuild(session, plans.main, build);
      const { store, last_stream, last_revision, last_event, last_position } = await fixture.db
        .selectFrom('read.checkpoint')
        .selectAll()
        .executeTakeFirstOrThrow();
      await session.query(
        `update ${build}.checkpoint set store = $1, last_stream = $2, last_revision = $3, last_event = $4, last_position = $5`,
        [store, last_stream, last_revision, last_event, last_position],
      );
      await analyzing.execute(`begin; lock table ${build}.history in share update exclusive mode`);
      const swapped = swapBuild(session, plans.main, build);
      swapped.catch(() => undefined);
      await expect
        .poll(() => analyzing.execute(`select 1 from pg_locks where not granted and relation = '${build}.history'::regclass`))
        .toHaveLength(1);
      await analyzing.execute(`analyze ${build}.history; commit`);
      expect(await swapped).toBe(true);
    } finally {
      await analyzing.close();
      await rebuild(plans.main, buildDeps(), { afresh: true });
    }
  });
});

describe('the history of service integrators', () => {
  const historyOf = async (integratorId: IntegratorId) =>
    (
      await fixture.queries.history.of(
        { integratorId },
        { limit: 100 },
        { kind: 'admin', team: fixture.queries.team, apiTokens: fixture.queries.apiTokens },
      )
    ).history;

  it('is complete once the read models of a former version without it are rebuilt', async () => {
    const before = [await historyOf(churned), await historyOf(deletedIntegrator)];
    expect(before.map((entries) => entries.length)).toEqual([15, 16]);
    await fixture.db.deleteFrom('read.history').where('category', '=', 'integrator').execute();
    await fixture.db.updateTable('read.history').set({ integrator_id: null }).execute();
    await fixture.db
      .updateTable('read.checkpoint')
      .set({ version: plans.main.version - 1 })
      .execute();
    expect(await historyOf(churned)).toEqual([]);
    expect(await rebuild(plans.main, buildDeps(), { afresh: false })).toBe(true);
    expect([await historyOf(churned), await historyOf(deletedIntegrator)]).toEqual(before);
    expect(JSON.stringify(before[0])).toContain('Stayer owes money');
    expect(JSON.stringify(before[1])).not.toMatch(/Leaver|Paid|@partner/);
  });
});

describe('a verification', () => {
  // A runner that restarts after a rebuild would find and mend a changed checkpoint.
  beforeAll(stopRunners);

  it('finds a modified row', async () => {
    await fixture.db.updateTable('read.customer').set({ developer_seats: 999 }).where('name', '=', 'stays II').execute();
    const { differences } = await verify(plans.main, buildDeps());
    expect(differences).toEqual([{ table: 'customer', onlyServing: 1, onlyRebuilt: 1 }]);
    await fixture.db.updateTable('read.customer').set({ developer_seats: 10 }).where('name', '=', 'stays II').execute();
  });

  it.each([
    { name: 'another event store', store: 'another', last_event: randomUUID(), last_position: 9_000_000_000 },
    { name: 'a store that was rolled back', last_position: 9_000_000_000 },
  ])('is refused for the read models of $name, which it would wait for', async ({ name: _, ...changed }) => {
    const { store, last_event, last_position } = await fixture.db
      .selectFrom('read.checkpoint')
      .select(['store', 'last_event', 'last_position'])
      .executeTakeFirstOrThrow();
    await fixture.db.updateTable('read.checkpoint').set(changed).execute();
    await expect(verify(plans.main, buildDeps())).rejects.toThrow('cannot be verified yet');
    await fixture.db.updateTable('read.checkpoint').set({ store, last_event, last_position }).execute();
    expect((await verify(plans.main, buildDeps())).differences).toEqual([]);
  });
});

describe('a deleted customer', () => {
  it('leaves only its history and its tombstone', async () => {
    const tables = await sql<{ name: string }>`
      select table_schema || '.' || table_name as name from information_schema.columns
      where table_schema in ('read', 'usage') and column_name = 'customer_id' order by 1`.execute(fixture.db);
    const left: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await sql`select 1 from ${sql.table(name)} where customer_id = any(${deleted}::uuid[]) limit 1`.execute(
        fixture.db,
      );
      if (rows.length > 0) left.push(name);
    }
    expect(left).toEqual(['read.history', 'read.theme_span', 'usage.deleted']);
    const { rows } = await sql<{
      text: string;
    }>`select h::text as text from read.history h where customer_id = any(${deleted}::uuid[])`.execute(fixture.db);
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.map(({ text }) => text).join('\n')).not.toMatch(/goes|ops@acme|Acme Inc|m-1|m-2/);
  });
});

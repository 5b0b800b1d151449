import { CHANGED_CHANNEL, EVERYTHING_CHANGED, POSITION_CHANNEL } from './changes.ts';
import { type ProjectionCheckpoint, readCheckpoint } from './checkpoint.ts';
import type { ProjectionGroup } from './projection.ts';
import type { DatabaseSession } from './session.ts';

/** A build of a group's read models is a schema: rows, checkpoint and parked events, which live and go together. */
export const nextSchemaOf = ({ schema }: ProjectionGroup): string => `${schema}_next`;

const tablesOf = async (session: DatabaseSession, schema: string): Promise<{ name: string; options: string | null }[]> =>
  session.query<{ name: string; options: string | null }>(
    `select relname as name, array_to_string(reloptions, ', ') as options from pg_class
     where relnamespace = to_regnamespace($1) and relkind = 'r' order by pg_relation_size(oid) desc, relname`,
    [schema],
  );

export const buildExists = async (session: DatabaseSession, schema: string): Promise<boolean> =>
  (await tablesOf(session, schema)).length > 0;

const constraintsOf = (session: DatabaseSession, schema: string) =>
  session.query<{ relation: string; name: string; definition: string }>(
    `select r.relname as relation, c.conname as name, pg_get_constraintdef(c.oid) as definition
     from pg_constraint c join pg_class r on r.oid = c.conrelid
     where c.connamespace = to_regnamespace($1) and c.contype in ('p', 'u', 'c') order by c.conname`,
    [schema],
  );

const indexesOf = (session: DatabaseSession, schema: string) =>
  session.query<{ relation: string; column: string; name: string; definition: string }>(
    `select r.relname as relation, pg_get_indexdef(i.indexrelid, 1, false) as column, x.relname as name,
       pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class r on r.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
     where r.relnamespace = to_regnamespace($1) and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)
     order by i.indexrelid`,
    [schema],
  );

type Index = Awaited<ReturnType<typeof indexesOf>>[number];

/** The statements that give a build the indexes of the one that serves. */
const indexing = (indexes: readonly Index[], group: ProjectionGroup, schema: string): string[] =>
  indexes.map(({ definition }) => definition.replace(` ON ${group.schema}.`, ` ON ${schema}.`));

/**
 * Creates an empty build with the tables and keys of the serving schema, and only the indexes of few rows: updating others costs more than
 * creating them later. An existing schema of that name is dropped.
 */
export const createBuild = async (
  session: DatabaseSession,
  group: ProjectionGroup,
  schema: string,
): Promise<ProjectionCheckpoint> => {
  const tables = await tablesOf(session, group.schema);
  const constraints = await constraintsOf(session, group.schema);
  const sparse = (await indexesOf(session, group.schema)).filter(({ name }) => group.sparseIndexes.has(name));
  const statements = [
    `drop schema if exists ${schema} cascade`,
    `create schema ${schema}`,
    ...tables.map(
      ({ name, options }) => `create table ${schema}.${name} (like ${group.schema}.${name} including defaults including generated
        including storage including compression) ${options ? `with (${options})` : ''}`,
    ),
    ...constraints.map(
      ({ relation, name, definition }) => `alter table ${schema}.${relation} add constraint ${name} ${definition}`,
    ),
    ...indexing(sparse, group, schema),
    `insert into ${schema}.checkpoint (version) values (${group.version})`,
  ];
  await session.execute(['begin', ...statements, 'commit'].join('; '));
  return readCheckpoint(session, schema);
};

/**
 * The session of a build, which creates an index when rows are first looked up by it: a build that erases nothing needs none, and one that
 * does creates it from the rows so far. It is created with the batch, and again if that is rolled back.
 */
export const withLookUps = async (session: DatabaseSession, group: ProjectionGroup, schema: string): Promise<DatabaseSession> => {
  const creations = new Map<string, string>();
  for (const { relation, column, name, definition } of await indexesOf(session, group.schema)) {
    if (!group.lookUpIndexes.has(name)) continue;
    const [creation = ''] = indexing([{ relation, column, name, definition }], group, schema);
    creations.set(`${relation}.${column}`, creation.replace(/^CREATE INDEX /, 'CREATE INDEX IF NOT EXISTS '));
  }
  return {
    ...session,
    // An error fails the transaction, and its commit reports it.
    beforeLookUp: (table, column) => {
      const creation = creations.get(`${table}.${column}`);
      if (creation) void session.execute(creation).catch(() => undefined);
    },
  };
};

const WAKE_EVERY_MS = 10_000;

/**
 * Completes a build before it serves: creates all indexes, and analyzes the tables. The sessions share the statements, those of large
 * tables first; a session without work is kept alive until all are done. May be repeated.
 */
export const completeBuild = async (
  sessions: readonly DatabaseSession[],
  group: ProjectionGroup,
  schema: string,
): Promise<void> => {
  const [session] = sessions;
  if (!session) return;
  const there = new Set((await indexesOf(session, schema)).map(({ name }) => name));
  const missing = (await indexesOf(session, group.schema)).filter(({ name }) => !there.has(name));
  const tables = (await tablesOf(session, schema)).map(({ name }) => name);
  const creations = tables.flatMap((table) =>
    indexing(
      missing.filter(({ relation }) => relation === table),
      group,
      schema,
    ),
  );
  // Sessions may create indexes of one table at the same time, but an ANALYZE waits for those of its table.
  const statements = [...creations, ...tables.map((table) => `analyze ${schema}.${table}`)];
  const work = async (worker: DatabaseSession): Promise<void> => {
    // Parallel workers sort in files and take 1.5 times the CPU time of one process, which sorts in memory. The sessions already use two cores.
    await worker.execute('set max_parallel_maintenance_workers = 0');
    for (let statement = statements.shift(); statement; statement = statements.shift()) await worker.execute(statement);
  };
  const stayAwake = (): void => {
    for (const worker of sessions) void worker.execute('select 1').catch(() => undefined); // a lost connection fails its worker
  };
  const timer = setInterval(stayAwake, WAKE_EVERY_MS);
  try {
    await Promise.all(sessions.map(work));
  } finally {
    clearInterval(timer);
  }
};

/** Empties a build, as its rows are those of another event store. */
export const resetBuild = async (
  session: DatabaseSession,
  group: ProjectionGroup,
  schema: string,
  store: string | null,
): Promise<ProjectionCheckpoint> => {
  const tables = (await tablesOf(session, schema)).filter(({ name }) => name !== 'checkpoint');
  await session.execute(`begin;
    select 1 from ${schema}.checkpoint for update;
    truncate ${tables.map(({ name }) => `${schema}.${name}`).join(', ')};
    update ${schema}.checkpoint set version = ${group.version}, store = ${store === null ? 'null' : session.literal(store)},
      position = null, last_stream = null, last_revision = null, last_event = null, last_position = null,
      events = 0, epoch = epoch + 1;
    ${everythingChanged(session, group, null)};
    commit`);
  return readCheckpoint(session, schema);
};

/** The statement that announces a change of everything, and the group's position. */
export const everythingChanged = (session: DatabaseSession, group: ProjectionGroup, position: bigint | null): string => {
  const reached = String(position ?? 0n);
  const payload = JSON.stringify({ position: reached, changes: [EVERYTHING_CHANGED] });
  const notify = (channel: string, text: string) => `select pg_notify(${session.literal(channel)}, ${session.literal(text)})`;
  return [notify(CHANGED_CHANNEL, payload), ...(group.awaited ? [notify(POSITION_CHANNEL, reached)] : [])].join('; ');
};

/**
 * Lets a build serve in place of the one that does, unless that one knows a newer event. A runner on the old build notices by the
 * checkpoint and begins again. Grants and row-level security come with it. Waits at most three seconds for readers of the old tables; throws when they do not finish.
 */
export const swapBuild = async (session: DatabaseSession, group: ProjectionGroup, schema: string): Promise<boolean> => {
  const tables = await tablesOf(session, schema);
  await session.execute(`begin; set local lock_timeout = '3s'; lock table ${group.schema}.checkpoint in access exclusive mode`);
  try {
    const [live, next] = [await readCheckpoint(session, group.schema), await readCheckpoint(session, schema)];
    const sameStore = live.store === next.store;
    if (sameStore && live.last && (!next.last || next.last.position < live.last.position)) {
      await session.execute('rollback');
      return false;
    }
    // First, as an ANALYZE by autovacuum holds a lock on its table and waits for those who change the table's entry in the catalog.
    await session.execute(`lock table ${tables.map(({ name }) => `${schema}.${name}`).join(', ')} in access exclusive mode`);
    await session.execute(`drop schema ${group.schema} cascade; alter schema ${schema} rename to ${group.schema};
      call tenant.protect('${group.schema}'); ${everythingChanged(session, group, next.position)}; commit`);
    return true;
  } catch (error) {
    await session.execute('rollback').catch(() => undefined);
    throw error;
  }
};

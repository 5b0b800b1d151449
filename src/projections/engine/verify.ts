import type { Position } from '../../eventstore/port.ts';
import { createBuild, withLookUps } from './builds.ts';
import { beginLocked, type ProjectionCheckpoint, readCheckpoint } from './checkpoint.ts';
import { follow, type ProjectionProgress } from './follow.ts';
import { tryLock } from './lock.ts';
import type { ProjectionGroup } from './projection.ts';
import type { BuildDeps } from './rebuild.ts';
import { type DatabaseSession, openDatabaseSession } from './session.ts';
import { checkStore } from './storeCheck.ts';

type Difference = Readonly<{ table: string; onlyServing: number; onlyRebuilt: number }>;
export type Verification = Readonly<{ position: bigint | null; tables: number; differences: readonly Difference[] }>;

const NOT_COMPARED = ['checkpoint', 'parked'];

const compare = async (
  session: DatabaseSession,
  group: ProjectionGroup,
  rebuilt: string,
): Promise<Omit<Verification, 'position'>> => {
  const tables = await session.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = to_regnamespace($1) and relkind = 'r' and relname <> all($2::text[])
     order by relname`,
    [group.schema, [...NOT_COMPARED, ...group.transient]],
  );
  const differences: Difference[] = [];
  for (const { name } of tables) {
    const only = (one: string, other: string): string =>
      `(select count(*) from (select t::text from ${one}.${name} t except all select t::text from ${other}.${name} t) as d)`;
    const [found] = await session.execute<Omit<Difference, 'table'>>(
      `select ${only(group.schema, rebuilt)} as "onlyServing", ${only(rebuilt, group.schema)} as "onlyRebuilt"`,
    );
    if (found && (found.onlyServing > 0 || found.onlyRebuilt > 0)) differences.push({ table: name, ...found });
  }
  return { tables: tables.length, differences };
};

/** The rebuild would wait for an event that this store does not have, while the group's runner waits for the end of the rebuild. */
const notComparable = ({ name }: ProjectionGroup, reason: string): Error =>
  new Error(
    `The read models of ${name} cannot be verified yet: ${reason}. Run a server with the role projector, and verify again once its health check 'projections' is ok.`,
  );

/**
 * Rebuilds a group's read models in a separate schema, up to the checkpoint of the serving ones, and compares every row. The group's
 * runner waits while the rebuild follows what was applied since it began, and the rows are compared. Parked streams are excluded on both
 * sides. Throws if the serving read models are not those of this event store, or are replaced during the rebuild.
 */
export const verify = async (group: ProjectionGroup, deps: BuildDeps): Promise<Verification> => {
  const schema = `${group.schema}_verify`;
  const building = await openDatabaseSession(deps.ownerUrl, `latchkey-verify-${group.name}`, { idle: 'a while' });
  const holding = await openDatabaseSession(deps.ownerUrl, `latchkey-verify-${group.name}`, { idle: 'forever' });
  try {
    if (!(await tryLock(building, schema))) throw new Error(`${group.name} is already being verified`);
    const fresh = await createBuild(building, group, schema);
    const following = { ...deps, session: await withLookUps(building, group, schema), schema, group, announcer: null };
    let checkpoint: ProjectionCheckpoint = { ...fresh, store: await deps.events.identity() };
    const followTo = async (target: Position | null): Promise<void> => {
      const reached = checkpoint.last?.position ?? null;
      if (target === null || reached === target) return;
      if (reached !== null && target < reached) throw notComparable(group, 'they are being rebuilt');
      // A scavenge may have removed the event at the target.
      const isDone = async ({ caughtUp }: ProjectionProgress, { last }: ProjectionCheckpoint) =>
        caughtUp || last?.position === target;
      checkpoint = await follow({ ...following, checkpoint, upTo: target, isDone });
    };
    const serving = await readCheckpoint(holding, group.schema);
    const { differs } = await checkStore(deps.events, serving);
    if (differs !== null) throw notComparable(group, 'they are those of another event store, or of an earlier state of it');
    await followTo(serving.last?.position ?? null);
    const locked = await beginLocked(holding, group.schema);
    if (locked.checkpoint.store !== serving.store) throw notComparable(group, 'they are being rebuilt');
    const target = locked.checkpoint.last?.position ?? null;
    await followTo(target);
    return { position: target, ...(await compare(holding, group, schema)) };
  } finally {
    await holding.close();
    await building.execute(`drop schema if exists ${schema} cascade`).catch(() => undefined);
    await building.close();
  }
};

import type { EventStore } from '../../eventstore/port.ts';
import { buildExists, completeBuild, createBuild, nextSchemaOf, swapBuild, withLookUps } from './builds.ts';
import { type ParkedEvent, type ProjectionCheckpoint, readCheckpoint } from './checkpoint.ts';
import { follow, type ProjectionProgress } from './follow.ts';
import { tryLock } from './lock.ts';
import type { ProjectionGroup } from './projection.ts';
import { type DatabaseSession, openDatabaseSession } from './session.ts';
import { checkStore } from './storeCheck.ts';

/** What a rebuild needs. */
export type BuildDeps = Readonly<{
  /** Logs in as the owner of the read models, as a build creates and drops schemas. */
  ownerUrl: string;
  events: EventStore;
  node: string;
  /** ms since 1970 */
  now: () => number;
  signal: AbortSignal;
  onProgress: (progress: ProjectionProgress) => void;
  onParked: (event: ParkedEvent) => void;
}>;

/** Continues a build that an earlier attempt left, if it has the same version and event store. */
const begunBuild = async (
  session: DatabaseSession,
  group: ProjectionGroup,
  schema: string,
  events: EventStore,
  afresh: boolean,
): Promise<ProjectionCheckpoint> => {
  if (!afresh && (await buildExists(session, schema))) {
    const begun = await readCheckpoint(session, schema);
    const { differs, store } = await checkStore(events, begun);
    if (begun.version === group.version && !differs) return { ...begun, store };
  }
  const fresh = await createBuild(session, group, schema);
  return { ...fresh, store: await events.identity() };
};

/** With two sessions, since PostgreSQL uses a second core for them. */
const complete = async (session: DatabaseSession, group: ProjectionGroup, schema: string, ownerUrl: string): Promise<void> => {
  const second = await openDatabaseSession(ownerUrl, `latchkey-rebuild-${group.name}`, { idle: 'a while' });
  try {
    await completeBuild([session, second], group, schema);
  } finally {
    await second.close();
  }
};

/**
 * Builds a group's read models in a separate schema, and swaps the schemas once the build has caught up. Resolves to false if another
 * node is rebuilding them, or when aborted.
 */
export const rebuild = async (group: ProjectionGroup, deps: BuildDeps, { afresh }: { afresh: boolean }): Promise<boolean> => {
  const schema = nextSchemaOf(group);
  const session = await openDatabaseSession(deps.ownerUrl, `latchkey-rebuild-${group.name}`, { idle: 'a while' });
  try {
    if (!(await tryLock(session, schema))) return false;
    let isComplete = false;
    let swapped = false;
    await follow({
      ...deps,
      session: await withLookUps(session, group, schema),
      schema,
      group,
      checkpoint: await begunBuild(session, group, schema, deps.events, afresh),
      announcer: null,
      isDone: async ({ caughtUp }) => {
        if (!caughtUp) return false;
        if (!isComplete) await complete(session, group, schema, deps.ownerUrl);
        isComplete = true;
        swapped = await swapBuild(session, group, schema);
        return swapped;
      },
    });
    return swapped;
  } finally {
    await session.close();
  }
};

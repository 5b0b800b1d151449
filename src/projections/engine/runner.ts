import { setTimeout as sleep } from 'node:timers/promises';
import { type EventStore, pauseAfter } from '../../eventstore/port.ts';
import { backoffMs, withJitter } from '../../flow/backoff.ts';
import { createAnnouncer } from './announcer.ts';
import { everythingChanged, resetBuild } from './builds.ts';
import { type ParkedEvent, type ProjectionCheckpoint, readCheckpoint, Superseded } from './checkpoint.ts';
import { follow, type ProjectionProgress } from './follow.ts';
import type { GroupName } from './groups.ts';
import { tryLock } from './lock.ts';
import type { ProjectionGroup } from './projection.ts';
import { rebuild } from './rebuild.ts';
import { type DatabaseSession, openDatabaseSession } from './session.ts';
import { checkStore } from './storeCheck.ts';

/** What a runner does, as it happens. */
export type Notice = Readonly<{ group: GroupName }> &
  (
    | Readonly<{ kind: 'leading' | 'caughtUp' | 'stopped' }>
    /** Another node writes this group; this one takes over when the other stops. */
    | Readonly<{ kind: 'following' }>
    /** A newer version of the product has taken over: this node no longer writes. */
    | Readonly<{ kind: 'outdated'; version: number; running: number }>
    | Readonly<{ kind: 'rebuilding'; progress: ProjectionProgress }>
    | Readonly<{ kind: 'rebuilt' }>
    | Readonly<{ kind: 'storeDiffers'; reason: string }>
    | Readonly<{ kind: 'parked'; event: ParkedEvent }>
    | Readonly<{ kind: 'lost'; error: unknown; retryInMs: number }>
  );

/** What a runner needs. */
export type RunnerDeps = Readonly<{
  /** Writes every row of the read models. */
  databaseUrl: string;
  /** Logs in as the owner of the read models: rebuilds only. */
  ownerUrl: string;
  events: EventStore;
  /** Names this process in the health checks. */
  node: string;
  /** ms since 1970 */
  now: () => number;
  /** From 0 up to 1, for jitter. */
  random: () => number;
  onNotice: (notice: Notice) => void;
}>;

export type Runner = Readonly<{
  /** Ends after the batch that is under way. */
  stop: () => Promise<void>;
}>;

const LOOK_AGAIN_MS = 1_000;
const BACKOFF = { firstMs: 100, mostMs: 5_000 } as const;

/**
 * Runs a group until it is stopped: takes the group's lock or waits for it, checks that the read models are of this version and
 * this event store, and follows the store from their checkpoint. Lost connections are retried with backoff.
 */
export const startRunner = (group: ProjectionGroup, deps: RunnerDeps): Runner => {
  const { databaseUrl, ownerUrl, events, node, now, random } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const notice = (what: DistributiveOmit<Notice, 'group'>): void => deps.onNotice({ group: group.name, ...what });
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);
  const onParked = (event: ParkedEvent): void => notice({ kind: 'parked', event });

  /** Waits for the lock; false if the runner is stopped first. */
  const becomeLeader = async (session: DatabaseSession): Promise<boolean> => {
    let isNoticed = false;
    while (!signal.aborted) {
      if (await tryLock(session, group.schema)) return true;
      if (!isNoticed) notice({ kind: 'following' });
      isNoticed = true;
      await pause(withJitter(LOOK_AGAIN_MS, random));
    }
    return false;
  };

  /** The checkpoint to continue from; null if the read models are of another version. */
  const usable = async (session: DatabaseSession): Promise<ProjectionCheckpoint | null> => {
    const found = await readCheckpoint(session, group.schema);
    if (found.version !== group.version && found.position !== null) return null;
    const { store, differs } = await checkStore(events, found);
    if (!differs) return adopted(session, group, { ...found, store });
    notice({ kind: 'storeDiffers', reason: differs });
    return resetBuild(session, group, group.schema, store);
  };

  const lead = async (session: DatabaseSession, checkpoint: ProjectionCheckpoint): Promise<void> => {
    const announcer = createAnnouncer({
      everyMs: group.announceEveryMs,
      awaited: group.awaited,
      slow: group.slowTopics,
      now,
    });
    await session.execute(everythingChanged(session, group, checkpoint.position)); // changes that the last leader did not announce
    notice({ kind: 'leading' });
    let isNoticed = false;
    await follow({
      session,
      schema: group.schema,
      group,
      events,
      node,
      now,
      checkpoint,
      announcer,
      signal,
      onParked,
      onProgress: ({ caughtUp }) => {
        if (caughtUp && !isNoticed) notice({ kind: 'caughtUp' });
        isNoticed ||= caughtUp;
      },
    });
  };

  const renew = async (): Promise<void> => {
    const onProgress = (progress: ProjectionProgress): void => notice({ kind: 'rebuilding', progress });
    const swapped = await rebuild(group, { ownerUrl, events, node, now, signal, onProgress, onParked }, { afresh: false });
    if (swapped) notice({ kind: 'rebuilt' });
    else await pause(withJitter(LOOK_AGAIN_MS, random));
  };

  const run = async (session: DatabaseSession): Promise<'go on' | 'renew' | 'outdated'> => {
    if (!(await becomeLeader(session))) return 'go on';
    const checkpoint = await usable(session);
    if (checkpoint) {
      await lead(session, checkpoint);
      return 'go on';
    }
    const { version } = await readCheckpoint(session, group.schema);
    if (version < group.version) return 'renew';
    notice({ kind: 'outdated', version: group.version, running: version });
    return 'outdated';
  };

  const once = async (): Promise<void> => {
    const session = await openDatabaseSession(databaseUrl, `latchkey-projector-${group.name}`);
    let next: Awaited<ReturnType<typeof run>>;
    try {
      next = await run(session);
    } finally {
      await session.close();
    }
    if (next === 'renew') await renew();
    if (next === 'outdated') await pause(withJitter(BACKOFF.mostMs, random));
  };

  const forEver = async (): Promise<void> => {
    let failures = 0;
    while (!signal.aborted) {
      const startedAt = now();
      try {
        await once();
      } catch (error) {
        if (signal.aborted) break;
        if (error instanceof Superseded) continue;
        failures = now() - startedAt > BACKOFF.mostMs ? 0 : failures + 1;
        const retryInMs = backoffMs(failures, { ...BACKOFF, mostMs: pauseAfter(error, BACKOFF.mostMs) }, random);
        notice({ kind: 'lost', error, retryInMs });
        await pause(retryInMs);
      }
    }
    notice({ kind: 'stopped' });
  };

  const running = forEver();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Empty read models are of any version; what an empty event store lacked is its identity. */
const adopted = async (
  session: DatabaseSession,
  group: ProjectionGroup,
  found: ProjectionCheckpoint,
): Promise<ProjectionCheckpoint> => {
  const adopting = { ...found, version: group.version };
  await session.query(`update ${group.schema}.checkpoint set version = $1, store = $2`, [adopting.version, adopting.store]);
  return adopting;
};

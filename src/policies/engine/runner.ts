import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Database } from '../../database/database.ts';
import type { EventMeta } from '../../domain/event.ts';
import { type EventStore, type Position, pauseAfter, type Recorded } from '../../eventstore/port.ts';
import { backoffMs } from '../../flow/backoff.ts';
import { openCheckpoint, type PolicyCheckpoint, progressAfter } from './checkpoint.ts';
import { createDueWatch } from './dueWatch.ts';
import { clearFailure, clearOtherFailures, recordFailure } from './failures.ts';
import { createLocks } from './locks.ts';
import { DUE_BATCH, dueNotes, notesOf, policiesWithDueNotes, settleNote } from './notes.ts';
import type { Policy, PolicyContext } from './policy.ts';

/** How often a standby node tries to acquire a policy's lock, and how often due notes are queried. */
const STANDBY_MS = 1_000;
const DUE_MS = 1_000;
const BACKOFF = { firstMs: 100, mostMs: 10_000 } as const;
/** Failures in a row from which on the health check names the policy: a single one is often a store that restarted. */
const REPORTED_FAILURES = 2;
/** The reason of a regular end. */
const STOPPED = 'stopped';
/** At most this many events are handled again after a crash. */
const SAVE_EVERY_EVENTS = 200;
const SAVE_EVERY_MS = 1_000;

type PolicyStatus = Readonly<{
  name: string;
  /** Failing: it led, failed, and retries soon. */
  role: 'standby' | 'leading' | 'failing';
  position: Position | null;
  error: string | null;
}>;

/** Runs the policies of one node. */
export type PolicyRunner = Readonly<{
  /** Throws if PostgreSQL cannot be reached. Resolves once every policy runs or waits for its lock. */
  start: () => Promise<void>;
  /** Finishes current reactions, saves each policy's checkpoint and releases the locks. */
  stop: () => Promise<void>;
  status: () => PolicyStatus[];
}>;

export type PolicyRunnerDeps = Readonly<{
  policies: readonly Policy[];
  events: Pick<EventStore, 'subscribeToTypes' | 'identity' | 'head' | 'read'>;
  db: Database;
  /** One connection of it is held for the locks. */
  pool: pg.Pool;
  /** ms since 1970 */
  now: () => number;
  /** A UUID */
  newId: () => string;
  /** From 0 to 1, to spread the retries of several nodes. */
  random: () => number;
  /** Called with every error that will be retried. */
  onError: (policy: string, error: unknown) => void;
  dueMs?: number;
  standbyMs?: number;
}>;

/** Runs policies, each on the one node that has its lock, from its checkpoint. */
export const createPolicyRunner = ({
  policies,
  events,
  db,
  pool,
  now,
  newId,
  random,
  onError,
  dueMs = DUE_MS,
  standbyMs = STANDBY_MS,
}: PolicyRunnerDeps): PolicyRunner => {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // each policy listens
  const locks = createLocks(pool);
  const dueWatch = createDueWatch({
    policiesWithDueNotes: (names) => policiesWithDueNotes(db, names, new Date(now())),
    everyMs: dueMs,
  });
  const statuses = new Map<string, PolicyStatus>();
  let running: Promise<void>[] = [];

  const report = (name: string, change: Partial<PolicyStatus>): void => {
    const before = statuses.get(name) ?? { name, role: 'standby', position: null, error: null };
    statuses.set(name, { ...before, ...change });
  };

  const pause = (ms: number, signal: AbortSignal): Promise<unknown> => sleep(ms, null, { signal }).catch(() => null);

  const contextOf = ({ name }: Policy): PolicyContext => ({
    notes: notesOf(db, name),
    metaFor: (cause: Recorded | null): EventMeta => {
      const commandId = newId();
      return {
        actor: { kind: 'system', id: name },
        commandId,
        correlationId: cause?.meta.correlationId ?? commandId,
        causationId: cause?.id ?? null,
        at: new Date(now()).toISOString(),
      };
    },
    now,
  });

  /**
   * Its progress is not saved after a failure or without the lock: the database may have crashed, and work that did not wait for the
   * disk must be repeated from the last checkpoint.
   */
  const followEvents = async (
    policy: Policy,
    context: PolicyContext,
    signal: AbortSignal,
    checkpoint: PolicyCheckpoint,
    onCaughtUp: () => Promise<void>,
  ): Promise<void> => {
    if (signal.aborted) return;
    let reached = checkpoint.from;
    let saved = reached;
    let unsaved = 0;
    let savedAt = now();
    const save = async (): Promise<void> => {
      if (reached === null || reached === saved || (signal.aborted && signal.reason !== STOPPED)) return;
      await checkpoint.save(reached);
      saved = reached;
      unsaved = 0;
      savedAt = now();
    };
    const subscription = events.subscribeToTypes({ after: reached?.position ?? null, eventTypes: policy.eventTypes });
    const close = () => void subscription.close();
    signal.addEventListener('abort', close);
    report(policy.name, { role: 'leading', position: reached?.position ?? null, error: null });
    try {
      for await (const item of subscription) {
        if (item.kind === 'caughtUp') {
          await save();
          await onCaughtUp();
          continue;
        }
        if (item.kind === 'event') await policy.react(item.recorded, context);
        reached = progressAfter(item, reached?.last ?? null);
        unsaved += 1;
        report(policy.name, { position: reached.position });
        if (unsaved >= SAVE_EVERY_EVENTS || now() - savedAt >= SAVE_EVERY_MS) await save();
        if (signal.aborted) break;
      }
    } finally {
      signal.removeEventListener('abort', close);
      await subscription.close();
    }
    await save();
  };

  const watchDue = async (
    { name, onDue, concurrentDue = 1 }: Policy,
    context: PolicyContext,
    signal: AbortSignal,
    onNothingDue: () => Promise<void>,
  ): Promise<void> => {
    if (!onDue) return onNothingDue();
    while (!signal.aborted) {
      const due = await dueNotes(db, name, new Date(now()));
      for (let first = 0; first < due.length; first += concurrentDue) {
        if (signal.aborted) return;
        await Promise.all(
          due.slice(first, first + concurrentDue).map(async (note) => {
            await onDue(note, context);
            await settleNote(db, name, note);
          }),
        );
      }
      if (due.length === DUE_BATCH) continue; // there may be more
      await onNothingDue();
      await dueWatch.next(name, signal);
    }
  };

  /** Runs while the lock is held and nothing fails. `onWorking` is called once, when all events and due notes are handled. */
  const lead = async (policy: Policy, term: AbortController, onWorking: () => Promise<void>): Promise<void> => {
    const context = contextOf(policy);
    // Before due notes are handled, too: they may belong to another event store.
    const checkpoint = await openCheckpoint(db, policy.name, events);
    const pendingParts = new Set(['events', 'due']);
    const whenDone = (part: 'events' | 'due') => async (): Promise<void> => {
      if (pendingParts.delete(part) && pendingParts.size === 0) await onWorking();
    };
    const parts = [
      followEvents(policy, context, term.signal, checkpoint, whenDone('events')),
      watchDue(policy, context, term.signal, whenDone('due')),
    ];
    for (const part of parts) part.catch(() => term.abort());
    const outcomes = await Promise.allSettled(parts);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  };

  const serve = async (policy: Policy): Promise<void> => {
    let failures = 0;
    let failure: unknown;
    const onWorking = async (): Promise<void> => {
      failures = 0;
      await clearFailure(db, policy.name);
    };
    while (!stopping.signal.aborted) {
      const term = new AbortController();
      const end = () => term.abort(STOPPED);
      stopping.signal.addEventListener('abort', end);
      try {
        if (await locks.acquire(policy.name, () => term.abort())) {
          await lead(policy, term, onWorking);
          failures = 0;
        } else {
          report(policy.name, { role: 'standby', error: null });
          await pause(standbyMs, term.signal);
        }
      } catch (error) {
        failures += 1;
        failure = error;
        onError(policy.name, error);
        const reason = error instanceof Error ? error.message : String(error);
        report(policy.name, { role: 'failing', error: reason });
        if (failures >= REPORTED_FAILURES) {
          const failure = { policy: policy.name, error: reason, failedAt: new Date(now()) };
          await recordFailure(db, failure).catch((unrecorded: unknown) => onError(policy.name, unrecorded));
        }
      } finally {
        stopping.signal.removeEventListener('abort', end);
        await locks.release(policy.name).catch((error: unknown) => onError(policy.name, error));
      }
      if (failures > 0) {
        await pause(backoffMs(failures, { ...BACKOFF, mostMs: pauseAfter(failure, BACKOFF.mostMs) }, random), stopping.signal);
      }
    }
  };

  return {
    start: async () => {
      if (running.length > 0) throw new Error('The policies run already');
      const names = policies.map(({ name }) => name);
      for (const name of names) report(name, {});
      await clearOtherFailures(db, names);
      running = policies.map(serve);
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
      await locks.close();
    },
    status: () => [...statuses.values()],
  };
};

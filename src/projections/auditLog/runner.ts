import { setTimeout as sleep } from 'node:timers/promises';
import { STREAM_CATEGORIES } from '../../domain/events.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { type EventStore, pauseAfter, type StoredEvents } from '../../eventstore/port.ts';
import { backoffMs, withJitter } from '../../flow/backoff.ts';
import { Superseded } from '../engine/checkpoint.ts';
import { createInbox } from '../engine/inbox.ts';
import { tryLock } from '../engine/lock.ts';
import type { Runner } from '../engine/runner.ts';
import { type DatabaseSession, openDatabaseSession } from '../engine/session.ts';
import { checkStore } from '../engine/storeCheck.ts';
import { findLeaves } from './find.ts';
import { append, type LogItem, type LogState, readLog } from './log.ts';

const MAX_BATCH = 2_000;
const BATCHES_WAITING = 2;
/** Nothing waits for the log but an export, so many events are written together. */
const LINGER_MS = 250;
/** See `idle_session_timeout` in `engine/session.ts`. */
const HEARTBEAT_MS = 1_000;
const LOOK_AGAIN_MS = 1_000;
const CHECKPOINT_EVERY_MS = HOUR_MS;
const BACKOFF = { firstMs: 100, mostMs: 5_000 } as const;

/** The event store is not the one of the log, or lacks events of it. */
class StoreNotConfirmed extends Error {
  override readonly name = 'StoreNotConfirmed';

  constructor(differs: string) {
    super(`${differs}. Run latchkey-admin confirm-store.`);
  }
}

/** What the runner of the audit log needs. */
export type AuditRunnerDeps = Readonly<{
  databaseUrl: string;
  events: EventStore & StoredEvents;
  /** Signs a checkpoint, unless the newest one has the tree's size. */
  signCheckpoint: () => Promise<unknown>;
  /** Names this process in the health checks. */
  node: string;
  /** ms since 1970 */
  now: () => number;
  /** From 0 up to 1, for jitter. */
  random: () => number;
  onError: (error: unknown) => void;
}>;

/**
 * Adds each event of the product to the audit log, on whichever node gets its lock, until it is stopped; signs a checkpoint each hour. A
 * failure is stored for the health checks and retried. In an event store that is not the log's it waits until an operator confirms it.
 */
export const startAuditRunner = (deps: AuditRunnerDeps): Runner => {
  const { databaseUrl, events, signCheckpoint, node, now, random, onError } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);

  /** The state to continue from, with the leaves found in a confirmed store. */
  const confirmed = async (session: DatabaseSession): Promise<LogState> => {
    const state = await readLog(session);
    if (state.position === null && state.size > 0) {
      const items = events.subscribeStored({ after: null, categories: STREAM_CATEGORIES });
      try {
        return await findLeaves(session, state, items, { store: await events.identity(), node });
      } finally {
        await items.close();
      }
    }
    const { store, differs } = await checkStore(events, state);
    if (differs) throw new StoreNotConfirmed(differs);
    return { ...state, store };
  };

  const follow = async (session: DatabaseSession, from: LogState): Promise<void> => {
    let state = from;
    let caughtUp = false;
    let signedAt = Number.NEGATIVE_INFINITY;
    const inbox = createInbox<LogItem>(() => 1, { batches: BATCHES_WAITING });
    const subscription = events.subscribeStored({ after: state.position, categories: STREAM_CATEGORIES });
    const receive = async (): Promise<void> => {
      for await (const item of subscription) {
        if (item.kind === 'caughtUp') {
          caughtUp = true;
          inbox.flush();
        } else await inbox.put(item);
      }
      inbox.fail(new Error('The subscription ended'));
    };
    const wake = (): void => inbox.fail(new Error('Stopped'));
    signal.addEventListener('abort', wake, { once: true });
    session.onLost((error) => inbox.fail(error));
    receive().catch((error: unknown) => inbox.fail(error));
    try {
      // Immediately, so that health checks know the node before the first event.
      state = await append(session, state, [], node);
      let beatAt = now();
      while (!signal.aborted) {
        const items = await inbox.take({ waitMs: HEARTBEAT_MS, lingerMs: () => LINGER_MS, batch: () => MAX_BATCH });
        if (items.length > 0 || now() - beatAt >= HEARTBEAT_MS) {
          state = await append(session, state, items, node);
          beatAt = now();
        }
        if (caughtUp && inbox.isEmpty() && now() - signedAt >= CHECKPOINT_EVERY_MS) {
          signedAt = now();
          await signCheckpoint();
        }
      }
    } finally {
      signal.removeEventListener('abort', wake);
      await subscription.close();
    }
  };

  const report = async (session: DatabaseSession, error: unknown): Promise<void> => {
    const text = error instanceof Error ? error.message : String(error);
    await session.execute('rollback');
    await session.query('update audit.log set error = $1, node = $2, heartbeat_at = now()', [text, node]);
  };

  const once = async (): Promise<void> => {
    const session = await openDatabaseSession(databaseUrl, 'latchkey-audit-log', { idle: 'a while' });
    try {
      while (!signal.aborted && !(await tryLock(session, 'audit'))) await pause(withJitter(LOOK_AGAIN_MS, random));
      if (signal.aborted) return;
      try {
        await follow(session, await confirmed(session));
      } catch (error) {
        if (!signal.aborted && !(error instanceof Superseded)) await report(session, error).catch(() => undefined);
        throw error;
      }
    } finally {
      await session.close();
    }
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
        onError(error);
        await pause(backoffMs(failures, { ...BACKOFF, mostMs: pauseAfter(error, BACKOFF.mostMs) }, random));
      }
    }
  };

  const running = forEver();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};

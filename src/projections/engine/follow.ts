import type { EventStore, Position, SubscriptionItem } from '../../eventstore/port.ts';
import type { Announcer } from './announcer.ts';
import { type BatchContext, type Item, writeBatch } from './batch.ts';
import type { ChangeSet } from './changes.ts';
import { type Checkpoint, type ParkedEvent, touch } from './checkpoint.ts';
import { factOf } from './fact.ts';
import { createInbox } from './inbox.ts';
import type { Plan } from './projection.ts';
import type { Session } from './session.ts';

/** In the unit of `Group.weigh`: what a batch of news may hold. */
const MAX_BATCH = 1_000;
/** What is received while a batch is written. */
const BATCHES_WAITING = 2;
/** How long a batch of what is long past waits to be full. */
const CATCH_UP_LINGER_MS = 500;
/** How often a runner says that it is there; see `idle_session_timeout` in `session.ts`. */
const HEARTBEAT_MS = 1_000;
const SAMPLE_LAG_EVERY_MS = 5_000;

export type Progress = Readonly<{ position: bigint | null; events: number; caughtUp: boolean }>;

export type Following = Readonly<{
  session: Session;
  schema: string;
  plan: Plan;
  events: EventStore;
  node: string;
  checkpoint: Checkpoint;
  now: () => number;
  /** Null where nobody is to be told, as of a build that does not serve. */
  announcer: Announcer | null;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  onParked: (event: ParkedEvent) => void;
  /** Asked after each batch and each heartbeat; following ends when it says so. */
  isDone?: (progress: Progress, checkpoint: Checkpoint) => Promise<boolean>;
  /** Nothing after this position is taken. */
  upTo?: Position;
}>;

const itemOf = (received: SubscriptionItem): Item | 'caughtUp' => {
  switch (received.kind) {
    case 'event':
      try {
        return { kind: 'fact', fact: factOf(received.recorded), position: received.recorded.position };
      } catch (error) {
        const { id, stream, revision, position, event } = received.recorded;
        const reason = error instanceof Error ? error.message : String(error);
        return { kind: 'undecodable', undecodable: { id, stream, revision, position, type: event.type, reason }, position };
      }
    case 'undecodable':
      return { kind: 'undecodable', undecodable: received.undecodable, position: received.undecodable.position };
    case 'checkpoint':
      return { kind: 'checkpoint', position: received.position };
    case 'caughtUp':
      return 'caughtUp';
  }
};

/**
 * Subscribes from the checkpoint and writes what comes, batch by batch: as much as has come while the last batch was written, so
 * that under load batches grow and at rest an event does not wait. Resolves with the checkpoint when aborted or done; throws when
 * the subscription, the store or the database is lost.
 */
export const follow = async (following: Following): Promise<Checkpoint> => {
  const { session, schema, plan, events, node, now, announcer, signal } = following;
  const weigh = (item: Item): number => (item.kind === 'fact' ? plan.weigh(item.fact.event) : 1);
  const inbox = createInbox<Item>(weigh, { batches: BATCHES_WAITING });
  let checkpoint = following.checkpoint;
  let considered = checkpoint.position;
  let caughtUp = false;
  let writing: Item | undefined;
  let sampledAt = Number.NEGATIVE_INFINITY;

  const lagMs = (): number => {
    const oldest = writing ?? inbox.oldest();
    return oldest?.kind === 'fact' ? Math.max(0, now() - oldest.fact.storedAt) : 0;
  };
  const told = (notes: { channel: string; payload: string }[]): string[] =>
    notes.map(({ channel, payload }) => `select pg_notify(${session.literal(channel)}, ${session.literal(payload)})`);
  const context: BatchContext = {
    session,
    schema,
    plan,
    node,
    lagMs,
    announce: (changes: ChangeSet, to: Checkpoint) => (announcer ? told(announcer.with(changes, to)) : []),
    onParked: following.onParked,
    news: () => caughtUp && announcer !== null,
  };

  const subscription = events.subscribe({ after: checkpoint.position, categories: plan.categories });
  const receive = async (): Promise<void> => {
    for await (const received of subscription) {
      const item = itemOf(received);
      if (item === 'caughtUp') {
        caughtUp = true;
        inbox.hurry();
        continue;
      }
      if (following.upTo !== undefined && item.position > following.upTo) continue;
      const room = inbox.put(item);
      if (room) await room;
    }
    inbox.fail(new Error('The subscription ended'));
  };

  /** Says that the runner is there, and keeps how far it has looked. */
  const beat = async (): Promise<void> => {
    const notes = told(announcer?.overdue() ?? []);
    await Promise.all([
      touch(session, schema, checkpoint, { looked: considered, lagMs: lagMs(), node }),
      notes.length > 0 ? session.execute(notes.join('; ')) : undefined,
    ]);
    checkpoint = { ...checkpoint, position: considered };
  };

  /** Keeps how late a group that serves is, for the live charts. */
  const sample = async (): Promise<void> => {
    if (!announcer || now() - sampledAt < SAMPLE_LAG_EVERY_MS) return;
    sampledAt = now();
    const [group, lag] = [session.literal(plan.name), Math.round(lagMs())];
    await session.execute(`
      insert into ops.projection_lag (group_name, at, lag_ms) values (${group}, now(), ${lag});
      insert into ops.projection_lag_minute as m (group_name, at, lag_ms) values (${group}, date_trunc('minute', now()), ${lag})
      on conflict (group_name, at) do update set lag_ms = greatest(m.lag_ms, excluded.lag_ms);
      delete from ops.projection_lag where group_name = ${group} and at < now() - interval '15 minutes';
      delete from ops.projection_lag_minute where group_name = ${group} and at < now() - interval '24 hours'`);
  };

  const write = async (): Promise<void> => {
    let beatAt = now();
    while (!signal.aborted) {
      const dueMs = announcer?.dueInMs() ?? HEARTBEAT_MS;
      const items = await inbox.take({
        waitMs: Math.min(dueMs, HEARTBEAT_MS),
        lingerMs: () => (caughtUp ? plan.lingerMs : CATCH_UP_LINGER_MS),
        batch: () => (caughtUp || announcer ? MAX_BATCH : plan.buildBatch),
      });
      considered = items.at(-1)?.position ?? considered;
      if (items.some(({ kind }) => kind !== 'checkpoint')) {
        if (checkpoint.store === null) checkpoint = { ...checkpoint, store: await events.identity() };
        writing = items.find(({ kind }) => kind === 'fact');
        checkpoint = await writeBatch(context, checkpoint, items);
        writing = undefined;
      } else if (dueMs < HEARTBEAT_MS || now() - beatAt >= HEARTBEAT_MS) {
        beatAt = now();
        await beat();
      }
      await sample();
      const progress = { position: checkpoint.position, events: checkpoint.events, caughtUp: caughtUp && inbox.isEmpty() };
      following.onProgress(progress);
      if (await following.isDone?.(progress, checkpoint)) return;
    }
  };

  const wake = (): void => inbox.fail(new Error('Stopped'));
  signal.addEventListener('abort', wake, { once: true });
  receive().catch((error: unknown) => inbox.fail(error));
  session.onLost((error) => inbox.fail(error));
  try {
    await write();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', wake);
    await subscription.close();
  }
  return checkpoint;
};

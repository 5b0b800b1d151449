import type { EventStore, Position, SubscriptionItem } from '../../eventstore/port.ts';
import type { Announcer } from './announcer.ts';
import { type BatchContext, type Item, writeBatch } from './batch.ts';
import { type ParkedEvent, type ProjectionCheckpoint, touch } from './checkpoint.ts';
import { createInbox } from './inbox.ts';
import type { ProjectionGroup } from './projection.ts';
import { recordedEventOf } from './recordedEvent.ts';
import type { DatabaseSession } from './session.ts';

/** The largest batch of new events, in the unit of `GroupDefinition.weigh`. */
const MAX_BATCH = 1_000;
/** Full batches that are received while one is written. */
const BATCHES_WAITING = 2;
/** How long a batch waits for more events while the group catches up. */
const CATCH_UP_LINGER_MS = 500;
/** The interval of a runner's heartbeat; see `idle_session_timeout` in `session.ts`. */
const HEARTBEAT_MS = 1_000;
const SAMPLE_LAG_EVERY_MS = 5_000;

export type ProjectionProgress = Readonly<{ position: bigint | null; events: number; caughtUp: boolean }>;

export type Following = Readonly<{
  session: DatabaseSession;
  schema: string;
  group: ProjectionGroup;
  events: EventStore;
  node: string;
  checkpoint: ProjectionCheckpoint;
  now: () => number;
  /** Null for a build that does not serve yet, which notifies no client. */
  announcer: Announcer | null;
  signal: AbortSignal;
  onProgress: (progress: ProjectionProgress) => void;
  onParked: (event: ParkedEvent) => void;
  /** Called after each batch and each heartbeat; following ends when it returns true. */
  isDone?: (progress: ProjectionProgress, checkpoint: ProjectionCheckpoint) => Promise<boolean>;
  /** Events after this position are ignored. */
  upTo?: Position;
}>;

const itemOf = (received: SubscriptionItem): Item | 'caughtUp' => {
  switch (received.kind) {
    case 'event':
      try {
        return { kind: 'event', recorded: recordedEventOf(received.recorded), position: received.recorded.position };
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
 * Subscribes from the checkpoint and writes the events in batches. A batch contains the events that arrived while the last one was
 * written, so batches grow under load, and a single event does not wait. Resolves to the checkpoint when aborted or done. Throws if
 * the subscription, the store or the database is lost.
 */
export const follow = async (following: Following): Promise<ProjectionCheckpoint> => {
  const { session, schema, group, events, node, now, announcer, signal } = following;
  const weigh = (item: Item): number => (item.kind === 'event' ? group.weigh(item.recorded.event) : 1);
  const inbox = createInbox<Item>(weigh, { batches: BATCHES_WAITING });
  let checkpoint = following.checkpoint;
  let considered = checkpoint.position;
  let caughtUp = false;
  let writing: Item | undefined;
  let sampledAt = Number.NEGATIVE_INFINITY;

  const lagMs = (): number => {
    const oldest = writing ?? inbox.oldest();
    return oldest?.kind === 'event' ? Math.max(0, now() - oldest.recorded.storedAt) : 0;
  };
  const notifications = (notes: { channel: string; payload: string }[]): string[] =>
    notes.map(({ channel, payload }) => `select pg_notify(${session.literal(channel)}, ${session.literal(payload)})`);
  const context: BatchContext = {
    session,
    schema,
    group,
    store: events,
    node,
    lagMs,
    announce: (changes, to, traces) => (announcer ? notifications(announcer.with(changes, to, traces)) : []),
    onParked: following.onParked,
    news: () => caughtUp && announcer !== null,
  };

  const subscription = events.subscribe({ after: checkpoint.position, categories: group.categories });
  const receive = async (): Promise<void> => {
    for await (const received of subscription) {
      const item = itemOf(received);
      if (item === 'caughtUp') {
        caughtUp = true;
        inbox.flush();
        continue;
      }
      if (following.upTo !== undefined && item.position > following.upTo) continue;
      const capacity = inbox.put(item);
      if (capacity) await capacity;
    }
    inbox.fail(new Error('The subscription ended'));
  };

  /** Writes the heartbeat, and the position that was considered. */
  const beat = async (): Promise<void> => {
    const notes = notifications(announcer?.overdue() ?? []);
    await Promise.all([
      touch(session, schema, checkpoint, { looked: considered, lagMs: lagMs(), node }),
      notes.length > 0 ? session.execute(notes.join('; ')) : undefined,
    ]);
    checkpoint = { ...checkpoint, position: considered };
  };

  /** Stores the lag of a serving group for the live charts. */
  const sample = async (): Promise<void> => {
    if (!announcer || now() - sampledAt < SAMPLE_LAG_EVERY_MS) return;
    sampledAt = now();
    const [name, lag] = [session.literal(group.name), Math.round(lagMs())];
    await session.execute(`
      insert into ops.projection_lag (group_name, at, lag_ms) values (${name}, now(), ${lag});
      insert into ops.projection_lag_minute as m (group_name, at, lag_ms) values (${name}, date_trunc('minute', now()), ${lag})
      on conflict (group_name, at) do update set lag_ms = greatest(m.lag_ms, excluded.lag_ms);
      insert into ops.projection_lag_hour as h (group_name, at, lag_ms) values (${name}, date_trunc('hour', now()), ${lag})
      on conflict (group_name, at) do update set lag_ms = greatest(h.lag_ms, excluded.lag_ms);
      delete from ops.projection_lag where group_name = ${name} and at < now() - interval '915 seconds';
      delete from ops.projection_lag_minute where group_name = ${name} and at < now() - interval '1470 minutes';
      delete from ops.projection_lag_hour where group_name = ${name} and at < now() - interval '62 days'`);
  };

  const write = async (): Promise<void> => {
    // Immediately, so that health checks know the node before the first event.
    await beat();
    let beatAt = now();
    while (!signal.aborted) {
      const dueMs = announcer?.dueInMs() ?? HEARTBEAT_MS;
      const items = await inbox.take({
        waitMs: Math.min(dueMs, HEARTBEAT_MS),
        lingerMs: () => (caughtUp ? group.lingerMs : CATCH_UP_LINGER_MS),
        batch: () => (caughtUp || announcer ? MAX_BATCH : group.buildBatch),
      });
      considered = items.at(-1)?.position ?? considered;
      if (items.some(({ kind }) => kind !== 'checkpoint')) {
        if (checkpoint.store === null) checkpoint = { ...checkpoint, store: await events.identity() };
        writing = items.find(({ kind }) => kind === 'event');
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

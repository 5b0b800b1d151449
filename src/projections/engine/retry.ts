import type { EventStore, StreamName } from '../../eventstore/port.ts';
import { isDataError } from './batch.ts';
import { everythingChanged } from './builds.ts';
import { beginLocked, park, parkedEvent } from './checkpoint.ts';
import { Poison, type ProjectionGroup } from './projection.ts';
import { type RecordedEvent, recordedEventOf } from './recordedEvent.ts';
import { type DatabaseSession, openDatabaseSession } from './session.ts';

export type RetryResult = Readonly<{
  /** Events that are in now. */
  applied: number;
  /** Streams that stay parked, with the reason. */
  stillParked: readonly { stream: string; reason: string }[];
}>;

type Parked = { stream: string; first: string; last: string };

const parkedStreams = (session: DatabaseSession, schema: string): Promise<Parked[]> =>
  session.execute<Parked>(
    `select stream, min(revision)::text as first, max(revision)::text as last
     from ${schema}.parked group by stream order by min(position)`,
  );

/** The parked part of a stream as the store has it now; a stream that was deleted since has nothing. */
const eventsOf = async (events: EventStore, { stream, first, last }: Parked): Promise<RecordedEvent[]> => {
  const recordedEvents: RecordedEvent[] = [];
  for await (const recorded of events.read(stream as StreamName, { from: BigInt(first) })) {
    if (recorded.revision > BigInt(last)) break;
    recordedEvents.push(recordedEventOf(recorded));
  }
  return recordedEvents;
};

const release = (session: DatabaseSession, schema: string, { stream, last }: Parked): Promise<object[]> =>
  session.query(`delete from ${schema}.parked where stream = $1 and revision <= $2`, [stream, last]);

/** Applies one event, or parks it again with its current error. Throws errors that the event did not cause. */
const applyOne = async (
  session: DatabaseSession,
  group: ProjectionGroup,
  store: EventStore,
  recorded: RecordedEvent,
): Promise<string | null> => {
  await session.execute('savepoint before_event');
  try {
    const batch = group.open(session, group.schema, store, [recorded], false);
    await batch.load();
    await batch.apply([recorded]);
    await Promise.all((await batch.finish()).map(({ text, values }) => session.query(text, values)));
    await release(session, group.schema, { stream: recorded.stream, first: '0', last: String(recorded.revision) });
    return null;
  } catch (error) {
    if (!(error instanceof Poison || isDataError(error))) throw error;
    await session.execute('rollback to savepoint before_event');
    const reason = error instanceof Error ? error.message : String(error);
    await park(session, group.schema, [parkedEvent(recorded, reason)]);
    return reason;
  }
};

const retryStream = async (
  session: DatabaseSession,
  group: ProjectionGroup,
  store: EventStore,
  events: readonly RecordedEvent[],
  parked: Parked,
): Promise<RetryResult> => {
  const { checkpoint } = await beginLocked(session, group.schema);
  try {
    let applied = 0;
    let reason: string | null = null;
    for (const recorded of events) {
      reason = await applyOne(session, group, store, recorded);
      if (reason !== null) break;
      applied++;
    }
    if (reason === null) await release(session, group.schema, parked);
    await session.execute(`update ${group.schema}.checkpoint set epoch = epoch + 1;
      ${everythingChanged(session, group, checkpoint.position)}; commit`);
    return { applied, stillParked: reason === null ? [] : [{ stream: parked.stream, reason }] };
  } catch (error) {
    await session.execute('rollback').catch(() => undefined);
    throw error;
  }
};

/**
 * Applies parked events in the order of their streams, while the group's runner continues. If an event fails again, the rest of its
 * stream stays parked. Events of other streams were applied before them.
 */
export const retryParked = async (
  group: ProjectionGroup,
  { databaseUrl, events }: { databaseUrl: string; events: EventStore },
): Promise<RetryResult> => {
  const session = await openDatabaseSession(databaseUrl, `latchkey-retry-${group.name}`);
  try {
    let applied = 0;
    const stillParked: { stream: string; reason: string }[] = [];
    for (const parked of await parkedStreams(session, group.schema)) {
      const recordedEvents = await eventsOf(events, parked).catch((error: unknown) =>
        error instanceof Error ? error : new Error(String(error)),
      );
      if (recordedEvents instanceof Error) {
        stillParked.push({ stream: parked.stream, reason: recordedEvents.message });
        continue;
      }
      const result = await retryStream(session, group, events, recordedEvents, parked);
      applied += result.applied;
      stillParked.push(...result.stillParked);
    }
    return { applied, stillParked };
  } finally {
    await session.close();
  }
};

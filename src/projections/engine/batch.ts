import { Unstorable } from '../../database/tables/encoding.ts';
import type { EventStore, LastEvent, Undecodable } from '../../eventstore/port.ts';
import { startSharedSpans } from '../../tracing/spans.ts';
import type { ChangeSet } from './changes.ts';
import {
  advancing,
  beginFrom,
  type ParkedEvent,
  type ProjectionCheckpoint,
  park,
  parkedEvent,
  parkedUndecodable,
} from './checkpoint.ts';
import { Poison, type ProjectionGroup } from './projection.ts';
import type { RecordedEvent } from './recordedEvent.ts';
import type { DatabaseSession } from './session.ts';

/** What a subscription delivers, in order. A checkpoint means that no event up to its position concerned the group. */
export type Item =
  | Readonly<{ kind: 'event'; recorded: RecordedEvent; position: bigint }>
  | Readonly<{ kind: 'undecodable'; undecodable: Undecodable; position: bigint }>
  | Readonly<{ kind: 'checkpoint'; position: bigint }>;

export type BatchContext = Readonly<{
  session: DatabaseSession;
  schema: string;
  group: ProjectionGroup;
  store: Pick<EventStore, 'read'>;
  node: string;
  /** Milliseconds that the oldest event not yet applied has waited. */
  lagMs: () => number;
  /** Statements that announce the changes, executed with the commit. */
  announce: (changes: ChangeSet, to: ProjectionCheckpoint, traces: readonly string[]) => readonly string[];
  onParked: (event: ParkedEvent) => void;
  /** Whether the events are new, instead of being caught up with. */
  news: () => boolean;
}>;

/** An error that the data itself causes: invalid values, violated keys, values that are too large. */
export const isDataError = (error: unknown): boolean =>
  error instanceof Unstorable ||
  (error instanceof Error && 'code' in error && typeof error.code === 'string' && /^(22|23|54)/.test(error.code));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const lastEventOf = (item: Item): LastEvent | null => {
  if (item.kind === 'checkpoint') return null;
  const { stream, revision, id, position } = item.kind === 'event' ? item.recorded : item.undecodable;
  return { stream, revision, id, position };
};

/** Separates events that can be applied from those to park: undecodable ones, and all later events of a parked stream. */
const sorted = (
  items: readonly Item[],
  held: Set<string>,
  parkReason: string | null,
): { events: RecordedEvent[]; parked: ParkedEvent[] } => {
  const events: RecordedEvent[] = [];
  const parked: ParkedEvent[] = [];
  for (const item of items) {
    if (item.kind === 'undecodable') {
      parked.push(parkedUndecodable(item.undecodable));
      held.add(item.undecodable.stream);
    } else if (item.kind === 'event') {
      const reason = held.has(item.recorded.stream) ? 'An earlier event of this stream could not be projected' : parkReason;
      if (reason === null) {
        events.push(item.recorded);
      } else {
        parked.push(parkedEvent(item.recorded, reason));
        held.add(item.recorded.stream);
      }
    }
  }
  return { events, parked };
};

const NO_CHANGES: ChangeSet = new Map();

/**
 * One transaction: rows, parked events, checkpoint and announcements. It takes two round trips: rows are read with its first statement
 * and written with its last. If a statement fails, those that follow fail too, the commit among them.
 */
const transact = async (
  context: BatchContext,
  from: ProjectionCheckpoint,
  items: readonly Item[],
  parkReason: string | null,
  traces: readonly string[],
): Promise<ProjectionCheckpoint> => {
  const { session, schema, group, store, node } = context;
  const applicable = parkReason === null ? items.flatMap((item) => (item.kind === 'event' ? [item.recorded] : [])) : [];
  const batch = group.open(session, schema, store, applicable, context.news());
  const [held] = await Promise.all([beginFrom(session, schema, from), batch.load()]);
  const { events, parked } = sorted(items, held, parkReason);
  await batch.apply(events);
  const writes = events.length > 0 ? await batch.finish() : [];
  const last = items.findLast((item) => item.kind !== 'checkpoint');
  const to: ProjectionCheckpoint = {
    ...from,
    position: items.at(-1)?.position ?? from.position,
    last: (last && lastEventOf(last)) ?? from.last,
    events: from.events + events.length,
  };
  const announcements = context.announce(events.length > 0 ? batch.changes() : NO_CHANGES, to, traces);
  const ending = [advancing(session, schema, to, { lagMs: context.lagMs(), node }), ...announcements, 'commit'];
  await Promise.all([
    ...writes.map(({ text, values }) => session.query(text, values)),
    park(session, schema, parked),
    session.execute(ending.join('; ')),
  ]);
  for (const event of parked) context.onParked(event);
  return to;
};

/** The transaction as a span in the traces of its events. */
const attempt = async (
  context: BatchContext,
  from: ProjectionCheckpoint,
  items: readonly Item[],
  parkReason: string | null,
): Promise<ProjectionCheckpoint> => {
  const parents = items.map((item) => (item.kind === 'event' ? item.recorded.traceparent : undefined));
  const spans = startSharedSpans(`project ${context.group.name}`, { 'latchkey.events': items.length }, parents);
  try {
    const to = await transact(context, from, items, parkReason, spans.traceparents);
    spans.end();
    return to;
  } catch (error) {
    spans.end(error);
    throw error;
  }
};

/** The parts to try after a failure that lies in the data: around the event that is known to have caused it, else halves. */
const partsAround = (items: readonly Item[], error: unknown): (readonly Item[])[] => {
  const culprit =
    error instanceof Poison ? items.findIndex((item) => item.kind === 'event' && item.recorded === error.recorded) : -1;
  const half = Math.ceil(items.length / 2);
  const parts =
    culprit < 0
      ? [items.slice(0, half), items.slice(half)]
      : [items.slice(0, culprit), items.slice(culprit, culprit + 1), items.slice(culprit + 1)];
  return parts.filter((part) => part.length > 0);
};

/**
 * Writes the items and the checkpoint in one transaction. If an event cannot be applied, it takes more transactions, to park the stream
 * of that event and apply the others. Throws errors that the data did not cause; each transaction is complete or has no effect.
 */
export const writeBatch = async (
  context: BatchContext,
  from: ProjectionCheckpoint,
  items: readonly Item[],
): Promise<ProjectionCheckpoint> => {
  try {
    return await attempt(context, from, items, null);
  } catch (error) {
    await context.session.execute('rollback').catch(() => undefined); // of a lost connection the server rolls back itself
    if (!(error instanceof Poison || isDataError(error))) throw error;
    if (items.length === 1) return await attempt(context, from, items, messageOf(error));
    let checkpoint = from;
    for (const part of partsAround(items, error)) checkpoint = await writeBatch(context, checkpoint, part);
    return checkpoint;
  }
};

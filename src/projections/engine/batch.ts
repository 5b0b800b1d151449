import { Unstorable } from '../../database/tables/encoding.ts';
import type { Undecodable } from '../../eventstore/port.ts';
import type { ChangeSet } from './changes.ts';
import {
  advancing,
  beginFrom,
  type Checkpoint,
  type LastEvent,
  type ParkedEvent,
  park,
  parkedFact,
  parkedUndecodable,
} from './checkpoint.ts';
import type { Fact } from './fact.ts';
import { type Plan, Poison } from './projection.ts';
import type { Session } from './session.ts';

/** What a subscription hands on, in order. A checkpoint says that nothing up to there concerned the group. */
export type Item =
  | Readonly<{ kind: 'fact'; fact: Fact; position: bigint }>
  | Readonly<{ kind: 'undecodable'; undecodable: Undecodable; position: bigint }>
  | Readonly<{ kind: 'checkpoint'; position: bigint }>;

export type BatchContext = Readonly<{
  session: Session;
  schema: string;
  plan: Plan;
  node: string;
  /** Milliseconds that the oldest event not yet in has waited. */
  lagMs: () => number;
  /** Statements to be executed with the commit, that tell others of the changes. */
  announce: (changes: ChangeSet, to: Checkpoint) => readonly string[];
  onParked: (event: ParkedEvent) => void;
  /** Whether the events are new, or made up for. */
  news: () => boolean;
}>;

/** What cannot be written because of the data itself: bad values, violated keys, values too large. */
export const isDataError = (error: unknown): boolean =>
  error instanceof Unstorable ||
  (error instanceof Error && 'code' in error && typeof error.code === 'string' && /^(22|23|54)/.test(error.code));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const lastEventOf = (item: Item): LastEvent | null => {
  if (item.kind === 'checkpoint') return null;
  const { stream, revision, id, position } = item.kind === 'fact' ? item.fact : item.undecodable;
  return { stream, revision, id, position };
};

/** Tells what can be applied from what has to be held back: what cannot be read, and all that comes later in a stream held back. */
const sorted = (items: readonly Item[], held: Set<string>, doomed: string | null): { facts: Fact[]; parked: ParkedEvent[] } => {
  const facts: Fact[] = [];
  const parked: ParkedEvent[] = [];
  for (const item of items) {
    if (item.kind === 'undecodable') {
      parked.push(parkedUndecodable(item.undecodable));
      held.add(item.undecodable.stream);
    } else if (item.kind === 'fact') {
      const reason = held.has(item.fact.stream) ? 'An earlier event of this stream could not be projected' : doomed;
      if (reason === null) {
        facts.push(item.fact);
      } else {
        parked.push(parkedFact(item.fact, reason));
        held.add(item.fact.stream);
      }
    }
  }
  return { facts, parked };
};

const NO_CHANGES: ChangeSet = new Map();

/**
 * One transaction: rows, what is held back, checkpoint and announcements. It takes two round trips: rows are read along with its
 * beginning and written along with its end. Where a statement fails, those that follow it fail too, the commit among them.
 */
const attempt = async (
  context: BatchContext,
  from: Checkpoint,
  items: readonly Item[],
  doomed: string | null,
): Promise<Checkpoint> => {
  const { session, schema, plan, node } = context;
  const hopeful = doomed === null ? items.flatMap((item) => (item.kind === 'fact' ? [item.fact] : [])) : [];
  const round = plan.open(session, schema, hopeful, context.news());
  const [held] = await Promise.all([beginFrom(session, schema, from), round.load()]);
  const { facts, parked } = sorted(items, held, doomed);
  await round.apply(facts);
  const writes = facts.length > 0 ? await round.finish() : [];
  const last = items.findLast((item) => item.kind !== 'checkpoint');
  const to: Checkpoint = {
    ...from,
    position: items.at(-1)?.position ?? from.position,
    last: (last && lastEventOf(last)) ?? from.last,
    events: from.events + facts.length,
  };
  const announcements = context.announce(facts.length > 0 ? round.changes() : NO_CHANGES, to);
  const ending = [advancing(session, schema, to, { lagMs: context.lagMs(), node }), ...announcements, 'commit'];
  await Promise.all([
    ...writes.map(({ text, values }) => session.query(text, values)),
    park(session, schema, parked),
    session.execute(ending.join('; ')),
  ]);
  for (const event of parked) context.onParked(event);
  return to;
};

/** The parts to try after a failure that lies in the data: around the event that is known to have caused it, else halves. */
const partsAround = (items: readonly Item[], error: unknown): (readonly Item[])[] => {
  const culprit = error instanceof Poison ? items.findIndex((item) => item.kind === 'fact' && item.fact === error.fact) : -1;
  const half = Math.ceil(items.length / 2);
  const parts =
    culprit < 0
      ? [items.slice(0, half), items.slice(half)]
      : [items.slice(0, culprit), items.slice(culprit, culprit + 1), items.slice(culprit + 1)];
  return parts.filter((part) => part.length > 0);
};

/**
 * Writes the items and moves the checkpoint, in one transaction, unless an event cannot be taken in: then in as many as it takes
 * to park that event's stream and apply the rest. Throws what is not the data's fault, with nothing half done.
 */
export const writeBatch = async (context: BatchContext, from: Checkpoint, items: readonly Item[]): Promise<Checkpoint> => {
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

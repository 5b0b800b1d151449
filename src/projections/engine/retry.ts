import type { EventStore, StreamName } from '../../eventstore/port.ts';
import { isDataError } from './batch.ts';
import { everythingChanged } from './builds.ts';
import { beginLocked, park, parkedFact } from './checkpoint.ts';
import { type Fact, factOf } from './fact.ts';
import { type Plan, Poison } from './projection.ts';
import { openSession, type Session } from './session.ts';

export type RetryResult = Readonly<{
  /** Events that are in now. */
  applied: number;
  /** Streams that are held back all the same, with the reason. */
  stillParked: readonly { stream: string; reason: string }[];
}>;

type Parked = { stream: string; first: string; last: string };

const parkedStreams = (session: Session, schema: string): Promise<Parked[]> =>
  session.execute<Parked>(
    `select stream, min(revision)::text as first, max(revision)::text as last
     from ${schema}.parked group by stream order by min(position)`,
  );

/** The parked part of a stream as the store has it now; a stream that was deleted since has nothing. */
const factsOf = async (events: EventStore, { stream, first, last }: Parked): Promise<Fact[]> => {
  const facts: Fact[] = [];
  for await (const recorded of events.read(stream as StreamName, { from: BigInt(first) })) {
    if (recorded.revision > BigInt(last)) break;
    facts.push(factOf(recorded));
  }
  return facts;
};

const release = (session: Session, schema: string, { stream, last }: Parked): Promise<object[]> =>
  session.query(`delete from ${schema}.parked where stream = $1 and revision <= $2`, [stream, last]);

/** Applies one event, or parks it again with what is wrong with it now. Throws what is not the event's fault. */
const applyOne = async (session: Session, plan: Plan, fact: Fact): Promise<string | null> => {
  await session.execute('savepoint before_event');
  try {
    const round = plan.open(session, plan.schema, [fact], false);
    await round.load();
    await round.apply([fact]);
    await Promise.all((await round.finish()).map(({ text, values }) => session.query(text, values)));
    await release(session, plan.schema, { stream: fact.stream, first: '0', last: String(fact.revision) });
    return null;
  } catch (error) {
    if (!(error instanceof Poison || isDataError(error))) throw error;
    await session.execute('rollback to savepoint before_event');
    const reason = error instanceof Error ? error.message : String(error);
    await park(session, plan.schema, [parkedFact(fact, reason)]);
    return reason;
  }
};

const retryStream = async (session: Session, plan: Plan, facts: readonly Fact[], parked: Parked): Promise<RetryResult> => {
  const { checkpoint } = await beginLocked(session, plan.schema);
  try {
    let applied = 0;
    let reason: string | null = null;
    for (const fact of facts) {
      reason = await applyOne(session, plan, fact);
      if (reason !== null) break;
      applied++;
    }
    if (reason === null) await release(session, plan.schema, parked);
    await session.execute(`update ${plan.schema}.checkpoint set epoch = epoch + 1;
      ${everythingChanged(session, plan, checkpoint.position)}; commit`);
    return { applied, stillParked: reason === null ? [] : [{ stream: parked.stream, reason }] };
  } catch (error) {
    await session.execute('rollback').catch(() => undefined);
    throw error;
  }
};

/**
 * Applies the events that are held back, each stream's in its order, while the group's runner goes on; the first of a stream that
 * cannot be taken in even now keeps the rest of that stream waiting. Events of other streams were applied before them.
 */
export const retryParked = async (
  plan: Plan,
  { databaseUrl, events }: { databaseUrl: string; events: EventStore },
): Promise<RetryResult> => {
  const session = await openSession(databaseUrl, `latchkey-retry-${plan.name}`);
  try {
    let applied = 0;
    const stillParked: { stream: string; reason: string }[] = [];
    for (const parked of await parkedStreams(session, plan.schema)) {
      const facts = await factsOf(events, parked).catch((error: unknown) =>
        error instanceof Error ? error : new Error(String(error)),
      );
      if (facts instanceof Error) {
        stillParked.push({ stream: parked.stream, reason: facts.message });
        continue;
      }
      const result = await retryStream(session, plan, facts, parked);
      applied += result.applied;
      stillParked.push(...result.stillParked);
    }
    return { applied, stillParked };
  } finally {
    await session.close();
  }
};

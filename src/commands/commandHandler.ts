import { type Command, type Decider, decideInOrder } from '../domain/decider.ts';
import type { AnyEvent } from '../domain/events.ts';
import { type EventStore, EventStoreUnavailable, type StreamName } from '../eventstore/port.ts';
import { inSpan } from '../tracing/spans.ts';
import { shareReads } from './shareReads.ts';
import { type CachedState, createStateCache, type Snapshot, type StateCache } from './stateCache.ts';

const ATTEMPTS = 20;

/** Other nodes won every race for a stream; retrying later may succeed. */
export class TooManyLostRaces extends Error {
  override readonly name = 'TooManyLostRaces';
}

/** The write side's own refusal, beside those of the domain: the stream is not at the revision that the client expects. */
export type RevisionRefusal = 'revision_changed';

/**
 * `position` is that of the last event written, null if nothing was written. `state` is the fold of the stream after the command and
 * `revision` that of its last event.
 */
export type AcceptedOutcome<S> = Readonly<{ accepted: true; position: bigint | null; revision: bigint; state: S }>;

/** The result of a command: accepted, or refused for a reason of the domain or a changed revision. */
export type CommandOutcome<S, R extends string> = AcceptedOutcome<S> | Readonly<{ accepted: false; refusal: R | RevisionRefusal }>;

/** `ifRevision` refuses with `revision_changed` unless it is the stream's revision. */
type CommandOptions = Readonly<{ ifRevision?: bigint }>;

/** The commands of one kind of aggregate. The type of the outcome follows from the aggregate's decider. */
export type CommandHandler<Id, C extends Command, S, R extends string> = Readonly<{
  /**
   * Decides a command and appends its events. A list of commands to one aggregate is decided in order and appended as one: all of it
   * or nothing. Throws `EventStoreUnavailable`, and `TooManyLostRaces` if other nodes won every attempt.
   */
  handle: (command: C | readonly C[], options?: CommandOptions) => Promise<CommandOutcome<S, R>>;
  /** The current state, read after the call. Throws `EventStoreUnavailable`. */
  load: (id: Id) => Promise<Snapshot<S>>;
}>;

/** Commands of one stream. `since` is the tick at which they arrived. */
type Request<C> = Readonly<{ commands: readonly [C, ...C[]]; ifRevision: bigint | undefined; since: number }>;

/** A queue per stream: work on one stream runs in the order of the calls, work on different streams concurrently. */
const createStreamQueues = (): (<T>(stream: StreamName, work: () => Promise<T>) => Promise<T>) => {
  const last = new Map<StreamName, Promise<unknown>>();
  return (stream, work) => {
    const result = (last.get(stream) ?? Promise.resolve()).then(work);
    const settled = result.catch(() => undefined);
    last.set(stream, settled);
    void settled.then(() => {
      if (last.get(stream) === settled) last.delete(stream);
    });
    return result;
  };
};

/**
 * Handles the commands of one kind of aggregate: load, fold, decide, append.
 *
 * **Deciding on cached state.** A command is first decided on the cached state of its stream, or on the initial state if nothing is
 * cached, without a read. The result is the same as after a read, because:
 *
 * 1. The cached state is the fold of the stream's events up to the cached revision. The streams of aggregates are append-only, so it is
 *    always the state at some earlier or the present moment, never a wrong one.
 * 2. A decision with events is appended with the cached revision as expected revision. The store appends only if that is the stream's
 *    last event, so the decision was made on the complete stream. Otherwise nothing is written, and the command is decided again on a
 *    fresh read.
 * 3. A decision without events (a refusal, a command that changes nothing, `revision_changed`) is verified by no append. It is returned
 *    only if the state is fresh: the store returned it to a read, or confirmed it by an append, that began after the command arrived.
 *    So the state was current at a moment between the command's arrival and its reply. If it is not fresh, the stream is read.
 *
 * Ticks order these moments within the process: a tick is taken when a command arrives (`since`), and before each read and append
 * begins (`asOf`). State is fresh for a command if `asOf >= since`. Commands of one stream wait in a queue, so a waiting command usually
 * finds the state that its predecessor confirmed after both had arrived, and needs no read.
 *
 * A lost race is always decided again on a fresh read; events are never appended again without a new decision.
 */
export const commandHandler = <Id, C extends Command, S, E extends AnyEvent, R extends string>(
  { initial, decide, evolve }: Decider<C, S, E, R>,
  { idOf, streamOf }: Readonly<{ idOf: (command: C) => Id; streamOf: (id: Id) => StreamName }>,
  { events, cache = createStateCache<S>() }: { events: Pick<EventStore, 'read' | 'append'>; cache?: StateCache<S> },
): CommandHandler<Id, C, S, R> => {
  const enqueue = createStreamQueues();
  let tick = 0;

  const readForward = async (stream: StreamName): Promise<CachedState<S>> => {
    const asOf = ++tick;
    let { state, revision } = cache.get(stream) ?? { state: initial, revision: -1n };
    for await (const recorded of events.read<E>(stream, { from: revision + 1n })) {
      state = evolve(state, recorded.event);
      revision = recorded.revision;
    }
    const read = { state, revision, asOf };
    if (revision >= 0n) cache.put(stream, read);
    return read;
  };
  const load = shareReads(readForward);

  /** Undefined if the race was lost, or if the state is not fresh and the decision has no events. */
  const attempt = async (
    stream: StreamName,
    { commands, ifRevision, since }: Request<C>,
    on: CachedState<S>,
  ): Promise<CommandOutcome<S, R> | undefined> => {
    const isFresh = on.asOf >= since;
    if (ifRevision !== undefined && ifRevision !== on.revision) {
      return isFresh ? { accepted: false, refusal: 'revision_changed' } : undefined;
    }
    const decision = decideInOrder({ decide, evolve }, commands, on.state);
    if (!decision.accepted) return isFresh ? decision : undefined;
    const { state } = decision;
    if (decision.events.length === 0) {
      return isFresh ? { accepted: true, position: null, revision: on.revision, state } : undefined;
    }
    const asOf = ++tick;
    const expected = on.revision < 0n ? 'no_stream' : on.revision;
    const appended = await events.append(stream, decision.events, { expected, meta: commands[0].meta });
    if (!appended.ok) return undefined;
    cache.put(stream, { state, revision: appended.revision, asOf });
    return { accepted: true, position: appended.position, revision: appended.revision, state };
  };

  /** The initial state. Sealing the events fails if the owner's key was destroyed: the stream exists then, and has to be read. */
  const attemptOnInitial = (stream: StreamName, request: Request<C>): Promise<CommandOutcome<S, R> | undefined> =>
    attempt(stream, request, { state: initial, revision: -1n, asOf: 0 }).catch((error: unknown) => {
      if (error instanceof EventStoreUnavailable) throw error;
      return undefined;
    });

  const decideInTurn = async (stream: StreamName, request: Request<C>): Promise<CommandOutcome<S, R>> => {
    const cached = cache.get(stream);
    const early = await (cached ? attempt(stream, request, cached) : attemptOnInitial(stream, request));
    if (early) return early;
    for (let tries = 1; tries <= ATTEMPTS; tries++) {
      const outcome = await attempt(stream, request, await load(stream));
      if (outcome) return outcome;
    }
    throw new TooManyLostRaces(`Gave up on ${request.commands[0].type} after ${ATTEMPTS} lost races on ${stream}`);
  };

  return {
    load: async (id) => {
      const { state, revision } = await load(streamOf(id));
      return { state, revision };
    },
    handle: async (command, { ifRevision } = {}) => {
      const [first, ...rest] = 'type' in command ? [command] : command;
      if (!first) throw new Error('No command');
      const stream = streamOf(idOf(first));
      if (rest.some((other) => streamOf(idOf(other)) !== stream)) throw new Error('Commands of more than one stream');
      const request = { commands: [first, ...rest] as const, ifRevision, since: ++tick };
      return inSpan(`command ${first.type}`, { parent: first.meta.traceparent }, () =>
        enqueue(stream, () => decideInTurn(stream, request)),
      );
    },
  };
};

import type { Command, Decider } from '../domain/decider.ts';
import type { AnyEvent } from '../domain/events.ts';
import { type EventStore, EventStoreUnavailable, type StreamName } from '../eventstore/port.ts';
import { createLine } from './line.ts';
import type { DispatchOptions, Outcome } from './outcome.ts';
import { shareReads } from './shareReads.ts';
import { createStateCache, type Known, type Snapshot, type StateCache } from './stateCache.ts';

const ATTEMPTS = 20;

/** Other nodes won every race for a stream; asking again may well succeed. */
export class TooManyLostRaces extends Error {
  override readonly name = 'TooManyLostRaces';
}

export type CommandHandler<C extends Command, S, R extends string> = Readonly<{
  /** Decides the commands in order and writes what they lead to at once: all of it, or nothing. They are of one stream. */
  handle: (commands: readonly C[], options?: DispatchOptions) => Promise<Outcome<S, R>>;
  /** The state as of now. */
  load: (stream: StreamName) => Promise<Snapshot<S>>;
}>;

/** `since` is the tick at which it was asked: an answer that rests on what was read later is up to date. */
type Asked<C> = Readonly<{ commands: readonly [C, ...C[]]; ifRevision: bigint | undefined; since: number }>;

/** Load, fold, decide, append. A lost race decides again on fresh state; it never blindly appends again. */
export const commandHandler = <C extends Command, S, E extends AnyEvent, R extends string>(
  { initial, decide, evolve }: Decider<C, S, E, R>,
  streamOf: (command: C) => StreamName,
  { events, cache = createStateCache<S>() }: { events: Pick<EventStore, 'read' | 'append'>; cache?: StateCache<S> },
): CommandHandler<C, S, R> => {
  const inLine = createLine();
  let tick = 0;

  const readForward = async (stream: StreamName): Promise<Known<S>> => {
    const asOf = ++tick;
    let { state, revision } = cache.get(stream) ?? { state: initial, revision: -1n };
    for await (const recorded of events.read<E>(stream, { from: revision + 1n })) {
      state = evolve(state, recorded.event);
      revision = recorded.revision;
    }
    const known = { state, revision, asOf };
    if (revision >= 0n) cache.put(stream, known);
    return known;
  };
  const load = shareReads(readForward);

  const decideAll = (commands: readonly C[], before: S) => {
    let state = before;
    const decided: E[] = [];
    for (const command of commands) {
      const decision = decide(command, state);
      if (!decision.accepted) return decision;
      state = decision.events.reduce(evolve, state);
      decided.push(...decision.events);
    }
    return { accepted: true as const, events: decided, state };
  };

  /** Undefined when the race was lost, or when what is known is too old for a command of this tick to be told no. */
  const attempt = async (
    stream: StreamName,
    { commands, ifRevision, since }: Asked<C>,
    known: Known<S>,
  ): Promise<Outcome<S, R> | undefined> => {
    const isFresh = known.asOf >= since;
    if (ifRevision !== undefined && ifRevision !== known.revision) {
      return isFresh ? { accepted: false, refusal: 'revision_changed' } : undefined;
    }
    const decision = decideAll(commands, known.state);
    if (!decision.accepted) return isFresh ? decision : undefined;
    const { state } = decision;
    if (decision.events.length === 0) {
      return isFresh ? { accepted: true, position: null, revision: known.revision, state } : undefined;
    }
    const asOf = ++tick;
    const expected = known.revision < 0n ? 'no_stream' : known.revision;
    const appended = await events.append(stream, decision.events, { expected, meta: commands[0].meta });
    if (!appended.ok) return undefined;
    cache.put(stream, { state, revision: appended.revision, asOf });
    return { accepted: true, position: appended.position, revision: appended.revision, state };
  };

  /** As if there were nothing yet. Where nothing can be sealed any more, there was something: that is found out by reading. */
  const attemptBlindly = (stream: StreamName, asked: Asked<C>): Promise<Outcome<S, R> | undefined> =>
    attempt(stream, asked, { state: initial, revision: -1n, asOf: 0 }).catch((error: unknown) => {
      if (error instanceof EventStoreUnavailable) throw error;
      return undefined;
    });

  /** What is remembered, or that there is nothing yet, is tried first: if that is too old, the store refuses the append. */
  const decideInTurn = async (stream: StreamName, asked: Asked<C>): Promise<Outcome<S, R>> => {
    const remembered = cache.get(stream);
    const early = await (remembered ? attempt(stream, asked, remembered) : attemptBlindly(stream, asked));
    if (early) return early;
    for (let tries = 1; tries <= ATTEMPTS; tries++) {
      const outcome = await attempt(stream, asked, await load(stream));
      if (outcome) return outcome;
    }
    throw new TooManyLostRaces(`Gave up on ${asked.commands[0].type} after ${ATTEMPTS} lost races on ${stream}`);
  };

  return {
    load: async (stream) => {
      const { state, revision } = await load(stream);
      return { state, revision };
    },
    handle: async ([first, ...rest], { ifRevision } = {}) => {
      if (!first) throw new Error('No command');
      const stream = streamOf(first);
      if (rest.some((command) => streamOf(command) !== stream)) throw new Error('Commands of more than one stream');
      const asked = { commands: [first, ...rest] as const, ifRevision, since: ++tick };
      return inLine(stream, () => decideInTurn(stream, asked));
    },
  };
};

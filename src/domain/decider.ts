import type { DomainEvent, EventMeta } from './event.ts';

/** A request to change one aggregate. `type` is imperative, as `SuspendCustomer`; `meta` becomes that of its events. */
export type Command<Type extends string = string, Data extends object = object> = Readonly<{
  type: Type;
  data: Readonly<Data>;
  meta: EventMeta;
}>;

export type Accepted<E extends DomainEvent> = Readonly<{ accepted: true; events: readonly E[] }>;
export type Refused<R extends string> = Readonly<{ accepted: false; refusal: R }>;
/** What `decide` returns: the events to append, or the typed reason why not. */
export type Decision<E extends DomainEvent, R extends string> = Accepted<E> | Refused<R>;

/** Accepting without events means that the state already is as commanded. */
export const accept = <E extends DomainEvent>(...events: readonly E[]): Accepted<E> => ({ accepted: true, events });
/** A decision without effect. `refusal` is one of the aggregate's refusals, which the HTTP layer maps to a reply. */
export const refuse = <R extends string>(refusal: R): Refused<R> => ({ accepted: false, refusal });

/** `decide` is pure and may refuse; `evolve` is total and never refuses. */
export type Decider<C extends Command, S, E extends DomainEvent, R extends string> = Readonly<{
  initial: S;
  decide: (command: C, state: S) => Decision<E, R>;
  evolve: (state: S, event: E) => S;
}>;

/** Decides commands in order, each on the state that those before it lead to: the events of all, or the refusal of the first. */
export const decideInOrder = <C extends Command, S, E extends DomainEvent, R extends string>(
  { decide, evolve }: Omit<Decider<C, S, E, R>, 'initial'>,
  commands: readonly C[],
  before: S,
): (Accepted<E> & Readonly<{ state: S }>) | Refused<R> => {
  let state = before;
  const events: E[] = [];
  for (const command of commands) {
    const decision = decide(command, state);
    if (!decision.accepted) return decision;
    state = decision.events.reduce(evolve, state);
    events.push(...decision.events);
  }
  return { accepted: true, events, state };
};

import { expect } from 'vitest';
import type { Command, Decider } from '../../src/domain/decider.ts';
import type { DomainEvent } from '../../src/domain/event.ts';

/** Given what happened, when this is asked for, then this happens, or it is refused. */
export const decisionSpec =
  <C extends Command, S, E extends DomainEvent, R extends string>({ initial, evolve, decide }: Decider<C, S, E, R>) =>
  (...history: readonly E[]) => {
    const state = history.reduce(evolve, initial);
    return {
      /** The state that the history leads to. */
      state,
      when: (command: C) => {
        const decision = decide(command, state);
        return {
          // biome-ignore lint/suspicious/noThenProperty: given, when, then; it is never awaited
          then: (...events: readonly E[]) => expect(decision).toEqual({ accepted: true, events }),
          thenNothing: () => expect(decision).toEqual({ accepted: true, events: [] }),
          thenRefused: (refusal: R) => expect(decision).toEqual({ accepted: false, refusal }),
          /** The state after the decision. */
          state: decision.accepted ? decision.events.reduce(evolve, state) : state,
        };
      },
    };
  };

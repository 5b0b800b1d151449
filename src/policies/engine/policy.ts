import type { EventMeta } from '../../domain/event.ts';
import type { EventOf, EventType } from '../../domain/events.ts';
import type { Recorded } from '../../eventstore/port.ts';
import type { Note, Notes } from './notes.ts';

/** What a policy may use when it reacts. */
export type PolicyContext = Readonly<{
  notes: Notes;
  /** Metadata for a command that an event causes, or a due note (null). */
  metaFor: (cause: Recorded | null) => EventMeta;
  /** ms since 1970 */
  now: () => number;
}>;

/**
 * Reacts to events with commands and other actions. Each event is handled at least once, in order, usually by one node at a time, so
 * every reaction must be repeatable. A failed reaction is retried until it succeeds.
 */
export type PolicyOn<Type extends EventType> = Readonly<{
  name: string;
  eventTypes: readonly Type[];
  /** Called with each event of these types. A method, so that a policy on some types is one on any. */
  react(recorded: Recorded<EventOf<Type>>, context: PolicyContext): Promise<void>;
  /** Called with a note that is due. Afterwards the note is deleted. */
  onDue?: (note: Note, context: PolicyContext) => Promise<void>;
  /** How many due notes are handled at the same time; 1 if absent. */
  concurrentDue?: number;
}>;

/** A policy on any types of events. */
export type Policy = PolicyOn<EventType>;

/** A policy whose `react` is given the types of events that it names, and no others. */
export const policyOn = <const Type extends EventType>(policy: PolicyOn<Type>): Policy => policy;

import type { EventMeta } from '../../domain/event.ts';
import type { StreamCategory } from '../../domain/events.ts';
import type { Recorded } from '../../eventstore/port.ts';
import type { Note, Notes } from './notes.ts';

/** What a policy may use when it reacts. */
export type PolicyContext = Readonly<{
  notes: Notes;
  /** Metadata for a command that an event leads to, or that came due (null). */
  metaFor: (cause: Recorded | null) => EventMeta;
  /** ms since 1970 */
  now: () => number;
}>;

/**
 * Reacts to events with commands and other actions. Each event is handled at least once, in order, to one node at a time as a rule; so
 * all that a policy does may be done again without harm. A reaction that fails is tried again until it works.
 */
export type Policy = Readonly<{
  name: string;
  /** Streams whose events it sees. */
  categories: readonly StreamCategory[];
  react: (recorded: Recorded, context: PolicyContext) => Promise<void>;
  /** Called with a note once its time has come, after which the note is gone. */
  onDue?: (note: Note, context: PolicyContext) => Promise<void>;
}>;

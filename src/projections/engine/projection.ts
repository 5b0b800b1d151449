import { setImmediate } from 'node:timers/promises';
import type { AnyEvent, EventsByCategory, StreamCategory } from '../../domain/events.ts';
import type { EventStore } from '../../eventstore/port.ts';
import { type ChangeSet, EVERYTHING_CHANGED } from './changes.ts';
import type { GroupName } from './groups.ts';
import type { RecordedEvent, Subjects } from './recordedEvent.ts';
import type { DatabaseSession, Write } from './session.ts';

type Handler<E extends AnyEvent, W, Subject extends string = string> = (recorded: RecordedEvent<E, Subject>, rows: W) => void;
type HandlersOf<C extends StreamCategory, W> = {
  readonly [T in EventsByCategory[C]['type']]: Handler<Extract<EventsByCategory[C], { type: T }>, W, Subjects[C]> | 'ignored';
};

/**
 * A read model's handlers of all events: a new event or category does not compile until each projection handles or ignores it.
 * Handlers change the batch's rows in memory; they are synchronous and read no clock.
 */
export type Projection<W> = Readonly<{
  name: string;
  /** A bump rebuilds the group's read models beside the old ones, then swaps them. */
  version: number;
  on: { readonly [C in StreamCategory]: HandlersOf<C, W> | 'ignored' };
  /** It writes no rows, and is left out where no client is notified, as in a rebuild. */
  notifiesOnly?: true;
}>;

/** The rows that a batch of events touches: preloaded together, changed in memory, and written together. */
export type BatchRows = Readonly<{
  load: () => Promise<void>;
  /** Statements that no later event changes: they are sent while the rest of a large batch is applied. */
  ahead?: () => readonly Write[];
  /** Completes work that takes several steps, and returns the remaining statements, which are sent with the commit. */
  finish: () => Promise<readonly Write[]>;
  changes: () => ChangeSet;
}>;

/** Read models that share a subscription, a schema and a checkpoint. */
export type GroupDefinition<W extends BatchRows> = Readonly<{
  name: GroupName;
  /** The schema that serves; a rebuild works in another one and takes its name in the end. */
  schema: 'read' | 'usage';
  categories: readonly StreamCategory[];
  /** How long a batch may wait for more events. 0: not at all, so that a command's own event is applied immediately. */
  lingerMs: number;
  /** Whether commands wait for this group's position. */
  awaited: boolean;
  /** Milliseconds between two announcements of changes, and the topics that are announced even less often. */
  announceEveryMs: number;
  slowTopics: ReadonlySet<string>;
  /** The weight of an event in a batch of at most 1,000. */
  weigh: (event: AnyEvent) => number;
  /** The most weight of a batch of a build that does not serve yet: few large batches touch each row fewer times. */
  buildBatch: number;
  /** Indexes beside the keys by which rows are preloaded: a rebuild creates each of them at its first use, and all others at the end. */
  lookUpIndexes: ReadonlySet<string>;
  /**
   * Indexes of few rows of a large table: a rebuild has them from the start, as to add a row costs less than to read the whole table for
   * each of them at the end.
   */
  sparseIndexes: ReadonlySet<string>;
  /** Tables that a rebuild may not reproduce, since they count events of streams that may be erased by now. */
  transient: readonly string[];
  projections: readonly Projection<W>[];
  /** `store` has the events that were applied before. */
  open: (session: DatabaseSession, schema: string, store: Pick<EventStore, 'read'>) => W;
  /** Names the rows that the event's handlers will read. */
  preload: (recorded: RecordedEvent, rows: W) => void;
}>;

/** Events that are applied to the read models in one transaction. */
type Batch = Readonly<
  Pick<BatchRows, 'load' | 'finish'> & {
    /**
     * Applies some of the events to the loaded rows in memory, in order. It yields after each slice, so that received events and
     * requests of the same process need not wait for all. Throws `Poison` when a handler throws.
     */
    apply: (events: readonly RecordedEvent[]) => Promise<void>;
    /** The changed topics; one topic of everything for events that are not new. */
    changes: () => ChangeSet;
  }
>;

/** A group of projections as the runner executes it. */
export type ProjectionGroup = Readonly<
  Omit<GroupDefinition<BatchRows>, 'projections' | 'open' | 'preload'> & {
    /** The sum of its projections' versions: it grows with each bump and each new projection. */
    version: number;
    projectionNames: readonly string[];
    /** Opens a batch of the events; nothing is read or written yet. */
    open: (
      session: DatabaseSession,
      schema: string,
      store: Pick<EventStore, 'read'>,
      events: readonly RecordedEvent[],
      news: boolean,
    ) => Batch;
  }
>;

/** An event that a projection could not apply because of its content. */
export class Poison extends Error {
  override readonly name = 'Poison';
  readonly recorded: RecordedEvent;
  constructor(recorded: RecordedEvent, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.recorded = recorded;
  }
}

const handlersByType = <W>(projections: readonly Projection<W>[]): Map<string, Handler<AnyEvent, W>[]> => {
  const byType = new Map<string, Handler<AnyEvent, W>[]>();
  for (const { on } of projections) {
    for (const handlers of Object.values(on)) {
      if (handlers === 'ignored') continue;
      for (const [type, handler] of Object.entries(handlers)) {
        if (handler === 'ignored') continue;
        byType.set(type, [...(byType.get(type) ?? []), handler as Handler<AnyEvent, W>]); // found by the event's own type only
      }
    }
  }
  return byType;
};

/** Events of a slice: as many as a batch of new events has at most. */
const SLICE = 1_000;

/** A statement that fails here fails the transaction, and its commit reports the error. */
const sendAhead = async (session: DatabaseSession, { ahead }: BatchRows): Promise<void> => {
  for (const { text, values } of ahead?.() ?? []) void session.query(text, values).catch(() => undefined);
  await setImmediate();
};

const everything = { topic: EVERYTHING_CHANGED.topic, rooms: new Set(EVERYTHING_CHANGED.rooms) };

/** Makes a definition executable: finds the handlers of each event type, and hides the type of its rows. */
export const projectionGroupOf = <W extends BatchRows>(group: GroupDefinition<W>): ProjectionGroup => {
  const { projections, open, preload, ...rest } = group;
  const allHandlers = handlersByType(projections);
  const rowHandlers = handlersByType(projections.filter(({ notifiesOnly }) => !notifiesOnly));
  return {
    ...rest,
    version: projections.reduce((sum, { version }) => sum + version, 0),
    projectionNames: projections.map(({ name }) => name),
    open: (session, schema, store, events, news) => {
      const handlers = news ? allHandlers : rowHandlers;
      const rows = open(session, schema, store);
      for (const recorded of events) preload(recorded, rows);
      return {
        load: rows.load,
        apply: async (applied) => {
          for (let from = 0; from < applied.length; from += SLICE) {
            if (from > 0) await sendAhead(session, rows);
            for (const recorded of applied.slice(from, from + SLICE)) {
              try {
                for (const handle of handlers.get(recorded.event.type) ?? []) handle(recorded, rows);
              } catch (error) {
                throw new Poison(recorded, error);
              }
            }
          }
        },
        finish: rows.finish,
        changes: () => (news ? rows.changes() : new Map([['[]', everything]])),
      };
    },
  };
};

import { setImmediate } from 'node:timers/promises';
import type { AnyEvent, EventsByCategory, StreamCategory } from '../../domain/events.ts';
import { type ChangeSet, EVERYTHING_CHANGED } from './changes.ts';
import type { Fact, Subjects } from './fact.ts';
import type { GroupName } from './groups.ts';
import type { Session, Write } from './session.ts';

type Handler<E extends AnyEvent, W, Subject extends string = string> = (fact: Fact<E, Subject>, workspace: W) => void;
type HandlersOf<C extends StreamCategory, W> = {
  readonly [T in EventsByCategory[C]['type']]: Handler<Extract<EventsByCategory[C], { type: T }>, W, Subjects[C]> | 'ignored';
};

/**
 * A read model's answer to every event: a new event, or a new category, does not compile until each projection has said what
 * it does with it. Handlers change rows in the workspace's memory and must neither wait nor read a clock.
 */
export type Projection<W> = Readonly<{
  name: string;
  /** A bump rebuilds the group's read models beside the old ones, then swaps them. */
  version: number;
  on: { readonly [C in StreamCategory]: HandlersOf<C, W> | 'ignored' };
  /** It only says what changed, so it is left out as long as nobody is told in particular. */
  tells?: true;
}>;

/** The rows that a batch of events touches: wanted first, then loaded together, changed in memory, and written together. */
export type Workspace = Readonly<{
  load: () => Promise<void>;
  /** Statements that no later fact changes: of a large batch they are sent while the rest is applied. */
  ahead?: () => readonly Write[];
  /** Does what takes more than one step, and gives the statements that are left: they are sent along with the transaction's end. */
  finish: () => Promise<readonly Write[]>;
  changes: () => ChangeSet;
}>;

/** Read models that share a subscription, a schema and a checkpoint. */
export type Group<W extends Workspace> = Readonly<{
  name: GroupName;
  /** The schema that serves; a rebuild works in another one and takes its name in the end. */
  schema: 'read' | 'usage';
  categories: readonly StreamCategory[];
  /** How long a batch may wait for more events. 0: not at all, so that a command's own event is in at once. */
  lingerMs: number;
  /** Whether commands wait for this group's position. */
  awaited: boolean;
  /** Milliseconds between two announcements of changes, and the topics that are announced even less often. */
  announceEveryMs: number;
  slowTopics: ReadonlySet<string>;
  /** What an event weighs in a batch of at most 1,000. */
  weigh: (event: AnyEvent) => number;
  /** The same for a batch of a build that does not serve yet: few large ones touch each row fewer times. */
  buildBatch: number;
  /** Indexes beside the keys by which rows are wanted: a rebuild has them from the start, and makes all others in the end. */
  lookUpIndexes: ReadonlySet<string>;
  /** Tables that a rebuild need not give again, as they count what arrived of streams that may be erased by now. */
  transient: readonly string[];
  projections: readonly Projection<W>[];
  open: (session: Session, schema: string) => W;
  /** Names the rows that the fact's handlers will look at. */
  want: (fact: Fact, workspace: W) => void;
}>;

/** Facts on their way into the read models, in the session's transaction. */
type Round = Readonly<
  Pick<Workspace, 'load' | 'finish'> & {
    /**
     * Changes the loaded rows in memory by some of the facts, in order. Of many it takes a slice at a time, so that what is received
     * meanwhile and others' requests need not wait for all. Throws `Poison` when a handler throws.
     */
    apply: (facts: readonly Fact[]) => Promise<void>;
    /** What changed, told in particular, or, of events that are not news, as one change of everything. */
    changes: () => ChangeSet;
  }
>;

/** A group as the runner knows it. */
export type Plan = Readonly<
  Omit<Group<Workspace>, 'projections' | 'open' | 'want'> & {
    /** The sum of its projections' versions: it grows with each bump and each new projection. */
    version: number;
    projectionNames: readonly string[];
    /** Begins a round of the facts, of which nothing is asked or written yet. */
    open: (session: Session, schema: string, facts: readonly Fact[], news: boolean) => Round;
  }
>;

/** A fact that a projection could not take in, for a reason that lies in the fact. */
export class Poison extends Error {
  override readonly name = 'Poison';
  readonly fact: Fact;
  constructor(fact: Fact, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.fact = fact;
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

/** As many facts as a batch of news has at most. */
const SLICE = 1_000;

/** What fails of it fails the transaction, and so is told by the statements that end it. */
const sendAhead = async (session: Session, { ahead }: Workspace): Promise<void> => {
  for (const { text, values } of ahead?.() ?? []) void session.query(text, values).catch(() => undefined);
  await setImmediate();
};

const everything = { topic: EVERYTHING_CHANGED.topic, rooms: new Set(EVERYTHING_CHANGED.rooms) };

export const planOf = <W extends Workspace>(group: Group<W>): Plan => {
  const { projections, open, want, ...rest } = group;
  const telling = handlersByType(projections);
  const quiet = handlersByType(projections.filter(({ tells }) => !tells));
  return {
    ...rest,
    version: projections.reduce((sum, { version }) => sum + version, 0),
    projectionNames: projections.map(({ name }) => name),
    open: (session, schema, facts, news) => {
      const handlers = news ? telling : quiet;
      const workspace = open(session, schema);
      for (const fact of facts) want(fact, workspace);
      return {
        load: workspace.load,
        apply: async (applied) => {
          for (let from = 0; from < applied.length; from += SLICE) {
            if (from > 0) await sendAhead(session, workspace);
            for (const fact of applied.slice(from, from + SLICE)) {
              try {
                for (const handle of handlers.get(fact.event.type) ?? []) handle(fact, workspace);
              } catch (error) {
                throw new Poison(fact, error);
              }
            }
          }
        },
        finish: workspace.finish,
        changes: () => (news ? workspace.changes() : new Map([['[]', everything]])),
      };
    },
  };
};

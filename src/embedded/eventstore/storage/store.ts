import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Log, reasonOf } from '../log.ts';
import { within } from '../within.ts';
import { describedStream, type StoredEvent } from './event.ts';
import { type EventReader, openEventReader, type PrefixFilter, StorageUnavailable } from './eventReader.ts';
import { type GroupWriter, groupWriter } from './groupWriter.ts';
import type { Operation, OperationResult } from './operation.ts';
import { recentIds } from './recentIds.ts';
import { type Scavenged, scavenge } from './scavenge.ts';
import { headCache, headOf, type StreamHead } from './streamHead.ts';
import { tailOf } from './tail.ts';
import { openWriterSession, type StoreUrls, type WriterSession } from './writerSession.ts';

/** Consecutive matching events of `$all`. All positions up to `through` were examined. */
export type AllPage = Readonly<{ events: readonly StoredEvent[]; through: number; fromMemory: boolean }>;

/** The events of one PostgreSQL database: writes, reads and notification of new events. */
export type Store = Readonly<{
  /** See `GroupWriter.submit`. */
  submit: (operation: Operation) => Promise<OperationResult>;
  enqueue: GroupWriter['enqueue'];
  isFull: GroupWriter['isFull'];
  waitForCapacity: GroupWriter['waitForCapacity'];
  reserve: GroupWriter['reserve'];
  unreserve: GroupWriter['unreserve'];
  /** The committed head of a stream. */
  head: (stream: string) => Promise<StreamHead>;
  /** Position of the newest committed event. */
  lastPosition: () => number;
  /** Up to `limit` events after position `after`. `filter` applies to database reads only, not to events in memory. */
  allForward: (after: number, limit: number, filter?: PrefixFilter) => Promise<AllPage>;
  allBackward: EventReader['allBackward'];
  streamForward: EventReader['streamForward'];
  streamBackward: EventReader['streamBackward'];
  /** Calls `listener` after each commit, or after each commit to `stream`. Returns a function that unsubscribes. */
  onCommit: (listener: () => void, stream?: string) => () => void;
  /** See `scavenge`; one at a time. Also evicts the removed events from memory. */
  scavenge: (signal: AbortSignal) => Promise<Scavenged>;
  /** Rejects new operations with `StoreClosing`; resolves when all earlier ones are settled, at the latest after a timeout. */
  finishWriting: () => Promise<void>;
  /** Finishes writing, then disconnects from PostgreSQL. */
  close: () => Promise<void>;
}>;

/** After this timeout a closing store no longer waits for PostgreSQL to write what it accepted. */
const WRITE_TIMEOUT_MS = 3_000;
const DISCONNECT_TIMEOUT_MS = 1_000;
const LOCK_TIMEOUT_MS = 5_000;
const RECONNECT_MIN_DELAY_MS = 20;
const RECONNECT_MAX_DELAY_MS = 1_000;
const CACHED_HEADS = 100_000;
const CACHED_IDS = 50_000;
const PRELOADED_IDS = 20_000;
const TAIL_EVENTS = 20_000;
const TAIL_BYTES = 64 << 20;
/** The range of positions of one query, which bounds its time when few events match. */
const MAX_SCANNED_POSITIONS = 10_000;

/**
 * Opens the store in the database at `urls` and creates missing tables. The first event of a new store is
 * `$EpochInformation`, as in EventStoreDB; its id identifies the store.
 * Throws `StoreLocked` when another server writes to the database, or PostgreSQL's error.
 */
export const openStore = async (urls: StoreUrls, log: Log): Promise<Store> => {
  const { databaseUrl } = urls;
  const reader = openEventReader(databaseUrl, log);
  const tail = tailOf(TAIL_EVENTS, TAIL_BYTES);
  const ids = recentIds(CACHED_IDS);
  const heads = headCache(reader.heads, CACHED_HEADS);
  const listeners = new Set<() => void>();
  const streamListeners = new Map<string, Set<() => void>>();
  const closing = new AbortController();

  const notify = (events: readonly StoredEvent[]): void => {
    for (const listener of listeners) listener();
    if (streamListeners.size === 0) return;
    for (const stream of new Set(events.map((event) => event.stream))) {
      for (const listener of streamListeners.get(stream) ?? []) listener();
    }
  };
  // Any stream may have commits from before the reconnect that were not announced.
  const notifyAll = (): void => {
    for (const listener of [...listeners, ...[...streamListeners.values()].flatMap((set) => [...set])]) listener();
  };
  const writer = groupWriter({
    reader,
    heads,
    ids,
    lastPosition: tail.lastPosition,
    onCommitted: (events) => {
      tail.append(events);
      notify(events);
    },
    log,
  });

  let session: WriterSession | undefined;
  let recovery: Promise<void> | undefined;
  const begin = async (opened: WriterSession): Promise<void> => {
    const recent = await reader.recentIds(PRELOADED_IDS).catch(async (error: unknown) => {
      await opened.close();
      throw error;
    });
    if (closing.signal.aborted) return opened.close();
    heads.clear();
    ids.clear();
    ids.add(recent);
    tail.reset(opened.lastPosition);
    session = opened;
    writer.use(opened);
    opened.onLost((reason) => {
      recovery = recover(reason);
    });
    notifyAll();
  };

  const recover = async (reason: Error): Promise<void> => {
    log('warn', `The event store lost its connection to PostgreSQL (${reason.message}); rejecting appends until it is back`);
    session = undefined;
    writer.use(undefined);
    for (let pause = RECONNECT_MIN_DELAY_MS; !closing.signal.aborted; pause = Math.min(pause * 2, RECONNECT_MAX_DELAY_MS)) {
      try {
        const opened = await openWriterSession(urls, 0);
        await begin(opened);
        log('info', `The event store reconnected to PostgreSQL at position ${opened.lastPosition}`);
        return;
      } catch (error) {
        log('warn', `The event store cannot reach PostgreSQL: ${reasonOf(error)}`);
        await delay(pause, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  };

  const finishWriting = async (): Promise<void> => {
    await within(WRITE_TIMEOUT_MS, writer.finish());
    writer.abandon();
  };

  const close = async (): Promise<void> => {
    closing.abort();
    await finishWriting();
    writer.use(undefined);
    await within(DISCONNECT_TIMEOUT_MS, Promise.all([recovery, session?.close(), reader.close()]));
  };

  try {
    const opened = await openWriterSession(urls, LOCK_TIMEOUT_MS);
    await begin(opened);
    if (opened.lastPosition === 0) {
      const epoch = {
        id: randomUUID(),
        type: '$EpochInformation',
        isJson: true,
        data: Buffer.from('{"epochNumber":0}'),
        metadata: Buffer.alloc(0),
      };
      await writer.submit({
        kind: 'append',
        stream: '$epoch-information',
        expected: 'no_stream',
        events: [epoch],
        deadline: undefined,
      });
    }
  } catch (error) {
    await close();
    throw error;
  }

  return {
    submit: writer.submit,
    enqueue: writer.enqueue,
    isFull: writer.isFull,
    waitForCapacity: writer.waitForCapacity,
    reserve: writer.reserve,
    unreserve: writer.unreserve,
    head: async (stream) => {
      const described = (await heads.get([stream])).get(describedStream(stream));
      if (!described) throw new StorageUnavailable(`The head of ${stream} could not be read`);
      return headOf(stream, described);
    },
    lastPosition: tail.lastPosition,
    allForward: async (after, limit, filter) => {
      const inMemory = tail.after(after, limit);
      if (inMemory) return { events: inMemory, through: inMemory.at(-1)?.position ?? after, fromMemory: true };
      const through = Math.min(tail.lastPosition(), after + MAX_SCANNED_POSITIONS);
      const { events, complete } = await reader.allForward(after, through, limit, filter);
      return { events, through: complete ? through : (events.at(-1)?.position ?? through), fromMemory: false };
    },
    allBackward: reader.allBackward,
    streamForward: reader.streamForward,
    streamBackward: reader.streamBackward,
    onCommit: (listener, stream) => {
      if (stream === undefined) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      }
      const set = streamListeners.get(stream) ?? new Set();
      streamListeners.set(stream, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && streamListeners.get(stream) === set) streamListeners.delete(stream);
      };
    },
    scavenge: async (signal) => {
      const scavenged = await scavenge({ databaseUrl, heads: reader.heads, lastPosition: tail.lastPosition, signal });
      tail.forget(scavenged.through);
      return scavenged;
    },
    finishWriting,
    close,
  };
};

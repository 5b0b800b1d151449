import { type Log, reasonOf } from '../log.ts';
import type { StoredEvent } from './event.ts';
import { type EventReader, StorageUnavailable, type WrittenId } from './eventReader.ts';
import { type GroupPlan, planGroup, repeatedRange, writtenKey } from './groupPlan.ts';
import type { Operation, Outcome } from './operation.ts';
import type { RecentMap } from './recentMap.ts';
import type { HeadCache } from './streamHead.ts';
import type { WriterSession } from './writerSession.ts';

type Pending = Readonly<{ operation: Operation; bytes: number; settle: (outcome: Outcome) => void; fail: (error: Error) => void }>;

export type GroupWriter = Readonly<{
  /** Resolves once the operation is durable or refused. Rejects with `StorageUnavailable`; then it may or may not be written. */
  submit: (operation: Operation) => Promise<Outcome>;
  /** Writes over this session from now on; `undefined` while there is none, and submissions are turned away. */
  use: (session: WriterSession | undefined) => void;
  /** Turns away what is submitted from now on; resolves when all that was before is settled. */
  finish: () => Promise<void>;
  /** So much waits to be written that no more should be taken. */
  isFull: () => boolean;
  /** Resolves when there is room again. */
  room: () => Promise<void>;
}>;

type Parts = Readonly<{
  reader: EventReader;
  heads: HeadCache;
  /** What was written lately, by event id. */
  ids: RecentMap<WrittenId>;
  lastPosition: () => number;
  /** Called with what a transaction wrote, before anybody is told that it did. */
  committed: (events: readonly StoredEvent[]) => void;
  log: Log;
}>;

const GROUP_EVENTS = 4000;
const GROUP_BYTES = 8 << 20;
const OPERATION_OVERHEAD = 200;
const BACKLOG_BYTES = 32 << 20;

const sizeOf = (operation: Operation): number => {
  let bytes = OPERATION_OVERHEAD;
  if (operation.kind === 'append') for (const { data, metadata } of operation.events) bytes += data.length + metadata.length;
  return bytes;
};

/** Payloads are not kept. */
export const remember = (ids: RecentMap<WrittenId>, written: Iterable<WrittenId>): void => {
  for (const { id, stream, revision, position } of written) ids.set(id, { id, stream, revision, position });
};

const unavailable = (cause?: unknown): StorageUnavailable =>
  new StorageUnavailable('PostgreSQL is unreachable; it is unknown whether the events were written', { cause });

/** One writer: what arrives while a transaction commits goes into the next one, so that many appends share one fsync. */
export const groupWriter = ({ reader, heads, ids, lastPosition, committed, log }: Parts): GroupWriter => {
  const queue: Pending[] = [];
  const waiting: (() => void)[] = [];
  let backlog = 0;
  let session: WriterSession | undefined;
  let running: Promise<void> | undefined;
  let isFinishing = false;

  const takeGroup = (): Pending[] => {
    let taken = 0;
    let events = 0;
    let bytes = 0;
    for (const { operation, bytes: size } of queue) {
      events += operation.kind === 'append' ? operation.events.length : 1;
      bytes += size;
      if (taken > 0 && (events > GROUP_EVENTS || bytes > GROUP_BYTES)) break;
      taken++;
    }
    return queue.splice(0, taken);
  };

  const plan = async (operations: readonly Operation[]): Promise<GroupPlan> => {
    const known = await heads.get(operations.map((operation) => operation.stream));
    const ranges = operations.map((operation) => repeatedRange(operation, known)).filter((range) => range !== undefined);
    const written = ranges.length === 0 ? [] : await reader.writtenIn(ranges);
    const committedState = {
      heads: known,
      recent: ids.get,
      written: new Map(written.map((event) => [writtenKey(event.stream, event.revision), event])),
      lastPosition: lastPosition(),
    };
    return planGroup(operations, committedState, Date.now());
  };

  const write = async (group: readonly Pending[]): Promise<void> => {
    try {
      const current = session;
      if (!current) throw unavailable();
      const { events, heads: changed, outcomes } = await plan(group.map(({ operation }) => operation));
      if (events.length > 0) {
        if (session !== current) throw unavailable();
        await current.insert(events);
        // The session that follows has begun from what it found; what this one wrote is among that.
        if (session !== current) throw unavailable();
        heads.commit(changed);
        remember(ids, events);
        committed(events);
      }
      for (const [index, { settle }] of group.entries()) {
        const outcome = outcomes[index];
        if (outcome) settle(outcome);
      }
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) log('error', `A transaction failed: ${reasonOf(error)}`);
      const reason = error instanceof StorageUnavailable ? error : unavailable(error);
      for (const { fail } of group) fail(reason);
    } finally {
      for (const { bytes } of group) backlog -= bytes;
      if (backlog <= BACKLOG_BYTES / 2) for (const resume of waiting.splice(0)) resume();
    }
  };

  const run = async (): Promise<void> => {
    // Whatever arrives in this turn of the event loop shares the first transaction.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) await write(takeGroup());
    running = undefined;
  };

  return {
    submit: (operation) =>
      new Promise((settle, fail) => {
        if (isFinishing) return fail(unavailable());
        const bytes = sizeOf(operation);
        backlog += bytes;
        queue.push({ operation, bytes, settle, fail });
        running ??= run();
      }),
    use: (next) => {
      session = next;
    },
    finish: async () => {
      isFinishing = true;
      await running;
    },
    isFull: () => backlog > BACKLOG_BYTES,
    room: () => new Promise((resolve) => (backlog > BACKLOG_BYTES ? waiting.push(resolve) : resolve())),
  };
};

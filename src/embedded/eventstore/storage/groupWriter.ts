import { type Log, reasonOf } from '../log.ts';
import { memoryOf, type StoredEvent } from './event.ts';
import { type EventReader, StorageUnavailable } from './eventReader.ts';
import { type GroupPlan, planGroup, repeatedRange, writtenKey } from './groupPlan.ts';
import { type Operation, type OperationResult, StoreClosing } from './operation.ts';
import type { RecentIds } from './recentIds.ts';
import { isRefusedStatement } from './refusedStatement.ts';
import type { HeadCache } from './streamHead.ts';
import type { WriterSession } from './writerSession.ts';

type Pending = Readonly<{
  operation: Operation;
  bytes: number;
  settle: (outcome: OperationResult) => void;
  fail: (error: Error) => void;
}>;

export type GroupWriter = Readonly<{
  /**
   * Resolves once the operation is durable or rejected. Throws `StorageUnavailable` when the outcome is unknown, and PostgreSQL's error
   * when it refused the events.
   */
  submit: (operation: Operation) => Promise<OperationResult>;
  /** `submit` by callbacks, because promises cost a tenth of a small append. They are called in the order of the calls and must not throw. */
  enqueue: (operation: Operation, settle: (outcome: OperationResult) => void, fail: (error: Error) => void) => void;
  /** Sets the session to write with. While it is `undefined`, submissions fail. */
  use: (session: WriterSession | undefined) => void;
  /** Rejects new submissions with `StoreClosing`; resolves when all earlier ones are settled. */
  finish: () => Promise<void>;
  /** Fails all submissions that are not settled, because PostgreSQL does not answer. */
  abandon: () => void;
  /** The backlog is full: callers should stop submitting. */
  isFull: () => boolean;
  /** Resolves when the backlog has capacity. */
  waitForCapacity: () => Promise<void>;
  /** Counts the bytes of a request whose end has not arrived. Returns false, and counts nothing, if there are too many. */
  reserve: (bytes: number) => boolean;
  unreserve: (bytes: number) => void;
}>;

type Parts = Readonly<{
  reader: EventReader;
  heads: HeadCache;
  ids: RecentIds;
  lastPosition: () => number;
  /** Called with the events of a committed transaction, before its submissions resolve. */
  onCommitted: (events: readonly StoredEvent[]) => void;
  log: Log;
}>;

const MAX_GROUP_EVENTS = 4000;
const MAX_GROUP_BYTES = 8 << 20;
const OPERATION_OVERHEAD = 200;
const MAX_BACKLOG_BYTES = 32 << 20;
/** Less than the backlog: if unfinished requests filled it, nothing would read their ends. */
const MAX_RESERVED_BYTES = 16 << 20;

const sizeOf = (operation: Operation): number => {
  let bytes = OPERATION_OVERHEAD;
  if (operation.kind === 'append') for (const event of operation.events) bytes += memoryOf(event);
  return bytes;
};

const unavailable = (cause?: unknown): StorageUnavailable =>
  new StorageUnavailable('PostgreSQL is unreachable; it is unknown whether the events were written', { cause });

/** Group commit: operations that arrive while a transaction commits form the next one, so that many appends share one fsync. */
export const groupWriter = ({ reader, heads, ids, lastPosition, onCommitted, log }: Parts): GroupWriter => {
  const queue: Pending[] = [];
  const waiting: (() => void)[] = [];
  let backlog = 0;
  let reserved = 0;
  let session: WriterSession | undefined;
  let running: Promise<void> | undefined;
  let isFinishing = false;
  let writing: readonly Pending[] = [];

  const takeGroup = (): Pending[] => {
    let taken = 0;
    let events = 0;
    let bytes = 0;
    for (const { operation, bytes: size } of queue) {
      events += operation.kind === 'append' ? operation.events.length : 1;
      bytes += size;
      if (taken > 0 && (events > MAX_GROUP_EVENTS || bytes > MAX_GROUP_BYTES)) break;
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

  const release = (bytes: number): void => {
    backlog -= bytes;
    if (backlog <= MAX_BACKLOG_BYTES / 2) for (const resume of waiting.splice(0)) resume();
  };

  const write = async (group: readonly Pending[]): Promise<void> => {
    try {
      await commit(group);
    } catch (error) {
      if (isRefusedStatement(error) && group.length > 1) {
        log('warn', `PostgreSQL refused a transaction of ${group.length} operations; retrying each one: ${reasonOf(error)}`);
        for (const pending of group) await write([pending]);
        return;
      }
      const isKnown = error instanceof StorageUnavailable || isRefusedStatement(error);
      if (!isKnown) log('error', `A transaction failed: ${reasonOf(error)}`);
      const reason = isKnown && error instanceof Error ? error : unavailable(error);
      for (const { operation, fail } of group) {
        if (operation.kind === 'append' && operation.sequence && !isRefusedStatement(error)) operation.sequence.hasFailed = true;
        fail(reason);
      }
    }
    release(group.reduce((bytes, pending) => bytes + pending.bytes, 0));
  };

  /** Writes the operations in one transaction and settles them. */
  const commit = async (taken: readonly Pending[]): Promise<void> => {
    const current = session;
    if (!current) throw unavailable();
    const group = taken.filter(({ operation, fail }) => {
      const isBehindFailure = operation.kind === 'append' && operation.sequence?.hasFailed === true;
      if (isBehindFailure) fail(unavailable());
      return !isBehindFailure;
    });
    const { events, heads: changed, outcomes } = await plan(group.map(({ operation }) => operation));
    if (events.length > 0) {
      if (session !== current) throw unavailable();
      await current.insert(events);
      // A newer session has already loaded the state that includes these events.
      if (session !== current) throw unavailable();
      heads.commit(changed);
      ids.add(events);
      onCommitted(events);
    }
    for (const [index, { settle }] of group.entries()) {
      const outcome = outcomes[index];
      if (outcome) settle(outcome);
    }
  };

  const run = async (): Promise<void> => {
    // Coalesces the operations of this turn of the event loop into the first transaction.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const group = takeGroup();
      writing = group;
      await write(group);
      writing = [];
    }
    running = undefined;
  };

  const enqueue: GroupWriter['enqueue'] = (operation, settle, fail) => {
    if (isFinishing) return fail(new StoreClosing('The event store is shutting down'));
    const bytes = sizeOf(operation);
    backlog += bytes;
    queue.push({ operation, bytes, settle, fail });
    running ??= run();
  };

  return {
    submit: (operation) => new Promise((settle, fail) => enqueue(operation, settle, fail)),
    enqueue,
    use: (next) => {
      session = next;
    },
    finish: async () => {
      isFinishing = true;
      await running;
    },
    abandon: () => {
      for (const { fail } of [...writing, ...queue.splice(0)]) fail(unavailable());
    },
    reserve: (bytes) => {
      if (reserved + bytes > MAX_RESERVED_BYTES) return false;
      reserved += bytes;
      backlog += bytes;
      return true;
    },
    unreserve: (bytes) => {
      reserved -= bytes;
      release(bytes);
    },
    isFull: () => backlog > MAX_BACKLOG_BYTES,
    waitForCapacity: () => new Promise((resolve) => (backlog > MAX_BACKLOG_BYTES ? waiting.push(resolve) : resolve())),
  };
};

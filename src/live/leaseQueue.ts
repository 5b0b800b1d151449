import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionId } from '../domain/ids.ts';
import type { Connection, Leases } from './leases.ts';

/** The first change is written immediately; those that follow within this time become one batch. */
const PAUSE_MS = 20;
const BATCH = 500;

type Waiting = {
  kind: 'open' | 'close';
  connection: Connection;
  done: (taken: boolean) => void;
  failed: (error: unknown) => void;
};

export type LeaseQueue = Readonly<{
  /** Resolves to false if the id belongs to another user. */
  open: (connection: Connection) => Promise<boolean>;
  close: (connection: Connection) => Promise<void>;
  /** Runs a task while no batch is being written. */
  runBetweenWrites: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Whether this connection's lease is about to be taken. */
  isOpening: (connectionId: ConnectionId) => boolean;
  /** Resolves once the queue is empty. */
  settle: () => Promise<void>;
}>;

/** Writes leases that are taken and released in batches, one batch at a time, and the changes of one id in order. */
export const createLeaseQueue = (write: Leases['write']): LeaseQueue => {
  const opening = new Map<ConnectionId, number>();
  const tasks: (() => Promise<void>)[] = [];
  let waiting: Waiting[] = [];
  let working: Promise<void> | null = null;
  let begunAt = Number.NEGATIVE_INFINITY;

  /** The next batch; it has at most one change of an id, so that their order is kept. */
  const take = (): Waiting[] => {
    const ids = new Set<ConnectionId>();
    const later: Waiting[] = [];
    const batch: Waiting[] = [];
    for (const one of waiting) {
      const { connectionId } = one.connection;
      const isNext = batch.length < BATCH && !ids.has(connectionId);
      ids.add(connectionId);
      (isNext ? batch : later).push(one);
    }
    waiting = later;
    return batch;
  };

  const opened = ({ kind, connection: { connectionId } }: Waiting): void => {
    if (kind === 'close') return;
    const left = (opening.get(connectionId) ?? 1) - 1;
    if (left > 0) opening.set(connectionId, left);
    else opening.delete(connectionId);
  };

  const writeBatch = async (): Promise<void> => {
    const batch = take();
    const of = (wanted: Waiting['kind']): Connection[] =>
      batch.flatMap(({ kind, connection }) => (kind === wanted ? [connection] : []));
    try {
      const taken = await write(of('open'), of('close'));
      for (const one of batch) {
        opened(one);
        one.done(one.kind === 'close' || taken.has(one.connection.connectionId));
      }
    } catch (error) {
      for (const one of batch) {
        opened(one);
        one.failed(error);
      }
    }
  };

  const work = async (): Promise<void> => {
    for (;;) {
      const task = tasks.shift();
      if (task) await task();
      else if (waiting.length === 0) return;
      else {
        const pause = begunAt + PAUSE_MS - performance.now();
        if (pause > 0) await sleep(pause);
        begunAt = performance.now();
        await writeBatch();
      }
    }
  };

  const start = (): void => {
    working ??= work().finally(() => {
      working = null;
      if (waiting.length > 0 || tasks.length > 0) start();
    });
  };

  const enqueue = (kind: Waiting['kind'], connection: Connection): Promise<boolean> =>
    new Promise((done, failed) => {
      waiting.push({ kind, connection, done, failed });
      start();
    });

  return {
    open: (connection) => {
      opening.set(connection.connectionId, (opening.get(connection.connectionId) ?? 0) + 1);
      return enqueue('open', connection);
    },
    close: async (connection) => void (await enqueue('close', connection)),
    runBetweenWrites: (task) =>
      new Promise((resolve, reject) => {
        tasks.push(() => task().then(resolve, reject));
        start();
      }),
    isOpening: (connectionId) => opening.has(connectionId),
    settle: async () => {
      while (working) await working;
    },
  };
};

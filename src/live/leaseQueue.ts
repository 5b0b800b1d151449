import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionId } from '../domain/ids.ts';
import type { Connection, Leases } from './leases.ts';

/** The first socket that comes or goes is written at once; those that follow are gathered for so long. */
const PAUSE_MS = 20;
const BATCH = 500;

type Waiting = {
  kind: 'open' | 'close';
  connection: Connection;
  done: (taken: boolean) => void;
  failed: (error: unknown) => void;
};

export type LeaseQueue = Readonly<{
  /** Resolves to false when the id is another user's. */
  open: (connection: Connection) => Promise<boolean>;
  close: (connection: Connection) => Promise<void>;
  /** Does something while nothing is being written. */
  between: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Whether this connection's lease is about to be taken. */
  isOpening: (connectionId: ConnectionId) => boolean;
  /** Resolves once nothing waits any more. */
  settle: () => Promise<void>;
}>;

/** Writes sockets that come and go together, one batch at a time and each id's in order. */
export const createLeaseQueue = (write: Leases['write']): LeaseQueue => {
  const opening = new Map<ConnectionId, number>();
  const errands: (() => Promise<void>)[] = [];
  let waiting: Waiting[] = [];
  let working: Promise<void> | null = null;
  let begunAt = Number.NEGATIVE_INFINITY;

  /** The next ones to write: what comes second for an id waits for the next turn, so that order is kept. */
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
      const errand = errands.shift();
      if (errand) await errand();
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
      if (waiting.length > 0 || errands.length > 0) start();
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
    between: (errand) =>
      new Promise((resolve, reject) => {
        errands.push(() => errand().then(resolve, reject));
        start();
      }),
    isOpening: (connectionId) => opening.has(connectionId),
    settle: async () => {
      while (working) await working;
    },
  };
};

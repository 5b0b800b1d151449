import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { Topic } from '../../../src/contracts/topics.ts';
import { type BulkKeys, newIdempotencyKey, type RecordOptions } from './client.ts';
import { causeOf, isApiError } from './error.ts';
import { refetchTopic } from './refetchTopic.ts';

/** Few enough that a bulk action of one user does not slow the others down. */
const CONCURRENT = 4;
const ATTEMPTS = 3;
const LONGEST_WAIT_MS = 10_000;

/** The result for one row, so far. */
export type BulkResult = Readonly<{ kind: 'waiting' | 'running' | 'done' } | { kind: 'failed'; error: string }>;

type BulkRun<Row> = {
  keyOf: (row: Row) => string;
  /** Changes one row. A repeated call after a failure has the same idempotency key, unless the server rejected the change. */
  change: (row: Row, keys: BulkKeys) => Promise<unknown>;
  /** Adds the whole run to the history. `refused` rows were not changed. */
  record?: ((bulkId: string, refused: number, options: RecordOptions) => Promise<unknown>) | undefined;
  /** What to refetch afterwards. */
  touched: readonly Topic[];
  /** The text of a failure without one. */
  fallback: string;
  /** Loads again what the user saw of a row; absent where a change does not depend on it. */
  reload?: ((row: Row) => Promise<void>) | undefined;
};

/** Runs work for each item, `concurrent` at a time. */
export const runEach = async <Item>(
  items: readonly Item[],
  concurrent: number,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(concurrent, items.length) }, worker));
};

/** Whether the server stores this failure with the idempotency key, so that another attempt needs another key. */
const isRejection = (error: unknown): boolean =>
  isApiError(error) && error.status >= 400 && error.status < 500 && ![401, 403, 408, 429].includes(error.status);

/** Whether the server refused a change because the row, or its plan, has changed since the user saw it. */
const isOutdated = (error: unknown): boolean => isApiError(error) && (error.status === 412 || error.code === 'plan_offer_outdated');

const busyFor = (error: unknown): number | undefined => (isApiError(error) ? error.retryAfterMs : undefined);

const wait = (ms: number): Promise<void> => new Promise((resolve) => window.setTimeout(resolve, ms));

/** Waits and tries again while the server asks for that (Retry-After). */
const patiently = async (work: () => Promise<unknown>): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      const pause = busyFor(error);
      if (pause === undefined || attempt === ATTEMPTS) throw error;
      await wait(Math.min(pause, LONGEST_WAIT_MS));
    }
  }
};

/**
 * Changes many rows by one request each, with a result for each row. `start` again with the failed rows tries those again. A row that has
 * changed since the user saw it is loaded again, and has no result: the user confirms what it is now.
 */
export const useBulkRun = <Row>({ keyOf, change, record, touched, fallback, reload }: BulkRun<Row>) => {
  const queries = useQueryClient();
  const [results, setResults] = useState<ReadonlyMap<string, BulkResult>>(new Map());
  const [isRunning, setRunning] = useState(false);
  const [outdated, setOutdated] = useState<ReadonlySet<string>>(new Set());
  const isStopped = useRef(false);
  const idempotencyKeys = useRef(new Map<string, string>());

  const note = useCallback(
    (key: string, result: BulkResult | null) =>
      setResults((before) => {
        const next = new Map(before);
        if (result) next.set(key, result);
        else next.delete(key);
        return next;
      }),
    [],
  );

  /** Rows that wait are not changed; those that run are finished. */
  const stop = (): void => {
    isStopped.current = true;
  };

  /** Resolves to whether the row was refused. */
  const runOne = async (row: Row, bulkId: string): Promise<boolean> => {
    const key = keyOf(row);
    const end = (result: BulkResult | null): boolean => {
      note(key, result);
      return result?.kind === 'failed';
    };
    if (isStopped.current) return end(null);
    const idempotencyKey = idempotencyKeys.current.get(key) ?? newIdempotencyKey();
    idempotencyKeys.current.set(key, idempotencyKey);
    note(key, { kind: 'running' });
    try {
      await patiently(() => change(row, { idempotencyKey, bulkId }));
      return end({ kind: 'done' });
    } catch (error) {
      if (isRejection(error)) idempotencyKeys.current.delete(key);
      if (!reload || !isOutdated(error)) return end({ kind: 'failed', error: causeOf(error, fallback) });
      try {
        await reload(row);
        setOutdated((before) => new Set(before).add(key));
        return end(null);
      } catch (cause) {
        return end({ kind: 'failed', error: causeOf(cause, fallback) });
      }
    }
  };

  const start = async (rows: readonly Row[]): Promise<void> => {
    isStopped.current = false;
    setRunning(true);
    setOutdated(new Set());
    for (const row of rows) note(keyOf(row), { kind: 'waiting' });
    const bulkId = newIdempotencyKey();
    let refused = 0;
    let isRecorded = false;
    // The changes have their own entries: without that of the whole run nothing is lost.
    const recordRun = (options: RecordOptions): void => {
      if (isRecorded) return;
      isRecorded = true;
      void record?.(bulkId, refused, options).catch(() => undefined);
    };
    /** The page is left: what was changed until now has an entry, too. */
    const leave = (): void => {
      stop();
      recordRun({ keepalive: true });
    };
    window.addEventListener('pagehide', leave);
    await runEach(rows, CONCURRENT, async (row) => {
      if (await runOne(row, bulkId)) refused += 1;
    });
    window.removeEventListener('pagehide', leave);
    setRunning(false);
    for (const topic of touched) void refetchTopic(queries, topic);
    recordRun({});
  };
  return { results, outdated, isRunning, start, stop };
};

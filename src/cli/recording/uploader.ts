import { closeSync, fdatasyncSync, openSync, rmSync } from 'node:fs';
import type { ApiCallsReply } from '../../contracts/apiCalls.ts';
import { type Failure, failed } from '../failure.ts';
import { diskReason } from '../home/diskErrors.ts';
import { errnoOf } from '../home/files.ts';
import { type Batch, batchesOf } from './batch.ts';
import type { Delivery } from './delivery.ts';
import {
  acknowledge,
  endOf,
  isSent,
  readSegment,
  readSourceSpool,
  removeSourceSpool,
  retire,
  type Segment,
} from './sourceSpool.ts';
import type { Spool } from './spool.ts';

export type Uploader = Readonly<{
  /** Sends all spooled calls, and resolves to the failure that stopped it, if any. The caller must hold the upload lock. */
  drain: () => Promise<Failure | null>;
}>;

const IN_FLIGHT = 4;
/** Batches of one source in a row, before the next source has its turn. */
const BATCHES_PER_TURN = 64;

/** Syncs a segment before it is sent: after a crash, its sequence numbers must not be reused for other calls. */
const makeDurable = ({ file }: Segment): void => {
  try {
    const fd = openSync(file, 'r');
    try {
      fdatasyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (!['ENOENT', 'EINVAL', 'EROFS'].includes(errnoOf(error) ?? '')) throw error;
  }
};

export const spoolFailure = (error: unknown): Failure =>
  failed('spool_failed', `The queue cannot be read or written: ${diskReason(error)}`);

/** Sends the calls of a spool, source by source and in order, and removes what was acknowledged. */
export const openUploader = (spool: Spool, delivery: Delivery): Uploader => {
  /** Sends up to `BATCHES_PER_TURN` batches of a source. Batches complete in any order; the acknowledged sequence only covers consecutive ones. */
  const sendSource = async (directory: string): Promise<Readonly<{ hasSent: boolean; failure: Failure | null }>> => {
    const source = readSourceSpool(directory);
    if (source === null) return { hasSent: false, failure: null };
    const { segments } = source;
    const ackedBefore = source.acked ?? 0;
    const progress: { acked: number; removed: number; failure: Failure | null } = { acked: ackedBefore, removed: 0, failure: null };
    /** `partly` is the last sequence of a batch whose later calls exceed the quota. */
    const inOrder: { through: number; done: boolean; partly: number }[] = [];
    const running = new Set<Promise<void>>();
    let end = endOf(source);

    /** A server that knows higher numbers received them from a copy of this folder, or before a backup was restored. */
    const onReply = ({ nextSequence }: ApiCallsReply): void => {
      if (source.origin.kind === 'install' && nextSequence - 1 > end) retire(source);
    };

    /** Removes the completely acknowledged segments, except for the last one, which the writer may still append to. */
    const removeSent = (): void => {
      const done = segments.slice(1).filter(({ first }) => first - 1 <= progress.acked).length;
      if (done <= progress.removed) return;
      acknowledge(source, progress.acked);
      for (const { file } of segments.slice(progress.removed, done)) rmSync(file, { force: true });
      progress.removed = done;
    };

    const start = (batch: Batch): void => {
      const entry = { through: batch.through, done: false, partly: 0 };
      inOrder.push(entry);
      end = Math.max(end, batch.through); // The writer may have appended since `end` was read.
      const work = async (): Promise<void> => {
        const failure = batch.count === 0 ? null : await delivery.deliver(source.origin, batch, onReply);
        if (failure !== null) {
          progress.failure ??= failure;
          if (failure.calls !== null) entry.partly = failure.calls.refusedFrom - 1;
          return;
        }
        entry.done = true;
        while (inOrder[0]?.done) progress.acked = inOrder.shift()?.through ?? progress.acked;
        removeSent();
      };
      const promise = work()
        .catch((error: unknown) => {
          progress.failure ??= spoolFailure(error);
        })
        .finally(() => running.delete(promise));
      running.add(promise);
    };

    let started = 0;
    for (const [index, segment] of segments.entries()) {
      const next = segments[index + 1];
      if (next !== undefined && next.first - 1 <= ackedBefore) continue;
      const content = readSegment(segment);
      if (next === undefined) makeDurable(segment);
      for (const batch of batchesOf(content, segment.first, ackedBefore, delivery.maxBytes)) {
        while (running.size >= IN_FLIGHT) await Promise.race(running);
        if (progress.failure !== null || started >= BATCHES_PER_TURN) break;
        start(batch);
        started++;
      }
      if (progress.failure !== null || started >= BATCHES_PER_TURN) break;
    }
    await Promise.all(running);
    progress.acked = Math.max(progress.acked, inOrder[0]?.partly ?? 0);
    removeSent();
    if (progress.acked > ackedBefore) acknowledge(source, progress.acked);
    return { hasSent: started > 0, failure: progress.failure };
  };

  /** Removes the files of a completely sent source that has no writer. */
  const cleanUp = (directory: string): void => {
    const before = readSourceSpool(directory);
    if (before === null || !isSent(before)) return;
    if (!spool.isFinished(before) && (before.segments.length === 0 || !spool.mayRemoveSegments(before))) return;
    const lock = spool.tryWriterLock(before);
    if (lock === null) return;
    const source = readSourceSpool(directory);
    if (source !== null && isSent(source)) {
      for (const { file } of source.segments) rmSync(file, { force: true });
      if (spool.isFinished(source)) removeSourceSpool(source);
    }
    lock.release();
  };

  const drainOnce = async (): Promise<Readonly<{ hasSent: boolean; failure: Failure | null }>> => {
    let hasSent = false;
    for (const { directory } of spool.sources()) {
      const turn = await sendSource(directory);
      if (turn.failure !== null) return turn;
      hasSent ||= turn.hasSent;
      cleanUp(directory);
    }
    return { hasSent, failure: null };
  };

  return {
    drain: async () => {
      delivery.restartRetries();
      try {
        for (;;) {
          const { hasSent, failure } = await drainOnce();
          if (failure?.calls) spool.quota.begin(failure.calls.quota);
          else if (hasSent && failure === null) spool.quota.end();
          if (failure !== null || !hasSent) return failure;
        }
      } catch (error) {
        return spoolFailure(error);
      }
    },
  };
};

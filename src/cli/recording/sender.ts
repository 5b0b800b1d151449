import { closeSync, fdatasyncSync, openSync, rmSync } from 'node:fs';
import type { ApiCallsReply } from '../../contracts/apiCalls.ts';
import { type Failure, failed } from '../failure.ts';
import { diskReason } from '../home/diskTroubles.ts';
import { errnoOf } from '../home/files.ts';
import { type Batch, batchesOf } from './batch.ts';
import type { Delivery } from './delivery.ts';
import { acknowledge, endOf, isSent, readLane, readSegment, removeLane, retire, type Segment } from './lane.ts';
import type { Spool } from './spool.ts';

export type Sender = Readonly<{
  /** Sends all spooled calls, and resolves to the failure that stopped it, if any. The caller must hold the upload lock. */
  drain: () => Promise<Failure | null>;
}>;

const IN_FLIGHT = 4;
/** Batches of one source in a row, before the next source has its turn. */
const TURN = 64;

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

export const openSender = (spool: Spool, delivery: Delivery): Sender => {
  /** Sends up to `TURN` batches of a source. Batches complete in any order; the acknowledged sequence only covers consecutive ones. */
  const sendTurn = async (directory: string): Promise<Readonly<{ moved: boolean; failure: Failure | null }>> => {
    const lane = readLane(directory);
    if (lane === null) return { moved: false, failure: null };
    const { segments } = lane;
    const begun = lane.acked ?? 0;
    const progress: { acked: number; removed: number; failure: Failure | null } = { acked: begun, removed: 0, failure: null };
    const order: { through: number; done: boolean }[] = [];
    const running = new Set<Promise<void>>();
    let end = endOf(lane);

    /** A server that knows higher numbers received them from a copy of this folder, or before a backup was restored. */
    const onReply = ({ nextSequence }: ApiCallsReply): void => {
      if (lane.origin.kind === 'install' && nextSequence - 1 > end) retire(lane);
    };

    /** Removes the completely acknowledged segments, except for the last one, which the writer may still append to. */
    const removeSent = (): void => {
      const done = segments.slice(1).filter(({ first }) => first - 1 <= progress.acked).length;
      if (done <= progress.removed) return;
      acknowledge(lane, progress.acked);
      for (const { file } of segments.slice(progress.removed, done)) rmSync(file, { force: true });
      progress.removed = done;
    };

    const start = (batch: Batch): void => {
      const place = { through: batch.through, done: false };
      order.push(place);
      end = Math.max(end, batch.through); // The writer may have appended since `end` was read.
      const work = async (): Promise<void> => {
        const failure = batch.count === 0 ? null : await delivery.deliver(lane.origin, batch, onReply);
        if (failure !== null) {
          progress.failure ??= failure;
          return;
        }
        place.done = true;
        while (order[0]?.done) progress.acked = order.shift()?.through ?? progress.acked;
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
      if (next !== undefined && next.first - 1 <= begun) continue;
      const content = readSegment(segment);
      if (next === undefined) makeDurable(segment);
      for (const batch of batchesOf(content, segment.first, begun, delivery.maxBytes)) {
        while (running.size >= IN_FLIGHT) await Promise.race(running);
        if (progress.failure !== null || started >= TURN) break;
        start(batch);
        started++;
      }
      if (progress.failure !== null || started >= TURN) break;
    }
    await Promise.all(running);
    removeSent();
    if (progress.acked > begun) acknowledge(lane, progress.acked);
    return { moved: started > 0, failure: progress.failure };
  };

  /** Removes the files of a completely sent source that has no writer. */
  const tidy = (directory: string): void => {
    const seen = readLane(directory);
    if (seen === null || !isSent(seen)) return;
    if (!spool.isFinished(seen) && (seen.segments.length === 0 || !spool.mayClear(seen))) return;
    const lock = spool.tryWriting(seen);
    if (lock === null) return;
    const lane = readLane(directory);
    if (lane !== null && isSent(lane)) {
      for (const { file } of lane.segments) rmSync(file, { force: true });
      if (spool.isFinished(lane)) removeLane(lane);
    }
    lock.release();
  };

  const drainOnce = async (): Promise<Readonly<{ moved: boolean; failure: Failure | null }>> => {
    let moved = false;
    for (const { directory } of spool.lanes()) {
      const turn = await sendTurn(directory);
      if (turn.failure !== null) return turn;
      moved ||= turn.moved;
      tidy(directory);
    }
    return { moved, failure: null };
  };

  return {
    drain: async () => {
      delivery.begin();
      try {
        for (;;) {
          const { moved, failure } = await drainOnce();
          if (failure !== null || !moved) return failure;
        }
      } catch (error) {
        return spoolFailure(error);
      }
    },
  };
};

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
  /** Sends what is spooled until nothing is left; says why when something stopped it. The right to send must be held. */
  drain: () => Promise<Failure | null>;
}>;

const IN_FLIGHT = 4;
/** A lane gives way to the others after so many batches. */
const TURN = 64;

/** What is sent must not be lost here afterwards: its numbers would be given to other calls, which then would not count. */
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
  /** Sends a turn of a lane. Batches come back in any order; what is acknowledged has no hole. */
  const sendTurn = async (directory: string): Promise<Readonly<{ moved: boolean; failure: Failure | null }>> => {
    const lane = readLane(directory);
    if (lane === null) return { moved: false, failure: null };
    const { segments } = lane;
    const begun = lane.acked ?? 0;
    const progress: { acked: number; removed: number; failure: Failure | null } = { acked: begun, removed: 0, failure: null };
    const order: { through: number; done: boolean }[] = [];
    const running = new Set<Promise<void>>();
    let end = endOf(lane);

    /** A server that knows numbers which were never given here got them from a copy, or before a backup was restored. */
    const onReply = ({ nextSequence }: ApiCallsReply): void => {
      if (lane.origin.kind === 'install' && nextSequence - 1 > end) retire(lane);
    };

    /** The segments that have another one after them and are acknowledged as a whole. */
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
      end = Math.max(end, batch.through); // It may have been written just now.
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

  /** Removes what is of no more use in a lane that is sent and that nobody writes. */
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

import { randomUUID } from 'node:crypto';
import { appendFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errnoOf, makePrivateDirectory, readIfThere, writePrivateFile } from '../home/files.ts';
import { fingerprint } from '../home/machine.ts';
import { isoTime } from '../io.ts';
import { countPending, createLane, isSent, type Lane, type Origin, readLane } from './lane.ts';
import { type Lock, type LockOwner, tryLock } from './lock.ts';
import { markThisProcess } from './processMark.ts';
import { type Disk, type LaneWriter, openWriter, realDisk } from './writer.ts';

/** A call that the server refused; it is kept out of the way of the others and told. */
export type RejectedCall = Readonly<{ sourceId: string; run: boolean; sequence: number; reason: string; call: unknown }>;

/** Calls recorded for one customer and not yet known to be on the server. */
export type Spool = Readonly<{
  directory: string;
  /** Where calls are kept that the server refused. */
  rejectedFile: string;
  /** Opens a lane for writing that no living process has. Never waits. */
  writer: () => LaneWriter;
  /** Opens a lane of its own for a source that numbers its calls itself, from `first` on. */
  runWriter: (sourceId: string, first: number) => LaneWriter;
  lanes: () => readonly Lane[];
  /** How many calls wait to be sent. */
  pending: () => number;
  isEmpty: () => boolean;
  /** The right to send, which one process has at a time; null when another one has it. */
  trySending: () => Lock | null;
  tryWriting: (lane: Lane) => Lock | null;
  /** False when the disk takes no more. */
  keepRejected: (calls: readonly RejectedCall[]) => boolean;
  /** Until when nothing should be sent, in epoch ms, because the server asked for it or was very slow to not answer. */
  heldUntil: () => number;
  hold: (ms: number) => void;
  release: () => void;
  /** Whether a lane that is sent may be cleared: made on this machine, or left alone by the one that made it. */
  mayClear: (lane: Lane) => boolean;
  /** Whether a lane will never be written again. */
  isFinished: (lane: Lane) => boolean;
}>;

const REJECTED = 'rejected.ndjson';
const REJECTED_BYTES = 16 * 1024 * 1024;
/** A lane of another machine that nobody touched for so long has no writer any more. */
const ABANDONED_MS = 86_400_000;
const LONGEST_HOLD_MS = 15 * 60_000;
const holdFile = z.object({ until: z.iso.datetime() });

/** The spool in a folder, which is made when something is first written. `now` is in epoch ms. */
export const openSpool = (directory: string, now: () => number, disk: Disk = realDisk): Spool => {
  const lanesDirectory = join(directory, 'lanes');
  const rejectedFile = join(directory, REJECTED);
  const held = join(directory, 'hold.json');
  const owner: LockOwner = { mark: markThisProcess(), now };
  const machine = fingerprint();

  const tryWriting = ({ directory: lane }: Lane): Lock | null => {
    try {
      return tryLock(lane, 'writer', owner);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return null;
      throw error;
    }
  };

  const openLane = (found: Lane): LaneWriter | null => {
    const lock = tryWriting(found);
    if (lock === null) return null;
    try {
      const lane = readLane(found.directory);
      if (lane !== null && lane.acked !== null && !lane.retired) return openWriter({ ...lane, acked: lane.acked }, lock, disk);
    } catch (error) {
      lock.release();
      throw error;
    }
    lock.release();
    return null;
  };

  const names = (): string[] => {
    try {
      return readdirSync(lanesDirectory);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return [];
      throw error;
    }
  };

  const lanes = (): Lane[] =>
    names()
      .filter((name) => !name.startsWith('.'))
      .sort()
      .map((name) => readLane(join(lanesDirectory, name)))
      .filter((lane) => lane !== null);

  /** What came with a copied or a shared home folder is sent, but not written: its numbers are somebody else's. */
  const isOurs = ({ origin }: Lane) => origin.machine === machine;

  const isAbandoned = ({ directory: lane, segments }: Lane) => {
    const touched = [lane, ...segments.map(({ file }) => file)].map(
      (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
    );
    return Math.abs(now() - Math.max(...touched)) > ABANDONED_MS;
  };

  const firstFree = (): LaneWriter | null => {
    for (const lane of lanes()) {
      if (lane.origin.kind !== 'install' || lane.retired || !isOurs(lane) || lane.acked === null) continue;
      const writer = openLane(lane);
      if (writer !== null) return writer;
    }
    return null;
  };

  const created = (kind: Origin['kind'], sourceId: string, first: number): LaneWriter | null => {
    makePrivateDirectory(lanesDirectory);
    const lane = readLane(createLane(lanesDirectory, `${kind}-${randomUUID()}`, { sourceId, kind, machine }, first));
    return lane && openLane(lane);
  };

  /** Somebody else may be quicker to take, or to clear away, what was just found or made. */
  const untilOpen = (attempt: () => LaneWriter | null): LaneWriter => {
    for (;;) {
      const writer = attempt();
      if (writer !== null) return writer;
    }
  };

  return {
    directory,
    rejectedFile,
    writer: () => untilOpen(() => firstFree() ?? created('install', randomUUID(), 1)),
    runWriter: (sourceId, first) => untilOpen(() => created('run', sourceId, first)),
    lanes,
    pending: () => lanes().reduce((total, lane) => total + countPending(lane), 0),
    isEmpty: () => lanes().every(isSent),
    trySending: () => {
      makePrivateDirectory(directory);
      return tryLock(directory, 'sender', owner);
    },
    tryWriting,
    keepRejected: (calls) => {
      const at = isoTime(now());
      const lines = calls.map(
        ({ sourceId, sequence, reason, call }) => `${JSON.stringify({ at, sourceId, sequence, reason, call })}\n`,
      );
      try {
        makePrivateDirectory(directory);
        appendFileSync(rejectedFile, lines.join(''), { mode: 0o600, flush: true });
        if (statSync(rejectedFile).size > REJECTED_BYTES) renameSync(rejectedFile, join(directory, `previous-${REJECTED}`));
        return true;
      } catch {
        return false;
      }
    },
    heldUntil: () => {
      try {
        const until = Date.parse(holdFile.parse(JSON.parse(readIfThere(held) ?? '{}')).until);
        // A clock that was set back must not hold anything for longer than it could have been asked.
        return until - now() > LONGEST_HOLD_MS ? 0 : until;
      } catch {
        return 0;
      }
    },
    hold: (ms) => {
      try {
        writePrivateFile(held, JSON.stringify({ until: isoTime(now() + Math.min(ms, LONGEST_HOLD_MS)) }));
      } catch {
        // On a full disk the next process asks the server once more.
      }
    },
    release: () => rmSync(held, { force: true }),
    mayClear: (lane) => isOurs(lane) || isAbandoned(lane),
    isFinished: (lane) => lane.origin.kind === 'run' || lane.retired || lane.acked === null || (!isOurs(lane) && isAbandoned(lane)),
  };
};

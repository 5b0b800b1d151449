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

/** A call that the server rejected. It is saved to a separate file and reported. */
export type RejectedCall = Readonly<{ sourceId: string; run: boolean; sequence: number; reason: string; call: unknown }>;

/** Calls that are recorded for one customer and not acknowledged by the server. */
export type Spool = Readonly<{
  directory: string;
  /** The file of rejected calls. */
  rejectedFile: string;
  /** Opens a writer of a source that no running process writes. Never waits. */
  writer: () => LaneWriter;
  /** Opens a writer of a new source with the given id, whose numbers begin at `first`. */
  runWriter: (sourceId: string, first: number) => LaneWriter;
  lanes: () => readonly Lane[];
  /** The number of calls that are not sent. */
  pending: () => number;
  isEmpty: () => boolean;
  /** Acquires the lock for sending; null if another process holds it. */
  trySending: () => Lock | null;
  tryWriting: (lane: Lane) => Lock | null;
  /** Saves rejected calls; false if the disk cannot be written. */
  keepRejected: (calls: readonly RejectedCall[]) => boolean;
  /** The epoch ms until which sending is paused, because the server asked for it or did not respond. */
  heldUntil: () => number;
  hold: (ms: number) => void;
  release: () => void;
  /** Whether the segments of a sent source may be removed: it is from this machine, or its machine has abandoned it. */
  mayClear: (lane: Lane) => boolean;
  /** Whether a source will never be written again. */
  isFinished: (lane: Lane) => boolean;
}>;

const REJECTED = 'rejected.ndjson';
const REJECTED_BYTES = 16 * 1024 * 1024;
/** A source of another machine is abandoned if its files have not changed for this long. */
const ABANDONED_MS = 86_400_000;
const LONGEST_HOLD_MS = 15 * 60_000;
const holdFile = z.object({ until: z.iso.datetime() });

/** Opens the spool of a folder, which the first write creates. `now` returns epoch ms. */
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

  /** Sources of a copied or shared home directory are sent, but never written: their numbers belong to another machine. */
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

  /** Retries, because another process can lock or remove a source that was just found or created. */
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
        // A clock that was set back must not extend the pause beyond its maximum.
        return until - now() > LONGEST_HOLD_MS ? 0 : until;
      } catch {
        return 0;
      }
    },
    hold: (ms) => {
      try {
        writePrivateFile(held, JSON.stringify({ until: isoTime(now() + Math.min(ms, LONGEST_HOLD_MS)) }));
      } catch {
        // On a full disk, the next process sends without the pause.
      }
    },
    release: () => rmSync(held, { force: true }),
    mayClear: (lane) => isOurs(lane) || isAbandoned(lane),
    isFinished: (lane) => lane.origin.kind === 'run' || lane.retired || lane.acked === null || (!isOurs(lane) && isAbandoned(lane)),
  };
};

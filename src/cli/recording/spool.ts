import { randomUUID } from 'node:crypto';
import { appendFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DAY_MS, MINUTE_MS } from '../../domain/time.ts';
import { errnoOf, makePrivateDirectory, readIfExists, writePrivateFile } from '../home/files.ts';
import { fingerprint } from '../home/machine.ts';
import { isoTime } from '../io.ts';
import { type Lock, type LockOwner, tryLock } from './lock.ts';
import { identifyThisProcess } from './processIdentity.ts';
import { openQuotaHold } from './quotaHold.ts';
import { countPending, createSourceSpool, isSent, type Origin, readSourceSpool, type SourceSpool } from './sourceSpool.ts';
import { type Disk, openWriter, realDisk, type SpoolWriter } from './writer.ts';

/** A call that the server rejected. It is saved to a separate file and reported. */
export type RejectedCall = Readonly<{ sourceId: string; run: boolean; sequence: number; reason: string; call: unknown }>;

/** Calls that are recorded for one customer and not acknowledged by the server. */
export type Spool = Readonly<{
  directory: string;
  /** The file of rejected calls. */
  rejectedFile: string;
  /** Opens a writer of a source that no running process writes. Never waits. */
  writer: () => SpoolWriter;
  /** Opens a writer of a new source with the given id, whose numbers begin at `first`. */
  runWriter: (sourceId: string, first: number) => SpoolWriter;
  sources: () => readonly SourceSpool[];
  /** The number of calls that are not sent. */
  pending: () => number;
  isEmpty: () => boolean;
  /** Acquires the lock for sending; null if another process holds it. */
  tryUploadLock: () => Lock | null;
  tryWriterLock: (source: SourceSpool) => Lock | null;
  /** Saves rejected calls; false if the disk cannot be written. */
  keepRejected: (calls: readonly RejectedCall[]) => boolean;
  /** The epoch ms until which sending is paused, because the server asked for it or did not respond. */
  pausedUntil: () => number;
  pause: (ms: number) => void;
  resume: () => void;
  /** Whether sending waits for the monthly quota. */
  quota: ReturnType<typeof openQuotaHold>;
  /** Whether the segments of a sent source may be removed: it is from this machine, or its machine has abandoned it. */
  mayRemoveSegments: (source: SourceSpool) => boolean;
  /** Whether a source will never be written again. */
  isFinished: (source: SourceSpool) => boolean;
}>;

const REJECTED = 'rejected.ndjson';
const REJECTED_BYTES = 16 * 1024 * 1024;
/** A source of another machine is abandoned if its files have not changed for this long. */
const ABANDONED_MS = DAY_MS;
const MAX_PAUSE_MS = 15 * MINUTE_MS;
const pauseSchema = z.object({ until: z.iso.datetime() });

/** Opens the spool of a folder, which the first write creates. `now` returns epoch ms. */
export const openSpool = (directory: string, now: () => number, disk: Disk = realDisk): Spool => {
  const sourcesDirectory = join(directory, 'lanes');
  const rejectedFile = join(directory, REJECTED);
  const pauseFile = join(directory, 'hold.json');
  const owner: LockOwner = { identity: identifyThisProcess(), now };
  const machine = fingerprint();

  const tryWriterLock = ({ directory: source }: SourceSpool): Lock | null => {
    try {
      return tryLock(source, 'writer', owner);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return null;
      throw error;
    }
  };

  const openSourceSpool = (found: SourceSpool): SpoolWriter | null => {
    const lock = tryWriterLock(found);
    if (lock === null) return null;
    try {
      const source = readSourceSpool(found.directory);
      if (source !== null && source.acked !== null && !source.retired)
        return openWriter({ ...source, acked: source.acked }, lock, disk);
    } catch (error) {
      lock.release();
      throw error;
    }
    lock.release();
    return null;
  };

  const folderNames = (): string[] => {
    try {
      return readdirSync(sourcesDirectory);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return [];
      throw error;
    }
  };

  const sources = (): SourceSpool[] =>
    folderNames()
      .filter((name) => !name.startsWith('.'))
      .sort()
      .map((name) => readSourceSpool(join(sourcesDirectory, name)))
      .filter((source) => source !== null);

  /** Sources of a copied or shared home directory are sent, but never written: their numbers belong to another machine. */
  const isFromThisMachine = ({ origin }: SourceSpool) => origin.machine === machine;

  const isAbandoned = ({ directory: source, segments }: SourceSpool) => {
    const changedAt = [source, ...segments.map(({ file }) => file)].map(
      (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
    );
    return Math.abs(now() - Math.max(...changedAt)) > ABANDONED_MS;
  };

  const openFree = (): SpoolWriter | null => {
    for (const source of sources()) {
      if (source.origin.kind !== 'install' || source.retired || !isFromThisMachine(source) || source.acked === null) continue;
      const writer = openSourceSpool(source);
      if (writer !== null) return writer;
    }
    return null;
  };

  const create = (kind: Origin['kind'], sourceId: string, first: number): SpoolWriter | null => {
    makePrivateDirectory(sourcesDirectory);
    const source = readSourceSpool(
      createSourceSpool(sourcesDirectory, `${kind}-${randomUUID()}`, { sourceId, kind, machine }, first),
    );
    return source && openSourceSpool(source);
  };

  /** Retries, because another process can lock or remove a source that was just found or created. */
  const retryUntilOpen = (attempt: () => SpoolWriter | null): SpoolWriter => {
    for (;;) {
      const writer = attempt();
      if (writer !== null) return writer;
    }
  };

  return {
    directory,
    rejectedFile,
    writer: () => retryUntilOpen(() => openFree() ?? create('install', randomUUID(), 1)),
    runWriter: (sourceId, first) => retryUntilOpen(() => create('run', sourceId, first)),
    sources,
    pending: () => sources().reduce((total, source) => total + countPending(source), 0),
    isEmpty: () => sources().every(isSent),
    tryUploadLock: () => {
      makePrivateDirectory(directory);
      return tryLock(directory, 'sender', owner);
    },
    tryWriterLock,
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
    pausedUntil: () => {
      try {
        const until = Date.parse(pauseSchema.parse(JSON.parse(readIfExists(pauseFile) ?? '{}')).until);
        // A clock that was set back must not extend the pause beyond its maximum.
        return until - now() > MAX_PAUSE_MS ? 0 : until;
      } catch {
        return 0;
      }
    },
    pause: (ms) => {
      try {
        writePrivateFile(pauseFile, JSON.stringify({ until: isoTime(now() + Math.min(ms, MAX_PAUSE_MS)) }));
      } catch {
        // On a full disk, the next process sends without the pause.
      }
    },
    resume: () => rmSync(pauseFile, { force: true }),
    quota: openQuotaHold(directory, now),
    mayRemoveSegments: (source) => isFromThisMachine(source) || isAbandoned(source),
    isFinished: (source) =>
      source.origin.kind === 'run' ||
      source.retired ||
      source.acked === null ||
      (!isFromThisMachine(source) && isAbandoned(source)),
  };
};

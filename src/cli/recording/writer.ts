import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readFileSync, write, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { syncDirectory } from '../home/files.ts';
import { countLines, isRetired, type Lane, LINE_END, segmentFile, wholeLines } from './lane.ts';
import { type Lock, TOUCH_EVERY_MS } from './lock.ts';

/** The limits of a segment, after which the next one begins. Only complete segments are removed after they are sent. */
const SEGMENT_LINES = 8_000;
const SEGMENT_BYTES = 2 * 1024 * 1024;

/** The disk operations of a writer. A parameter, so that tests can simulate a full or broken disk. */
export type Disk = Readonly<{
  /** Writes at a position. Resolves to the number of written bytes, which can be less than `length`. */
  write: (fd: number, bytes: Buffer, offset: number, length: number, position: number) => Promise<number>;
  sync: (fd: number) => Promise<void>;
  syncDirectory: (directory: string) => Promise<void>;
}>;

const writeAt = promisify(write);
export const realDisk: Disk = {
  write: async (fd, bytes, offset, length, position) => (await writeAt(fd, bytes, offset, length, position)).bytesWritten,
  sync: promisify(fdatasync),
  syncDirectory: async (directory) => {
    const opened = await open(directory);
    await opened.sync().finally(() => opened.close());
  },
};

/** `count` calls are synced to disk with the sequences from `first`. With a `problem`, that can be fewer than given. */
type Appended = Readonly<{ first: number; count: number; problem: Error | null }>;

export type LaneWriter = Readonly<{
  sourceId: string;
  /** Appends lines without line feeds, and resolves when they are on disk. Calls must not overlap. */
  append: (lines: readonly string[]) => Promise<Appended>;
  /** Appends synchronously, for a process that is about to exit. Completes an append in flight first. */
  appendNow: (lines: readonly string[]) => Appended;
  close: () => void;
}>;

/** `named`: the file's entry in the directory is synced. */
type Open = { fd: number; bytes: number; lines: number; named: boolean };
type Chunk = Readonly<{ into: Open; bytes: Buffer; lines: number }>;

const openSegment = (file: string, flag: 'wx' | 'r+'): Open => ({
  fd: openSync(file, flag, 0o600),
  bytes: 0,
  lines: 0,
  named: false,
});
const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Continues after the last complete line of a source. The writer owns the lock and releases it on `close`. */
export const openWriter = (lane: Lane & { acked: number }, lock: Lock, disk: Disk): LaneWriter => {
  let next = lane.acked + 1;
  let segment: Open | null = null;
  let underWay: Chunk | null = null;

  const last = lane.segments.at(-1);
  if (last !== undefined) {
    const content = readFileSync(last.file);
    const whole = wholeLines(content);
    const lines = countLines(whole);
    if (last.first + lines >= next) {
      next = last.first + lines;
      segment = { ...openSegment(last.file, 'r+'), bytes: whole.length, lines };
      if (whole.length < content.length) ftruncateSync(segment.fd, whole.length);
    }
  }

  const touching = setInterval(lock.touch, TOUCH_EVERY_MS).unref();

  const isFull = ({ lines, bytes }: Open) => lines >= SEGMENT_LINES || bytes >= SEGMENT_BYTES;

  /** Opens the next segment. The previous file stays open while an append to it is in flight. */
  const roll = (): Open => {
    const opened = openSegment(segmentFile(lane.directory, next), 'wx');
    if (segment !== null && underWay === null) closeSync(segment.fd);
    return opened;
  };

  const chunkOf = (lines: readonly string[]): Chunk => {
    if (segment === null || isFull(segment)) segment = roll();
    return { into: segment, bytes: Buffer.from(`${lines.join('\n')}\n`), lines: lines.length };
  };

  const settle = ({ into }: Chunk, bytes: number, lines: number): number => {
    const first = next;
    into.bytes += bytes;
    into.lines += lines;
    next += lines;
    return first;
  };

  /** After a failure, keeps the complete lines in the file, because an uploader may have read them already. */
  const keepWholeLines = (chunk: Chunk, problem: Error): Appended => {
    let landed = 0;
    try {
      const reached = Math.min(chunk.bytes.length, fstatSync(chunk.into.fd).size - chunk.into.bytes);
      landed = chunk.bytes.subarray(0, Math.max(0, reached)).lastIndexOf(LINE_END) + 1;
      ftruncateSync(chunk.into.fd, chunk.into.bytes + landed);
    } catch {
      // The next writer of the source truncates an incomplete line.
    }
    const count = countLines(chunk.bytes.subarray(0, landed));
    return { first: settle(chunk, landed, count), count, problem };
  };

  const nothing = (problem: Error): Appended => ({ first: next, count: 0, problem });
  const takenOver = () => nothing(new Error('Another process took over the queue'));
  const mayWrite = () => lock.held() && !isRetired(lane);

  const append = async (lines: readonly string[]): Promise<Appended> => {
    if (lines.length === 0) return { first: next, count: 0, problem: null };
    if (!mayWrite()) return takenOver();
    let chunk: Chunk;
    try {
      chunk = chunkOf(lines);
    } catch (error) {
      return nothing(asError(error));
    }
    underWay = chunk;
    const { bytes, into } = chunk;
    try {
      for (let done = 0; done < bytes.length; ) {
        done += await disk.write(into.fd, bytes, done, bytes.length - done, into.bytes + done);
      }
      await disk.sync(into.fd);
      if (!into.named) await disk.syncDirectory(lane.directory);
      into.named = true;
      return { first: settle(chunk, bytes.length, chunk.lines), count: chunk.lines, problem: null };
    } catch (error) {
      return keepWholeLines(chunk, asError(error));
    } finally {
      underWay = null;
    }
  };

  const writeNow = (chunk: Chunk): void => {
    const { bytes, into } = chunk;
    for (let done = 0; done < bytes.length; ) done += writeSync(into.fd, bytes, done, bytes.length - done, into.bytes + done);
    fdatasyncSync(into.fd);
    settle(chunk, bytes.length, chunk.lines);
  };

  return {
    sourceId: lane.origin.sourceId,
    append,
    appendNow: (lines) => {
      const first = next;
      if (!mayWrite()) return takenOver();
      try {
        // The append in flight writes the same bytes to the same position, so writing them twice is harmless.
        if (underWay !== null) writeNow(underWay);
        if (lines.length > 0) writeNow(chunkOf(lines));
        syncDirectory(lane.directory);
        return { first, count: next - first, problem: null };
      } catch (error) {
        return { first, count: next - first, problem: asError(error) };
      }
    },
    close: () => {
      clearInterval(touching);
      if (segment !== null) closeSync(segment.fd);
      segment = null;
      lock.release();
    },
  };
};

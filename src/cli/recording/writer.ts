import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readFileSync, write, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { syncDirectory } from '../home/files.ts';
import { type Lock, TOUCH_EVERY_MS } from './lock.ts';
import { countLines, isRetired, LINE_END, type SourceSpool, segmentFile, wholeLines } from './sourceSpool.ts';

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

export type SpoolWriter = Readonly<{
  sourceId: string;
  /** Appends lines without line feeds, and resolves when they are on disk. Calls must not overlap. */
  append: (lines: readonly string[]) => Promise<Appended>;
  /** Appends synchronously, for a process that is about to exit. Completes an append in flight first. */
  appendSync: (lines: readonly string[]) => Appended;
  close: () => void;
}>;

/** `isEntrySynced`: the file's entry in the directory is synced. */
type OpenSegment = { fd: number; bytes: number; lines: number; isEntrySynced: boolean };
type Chunk = Readonly<{ into: OpenSegment; bytes: Buffer; lines: number }>;

const openSegment = (file: string, flag: 'wx' | 'r+'): OpenSegment => ({
  fd: openSync(file, flag, 0o600),
  bytes: 0,
  lines: 0,
  isEntrySynced: false,
});
const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Continues after the last complete line of a source. The writer owns the lock and releases it on `close`. */
export const openWriter = (source: SourceSpool & { acked: number }, lock: Lock, disk: Disk): SpoolWriter => {
  let next = source.acked + 1;
  let segment: OpenSegment | null = null;
  let inFlight: Chunk | null = null;

  const last = source.segments.at(-1);
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

  const heartbeat = setInterval(lock.touch, TOUCH_EVERY_MS).unref();

  const isFull = ({ lines, bytes }: OpenSegment) => lines >= SEGMENT_LINES || bytes >= SEGMENT_BYTES;

  /** Opens the next segment. The previous file stays open while an append to it is in flight. */
  const openNext = (): OpenSegment => {
    const opened = openSegment(segmentFile(source.directory, next), 'wx');
    if (segment !== null && inFlight === null) closeSync(segment.fd);
    return opened;
  };

  const chunkOf = (lines: readonly string[]): Chunk => {
    if (segment === null || isFull(segment)) segment = openNext();
    return { into: segment, bytes: Buffer.from(`${lines.join('\n')}\n`), lines: lines.length };
  };

  const advance = ({ into }: Chunk, bytes: number, lines: number): number => {
    const first = next;
    into.bytes += bytes;
    into.lines += lines;
    next += lines;
    return first;
  };

  /** After a failure, keeps the complete lines in the file, because an uploader may have read them already. */
  const keepWholeLines = (chunk: Chunk, problem: Error): Appended => {
    let kept = 0;
    try {
      const reached = Math.min(chunk.bytes.length, fstatSync(chunk.into.fd).size - chunk.into.bytes);
      kept = chunk.bytes.subarray(0, Math.max(0, reached)).lastIndexOf(LINE_END) + 1;
      ftruncateSync(chunk.into.fd, chunk.into.bytes + kept);
    } catch {
      // The next writer of the source truncates an incomplete line.
    }
    const count = countLines(chunk.bytes.subarray(0, kept));
    return { first: advance(chunk, kept, count), count, problem };
  };

  const appendedNone = (problem: Error): Appended => ({ first: next, count: 0, problem });
  const lockLost = () => appendedNone(new Error('Another process took over the queue'));
  const mayWrite = () => lock.isHeld() && !isRetired(source);

  const append = async (lines: readonly string[]): Promise<Appended> => {
    if (lines.length === 0) return { first: next, count: 0, problem: null };
    if (!mayWrite()) return lockLost();
    let chunk: Chunk;
    try {
      chunk = chunkOf(lines);
    } catch (error) {
      return appendedNone(asError(error));
    }
    inFlight = chunk;
    const { bytes, into } = chunk;
    try {
      for (let done = 0; done < bytes.length; ) {
        done += await disk.write(into.fd, bytes, done, bytes.length - done, into.bytes + done);
      }
      await disk.sync(into.fd);
      if (!into.isEntrySynced) await disk.syncDirectory(source.directory);
      into.isEntrySynced = true;
      return { first: advance(chunk, bytes.length, chunk.lines), count: chunk.lines, problem: null };
    } catch (error) {
      return keepWholeLines(chunk, asError(error));
    } finally {
      inFlight = null;
    }
  };

  const writeNow = (chunk: Chunk): void => {
    const { bytes, into } = chunk;
    for (let done = 0; done < bytes.length; ) done += writeSync(into.fd, bytes, done, bytes.length - done, into.bytes + done);
    fdatasyncSync(into.fd);
    advance(chunk, bytes.length, chunk.lines);
  };

  return {
    sourceId: source.origin.sourceId,
    append,
    appendSync: (lines) => {
      const first = next;
      if (!mayWrite()) return lockLost();
      try {
        // The append in flight writes the same bytes to the same position, so writing them twice is harmless.
        if (inFlight !== null) writeNow(inFlight);
        if (lines.length > 0) writeNow(chunkOf(lines));
        syncDirectory(source.directory);
        return { first, count: next - first, problem: null };
      } catch (error) {
        return { first, count: next - first, problem: asError(error) };
      }
    },
    close: () => {
      clearInterval(heartbeat);
      if (segment !== null) closeSync(segment.fd);
      segment = null;
      lock.release();
    },
  };
};

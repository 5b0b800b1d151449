import { closeSync, existsSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { errnoOf, makePrivateDirectory, readIfExists, syncDirectory } from '../home/files.ts';

/**
 * The spool of one source is a folder with one writer process at a time. Its calls have the sequence numbers 1, 2, 3…:
 *
 *     origin.json           the source, whether it is an install or a named run, and the machine that created it
 *     writer-7.lock         the lock of the current writer
 *     calls-8001.ndjson     a segment: line i is the call with the sequence 8001 + i, or null without a call
 *     acked-8240            an empty file: the server has all calls up to 8240
 *     retired               exists if another machine used its numbers: its calls are sent, but it is never written again
 *
 * The highest `acked-` is valid, so that progress cannot decrease if several processes write it.
 */
export type SourceSpool = Readonly<{
  directory: string;
  origin: Origin;
  acked: number | null;
  segments: readonly Segment[];
  retired: boolean;
}>;

export type Segment = Readonly<{ file: string; first: number }>;

const origin = z.object({
  version: z.literal(1),
  sourceId: z.string(),
  /** `install`: reused by all recordings of this machine. `run`: one named import, numbered by its lines. */
  kind: z.enum(['install', 'run']),
  machine: z.string(),
});
export type Origin = z.infer<typeof origin>;

const ORIGIN = 'origin.json';
const RETIRED = 'retired';
export const LINE_END = 10;
/** The line of a sequence number without a call, such as an invalid line of input. */
export const GAP = 'null';

export const isGap = (content: Buffer, start: number, end: number): boolean =>
  end - start === GAP.length && content.toString('latin1', start, end) === GAP;

const parseOrigin = (content: string | null): Origin | null => {
  try {
    return content === null ? null : (origin.safeParse(JSON.parse(content)).data ?? null);
  } catch {
    return null;
  }
};

const numbered = (entries: readonly string[], pattern: RegExp): number[] =>
  entries
    .map((entry) => pattern.exec(entry)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);

/** Reads the current state of a source's spool; null if it does not exist or its origin is not valid. */
export const readSourceSpool = (directory: string): SourceSpool | null => {
  try {
    const parsed = parseOrigin(readIfExists(join(directory, ORIGIN)));
    if (parsed === null) return null;
    const entries = readdirSync(directory);
    return {
      directory,
      origin: parsed,
      acked: numbered(entries, /^acked-(\d+)$/).at(-1) ?? null,
      segments: numbered(entries, /^calls-(\d+)\.ndjson$/).map((first) => ({ file: segmentFile(directory, first), first })),
      retired: entries.includes(RETIRED),
    };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
};

export const segmentFile = (directory: string, first: number): string => join(directory, `calls-${first}.ndjson`);

/** Atomically creates the spool of a source whose sequence numbers begin at `first`. */
export const createSourceSpool = (
  sources: string,
  name: string,
  { sourceId, kind, machine }: Omit<Origin, 'version'>,
  first: number,
): string => {
  const directory = join(sources, name);
  const temporary = join(sources, `.${name}.new`);
  makePrivateDirectory(temporary);
  try {
    writeFileSync(join(temporary, ORIGIN), JSON.stringify({ version: 1, sourceId, kind, machine }), { mode: 0o600, flush: true });
    writeFileSync(join(temporary, `acked-${first - 1}`), '', { mode: 0o600 });
    syncDirectory(temporary);
    renameSync(temporary, directory);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
  syncDirectory(sources);
  return directory;
};

/** Removes the spool of a source atomically: it is renamed before its files are removed. */
export const removeSourceSpool = ({ directory }: SourceSpool): void => {
  const temporary = join(directory, '..', `.${basename(directory)}.gone`);
  renameSync(directory, temporary);
  rmSync(temporary, { recursive: true, force: true });
};

/** Prevents further writes to a source whose next numbers the server already knows, such as after a restored backup. */
export const retire = ({ directory }: Pick<SourceSpool, 'directory'>): void => {
  closeSync(openSync(join(directory, RETIRED), 'w', 0o600));
};

export const isRetired = ({ directory }: Pick<SourceSpool, 'directory'>): boolean => existsSync(join(directory, RETIRED));

/** The highest sequence of a source. Reads at most one segment. */
export const endOf = ({ acked, segments }: SourceSpool): number => {
  const last = segments.at(-1);
  return Math.max(acked ?? 0, last === undefined ? 0 : last.first + countLines(readSegment(last)) - 1);
};

/** Records durably that the server has all calls up to a sequence. */
export const acknowledge = ({ directory }: SourceSpool, through: number): void => {
  closeSync(openSync(join(directory, `acked-${through}`), 'w', 0o600));
  syncDirectory(directory);
  for (const older of numbered(readdirSync(directory), /^acked-(\d+)$/)) {
    if (older < through) rmSync(join(directory, `acked-${older}`), { force: true });
  }
};

/** The complete lines of a segment. Bytes after the last line feed are of a write that a crash interrupted before it was reported. */
export const wholeLines = (content: Buffer): Buffer => content.subarray(0, content.lastIndexOf(LINE_END) + 1);

export const countLines = (content: Buffer): number => {
  let lines = 0;
  for (let at = content.indexOf(LINE_END); at >= 0; at = content.indexOf(LINE_END, at + 1)) lines++;
  return lines;
};

/** The complete lines of a segment; empty if another process has sent and removed it. */
export const readSegment = ({ file }: Segment): Buffer => {
  try {
    return wholeLines(readFileSync(file));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
};

const countCalls = (content: Buffer, skipLines: number): number => {
  let calls = 0;
  let line = 0;
  for (let start = 0; start < content.length; line++) {
    const end = content.indexOf(LINE_END, start);
    if (line >= skipLines && !isGap(content, start, end)) calls++;
    start = end + 1;
  }
  return calls;
};

/** Whether all calls of a source are sent. Reads at most one segment. */
export const isSent = (source: SourceSpool): boolean => endOf(source) <= (source.acked ?? 0);

/** The number of calls of a source that the server has not acknowledged. Reads one segment of an install, or all segments of a run. */
export const countPending = ({ origin: { kind }, acked, segments }: SourceSpool): number => {
  const done = acked ?? 0;
  const last = segments.at(-1);
  if (last === undefined) return 0;
  if (kind === 'run') {
    return segments.reduce((total, segment) => total + countCalls(readSegment(segment), Math.max(0, done + 1 - segment.first)), 0);
  }
  let pending = 0;
  for (const [index, { first }] of segments.entries()) {
    const next = segments[index + 1]?.first ?? first + countLines(readSegment(last));
    pending += Math.max(0, next - Math.max(first, done + 1));
  }
  return pending;
};

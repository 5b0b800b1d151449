import { closeSync, existsSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { errnoOf, makePrivateDirectory, readIfThere, syncDirectory } from '../home/files.ts';

/**
 * A lane is a folder that one process at a time writes and that numbers its calls 1, 2, 3… under one source:
 *
 *     origin.json           the source, whether it is an install or a named run, and the machine that made it
 *     writer-7.lock         who writes now
 *     calls-8001.ndjson     a segment: line i is the call with the sequence 8001 + i; null where there is none
 *     acked-8240            an empty file: the server has everything up to 8240
 *     retired               there when its numbers were used elsewhere: it is sent, and never written again
 *
 * The highest `acked-` counts, so that progress cannot go back, whoever writes it.
 */
export type Lane = Readonly<{
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
  /** `install`: used again and again. `run`: one named import, numbered by its lines. */
  kind: z.enum(['install', 'run']),
  machine: z.string(),
});
export type Origin = z.infer<typeof origin>;

const ORIGIN = 'origin.json';
const RETIRED = 'retired';
export const LINE_END = 10;
/** A line that holds the place of a number that has no call, such as a line of input that was not valid. */
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

/** A lane as it is now, or null when there is none, or none that can be understood. */
export const readLane = (directory: string): Lane | null => {
  try {
    const known = parseOrigin(readIfThere(join(directory, ORIGIN)));
    if (known === null) return null;
    const entries = readdirSync(directory);
    return {
      directory,
      origin: known,
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

/** Makes a lane whose numbers begin at `first`, whole or not at all. */
export const createLane = (
  lanes: string,
  name: string,
  { sourceId, kind, machine }: Omit<Origin, 'version'>,
  first: number,
): string => {
  const directory = join(lanes, name);
  const aside = join(lanes, `.${name}.new`);
  makePrivateDirectory(aside);
  try {
    writeFileSync(join(aside, ORIGIN), JSON.stringify({ version: 1, sourceId, kind, machine }), { mode: 0o600, flush: true });
    writeFileSync(join(aside, `acked-${first - 1}`), '', { mode: 0o600 });
    syncDirectory(aside);
    renameSync(aside, directory);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    throw error;
  }
  syncDirectory(lanes);
  return directory;
};

/** Removes a lane so that no half of it is ever taken for a whole one. */
export const removeLane = ({ directory }: Lane): void => {
  const aside = join(directory, '..', `.${basename(directory)}.gone`);
  renameSync(directory, aside);
  rmSync(aside, { recursive: true, force: true });
};

/** Ends a lane whose numbers the server knows from elsewhere, as after a backup of this folder was restored. */
export const retire = ({ directory }: Pick<Lane, 'directory'>): void => {
  closeSync(openSync(join(directory, RETIRED), 'w', 0o600));
};

export const isRetired = ({ directory }: Pick<Lane, 'directory'>): boolean => existsSync(join(directory, RETIRED));

/** The highest sequence of a lane. Reads one segment at most. */
export const endOf = ({ acked, segments }: Lane): number => {
  const last = segments.at(-1);
  return Math.max(acked ?? 0, last === undefined ? 0 : last.first + countLines(readSegment(last)) - 1);
};

/** Writes down, for good, that the server has everything up to a sequence. */
export const acknowledge = ({ directory }: Lane, through: number): void => {
  closeSync(openSync(join(directory, `acked-${through}`), 'w', 0o600));
  syncDirectory(directory);
  for (const older of numbered(readdirSync(directory), /^acked-(\d+)$/)) {
    if (older < through) rmSync(join(directory, `acked-${older}`), { force: true });
  }
};

/** The whole lines of a segment. What follows the last line end was torn off by a crash and was never reported as recorded. */
export const wholeLines = (content: Buffer): Buffer => content.subarray(0, content.lastIndexOf(LINE_END) + 1);

export const countLines = (content: Buffer): number => {
  let lines = 0;
  for (let at = content.indexOf(LINE_END); at >= 0; at = content.indexOf(LINE_END, at + 1)) lines++;
  return lines;
};

/** A segment's whole lines, or none when it was sent and removed meanwhile. */
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

/** Whether nothing of a lane is left to send. Reads one segment at most. */
export const isSent = (lane: Lane): boolean => endOf(lane) <= (lane.acked ?? 0);

/** Calls of a lane that the server has not acknowledged. Reads one segment of an install; of a run all of them. */
export const countPending = ({ origin: { kind }, acked, segments }: Lane): number => {
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

import { GAP } from './lane.ts';
import type { LaneWriter } from './writer.ts';

/** Calls by their outcome. */
type AppendCounts = Readonly<{
  /** Synced to disk. */
  spooled: number;
  /** Sent directly to the server, because the spool could not be written. */
  detoured: number;
  lost: number;
}>;

export type Appender = Readonly<{
  counts: () => AppendCounts;
  /** Lines without an outcome yet. */
  waiting: () => number;
  /** The total length of these lines. */
  waitingCharacters: () => number;
  add: (lines: readonly string[]) => void;
  /** Resolves when the queue has capacity. This limits the memory that a fast input uses. */
  room: () => Promise<void>;
  /** Resolves when all added lines have an outcome. */
  settled: () => Promise<void>;
  /** Writes all waiting lines synchronously, for use in a handler of the process's exit. */
  settleNow: () => void;
  close: () => void;
}>;

export type AppenderOptions = Readonly<{
  /** Opens a writer. `first` is the number of the next line, for spools that number calls by line. Throws if it fails. */
  open: (first: number) => LaneWriter;
  /** Sends lines directly to the server if the spool cannot be written. Resolves to false if that fails, too. */
  detour: (first: number, lines: readonly string[]) => Promise<boolean>;
  /** Called for every failure of the spool. */
  onProblem: (problem: Error) => void;
  onSpooled?: (() => void) | undefined;
  /** Attempts to write lines to a failing spool before they count as lost. */
  attempts: number;
  pause: (ms: number) => Promise<unknown>;
  /** The time in ms that the first line of a group waits for others. */
  lingerMs?: number | undefined;
}>;

const GROUP_LINES = 4_000;
const GROUP_CHARACTERS = 1024 * 1024;
const ROOM_LINES = 16_000;
const PAUSE_MS = 1_000;

/** Writes lines in groups. Lines that are added during a write form the next group. */
export const openAppender = ({ open, detour, onProblem, onSpooled, attempts, pause, lingerMs = 0 }: AppenderOptions): Appender => {
  const queue: string[] = [];
  const counts = { spooled: 0, detoured: 0, lost: 0 };
  let settledLines = 0;
  let characters = 0;
  /** The group in progress, and whether the writer is appending it. */
  let inHand: readonly string[] = [];
  let withWriter = false;
  let left = attempts;
  let writer: LaneWriter | null = null;
  let working: Promise<void> | null = null;
  let ended = false;
  let lingering: NodeJS.Timeout | null = null;

  const settle = (end: keyof typeof counts, lines: readonly string[]) => {
    settledLines += lines.length;
    for (const line of lines) {
      characters -= line.length;
      if (line !== GAP) counts[end]++;
    }
  };

  const nextGroup = (): string[] => {
    let lines = 0;
    for (let size = 0; lines < queue.length && lines < GROUP_LINES && size < GROUP_CHARACTERS; lines++) {
      size += queue[lines]?.length ?? 0;
    }
    return queue.splice(0, lines);
  };

  const closeWriter = () => {
    writer?.close();
    writer = null;
  };

  /** Appends lines to the spool once. Returns how many are on disk. */
  const offer = async (lines: readonly string[]): Promise<number> => {
    try {
      writer ??= open(settledLines + 1);
      withWriter = true;
      const { count, problem } = await writer.append(lines).finally(() => {
        withWriter = false;
      });
      settle('spooled', lines.slice(0, count));
      if (problem === null) {
        left = attempts;
        return count;
      }
      onProblem(problem);
      if (!ended) closeWriter();
      return count;
    } catch (error) {
      onProblem(error instanceof Error ? error : new Error(String(error)));
      return 0;
    }
  };

  const settleInHand = async (): Promise<void> => {
    for (;;) {
      inHand = inHand.slice(await offer(inHand));
      if (inHand.length === 0) return;
      left--;
      const detoured = await detour(settledLines + 1, inHand);
      if (!detoured && left > 0) {
        await pause(PAUSE_MS);
        if (ended) return;
        continue;
      }
      settle(detoured ? 'detoured' : 'lost', inHand);
      inHand = [];
      return;
    }
  };

  const work = async () => {
    while (queue.length > 0 && !ended) {
      inHand = nextGroup();
      await settleInHand();
      onSpooled?.();
    }
  };
  const start = () => {
    if (lingering !== null) clearTimeout(lingering);
    lingering = null;
    if (queue.length === 0 || ended) return;
    working ??= work().finally(() => {
      working = null;
      start();
    });
  };

  return {
    counts: () => ({ ...counts }),
    waiting: () => queue.length + inHand.length,
    waitingCharacters: () => characters,
    add: (lines) => {
      for (const line of lines) {
        queue.push(line);
        characters += line.length;
      }
      if (lingerMs === 0 || queue.length >= GROUP_LINES) start();
      else lingering ??= setTimeout(start, lingerMs).unref();
    },
    room: async () => {
      while (queue.length > ROOM_LINES && working !== null) await working;
    },
    settled: async () => {
      start();
      while (working !== null) await working;
    },
    settleNow: () => {
      ended = true;
      if (lingering !== null) clearTimeout(lingering);
      const rest = queue.splice(0);
      const lines = [...inHand, ...rest];
      if (lines.length === 0) return;
      try {
        writer ??= open(settledLines + 1);
        const { count, problem } = writer.appendNow(withWriter ? rest : lines);
        settle('spooled', lines.slice(0, count));
        inHand = [];
        if (problem !== null) onProblem(problem);
      } catch (error) {
        onProblem(error instanceof Error ? error : new Error(String(error)));
      }
    },
    close: closeWriter,
  };
};

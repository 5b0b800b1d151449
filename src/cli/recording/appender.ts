import { GAP } from './lane.ts';
import type { LaneWriter } from './writer.ts';

/** How many calls have come to what end. */
type AppendCounts = Readonly<{
  /** On disk, safe from a crash. */
  spooled: number;
  /** Sent around a spool that could not be written. */
  detoured: number;
  lost: number;
}>;

export type Appender = Readonly<{
  counts: () => AppendCounts;
  /** Lines that are not settled yet. */
  waiting: () => number;
  /** The same in characters. */
  waitingCharacters: () => number;
  add: (lines: readonly string[]) => void;
  /** Resolves when there is room for more, so that a fast input does not fill the memory. */
  room: () => Promise<void>;
  /** Resolves when everything that was added is settled. */
  settled: () => Promise<void>;
  /** Settles at once, without waiting for anything, before the process ends. */
  settleNow: () => void;
  close: () => void;
}>;

export type AppenderOptions = Readonly<{
  /** Opens the spool for lines numbered from `first`, where numbers matter. Throws when it cannot. */
  open: (first: number) => LaneWriter;
  /** Brings lines to the server past a spool that takes none; false when it cannot. */
  detour: (first: number, lines: readonly string[]) => Promise<boolean>;
  /** Called for every failure of the spool. */
  onProblem: (problem: Error) => void;
  onSpooled?: (() => void) | undefined;
  /** How often lines are offered to a failing spool before they are given up. */
  attempts: number;
  pause: (ms: number) => Promise<unknown>;
  /** How long the first line of a group waits for others, in milliseconds. */
  lingerMs?: number | undefined;
}>;

const GROUP_LINES = 4_000;
const GROUP_CHARACTERS = 1024 * 1024;
const ROOM_LINES = 16_000;
const PAUSE_MS = 1_000;

/** Writes lines in groups: what comes while a group is on its way to the disk makes the next group. */
export const openAppender = ({ open, detour, onProblem, onSpooled, attempts, pause, lingerMs = 0 }: AppenderOptions): Appender => {
  const queue: string[] = [];
  const counts = { spooled: 0, detoured: 0, lost: 0 };
  let settledLines = 0;
  let characters = 0;
  /** The group being settled, and whether the writer has it at the moment. */
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

  /** Offers lines to the spool once. Returns how many it took. */
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

import { deadlineIn } from '../waiting.ts';
import { GAP } from './sourceSpool.ts';
import type { SpoolWriter } from './writer.ts';

/** Calls by their outcome. */
type AppendCounts = Readonly<{
  /** Synced to disk. */
  spooled: number;
  /** Sent directly to the server, because the spool could not be written. */
  sentDirectly: number;
  lost: number;
}>;

export type Appender = Readonly<{
  counts: () => AppendCounts;
  /** Lines without an outcome yet. */
  waiting: () => number;
  /** The total length of these lines. */
  waitingLength: () => number;
  add: (lines: readonly string[]) => void;
  /** Resolves when the queue has capacity. This limits the memory that a fast input uses. */
  waitForCapacity: () => Promise<void>;
  /** Resolves when all added lines have an outcome. */
  settled: () => Promise<void>;
  /** Writes all waiting lines synchronously, for use in a handler of the process's exit only: an append in flight ends with the process. */
  flushSync: () => void;
  /** Closes the writer. All lines must be settled. */
  close: () => void;
  /**
   * Tries once more to write all waiting lines, and closes the writer. False if that takes more than `ms`: then it ends in the background,
   * because a file must not be closed during an append to it.
   */
  closeWithin: (ms: number) => Promise<boolean>;
}>;

export type AppenderOptions = Readonly<{
  /** Opens a writer. `first` is the number of the next line, for spools that number calls by line. Throws if it fails. */
  open: (first: number) => SpoolWriter;
  /** Sends lines directly to the server if the spool cannot be written. Resolves to false if that fails, too. */
  fallback: (first: number, lines: readonly string[]) => Promise<boolean>;
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
const MAX_QUEUED_LINES = 16_000;
const PAUSE_MS = 1_000;

/** Writes lines in groups. Lines that are added during a write form the next group. */
export const openAppender = ({
  open,
  fallback,
  onProblem,
  onSpooled,
  attempts,
  pause,
  lingerMs = 0,
}: AppenderOptions): Appender => {
  const queue: string[] = [];
  const counts = { spooled: 0, sentDirectly: 0, lost: 0 };
  let settledLines = 0;
  let characters = 0;
  /** The group in progress, and whether the writer is appending it. */
  let group: readonly string[] = [];
  let isAppending = false;
  let attemptsLeft = attempts;
  let writer: SpoolWriter | null = null;
  let running: Promise<void> | null = null;
  let isClosed = false;
  let lingerTimer: NodeJS.Timeout | null = null;
  /** Lines that cannot be written are kept from then on, without further attempts. */
  let isClosing = false;
  let endPause: () => void = () => {};

  const settle = (outcome: keyof typeof counts, lines: readonly string[]) => {
    settledLines += lines.length;
    for (const line of lines) {
      characters -= line.length;
      if (line !== GAP) counts[outcome]++;
    }
  };

  const takeGroup = (): string[] => {
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
  const appendOnce = async (lines: readonly string[]): Promise<number> => {
    try {
      writer ??= open(settledLines + 1);
      isAppending = true;
      const { count, problem } = await writer.append(lines).finally(() => {
        isAppending = false;
      });
      settle('spooled', lines.slice(0, count));
      if (problem === null) {
        attemptsLeft = attempts;
        return count;
      }
      onProblem(problem);
      if (!isClosed) closeWriter();
      return count;
    } catch (error) {
      onProblem(error instanceof Error ? error : new Error(String(error)));
      return 0;
    }
  };

  const pauseUntilClosing = async (): Promise<void> => {
    const ended = new Promise<void>((resolve) => {
      endPause = resolve;
    });
    if (!isClosing) await Promise.race([pause(PAUSE_MS), ended]);
  };

  const settleGroup = async (): Promise<void> => {
    for (;;) {
      group = group.slice(await appendOnce(group));
      if (group.length === 0) return;
      if (isClosing) {
        isClosed = true;
        return;
      }
      attemptsLeft--;
      const sentDirectly = await fallback(settledLines + 1, group);
      if (!sentDirectly && attemptsLeft > 0) {
        await pauseUntilClosing();
        if (isClosed) return;
        continue;
      }
      settle(sentDirectly ? 'sentDirectly' : 'lost', group);
      group = [];
      return;
    }
  };

  const drainQueue = async () => {
    while (queue.length > 0 && !isClosed) {
      group = takeGroup();
      await settleGroup();
      onSpooled?.();
    }
  };
  const start = () => {
    if (lingerTimer !== null) clearTimeout(lingerTimer);
    lingerTimer = null;
    if (queue.length === 0 || isClosed) return;
    running ??= drainQueue().finally(() => {
      running = null;
      start();
    });
  };

  return {
    counts: () => ({ ...counts }),
    waiting: () => queue.length + group.length,
    waitingLength: () => characters,
    add: (lines) => {
      for (const line of lines) {
        queue.push(line);
        characters += line.length;
      }
      if (lingerMs === 0 || queue.length >= GROUP_LINES) start();
      else lingerTimer ??= setTimeout(start, lingerMs).unref();
    },
    waitForCapacity: async () => {
      while (queue.length > MAX_QUEUED_LINES && running !== null) await running;
    },
    settled: async () => {
      start();
      while (running !== null) await running;
    },
    flushSync: () => {
      isClosed = true;
      if (lingerTimer !== null) clearTimeout(lingerTimer);
      const rest = queue.splice(0);
      const lines = [...group, ...rest];
      if (lines.length === 0) return;
      try {
        writer ??= open(settledLines + 1);
        const { count, problem } = writer.appendSync(isAppending ? rest : lines);
        settle('spooled', lines.slice(0, count));
        group = [];
        if (problem !== null) onProblem(problem);
      } catch (error) {
        onProblem(error instanceof Error ? error : new Error(String(error)));
      }
    },
    close: closeWriter,
    closeWithin: async (ms) => {
      isClosing = true;
      endPause();
      start();
      const close = async (): Promise<true> => {
        while (running !== null) await running;
        closeWriter();
        return true;
      };
      const { signal, clear } = deadlineIn(ms);
      const timedOut = new Promise<false>((resolve) => signal.addEventListener('abort', () => resolve(false)));
      return Promise.race([close(), timedOut]).finally(clear);
    },
  };
};

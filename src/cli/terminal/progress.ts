import type { Io } from '../io.ts';
import type { Output } from './output.ts';
import { count, duration } from './text.ts';

export type ProgressBar = Readonly<{
  /** `done` is the number of completed items; `fraction` (0 to 1) is their share of the total, null if that is unknown. */
  show: (done: number, fraction: number | null, note: string) => void;
  /** Prints a line above the bar. */
  print: (text: string) => void;
  end: () => void;
}>;

const REDRAW_MS = 100;
const WAITING_MS = 1_000;
const SHORTEST_BAR = 8;
const CLEAR_LINE = '\r\u001b[2K';
const PARTS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

const barOf = (fraction: number, width: number, unicode: boolean): readonly [done: string, left: string] => {
  if (!unicode) {
    const full = Math.floor(fraction * width);
    return ['#'.repeat(full), '-'.repeat(width - full)];
  }
  const eighths = Math.floor(fraction * width * 8);
  const done = '█'.repeat(Math.floor(eighths / 8)) + (PARTS[eighths % 8] ?? '');
  return [done, '░'.repeat(width - done.length)];
};

type Shown = Readonly<{ done: number; fraction: number | null; note: string }>;

/**
 * A progress bar on standard error if that is a terminal; otherwise only the printed lines. After a second without progress, it shows
 * how long it has been waiting for the server that `awaited` returns, unless that is null.
 */
export const openProgress = (io: Io, output: Output, awaited: () => string | null = () => null): ProgressBar => {
  const { stderr, env } = io;
  const isShown = stderr.isTTY === true && env.TERM !== 'dumb';
  const unicode = /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
  const startedAt = performance.now();
  let progressedAt = startedAt;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let shown: Shown | null = null;
  let line = '';

  const speedOf = ({ done, fraction }: Shown): string => {
    const seconds = (performance.now() - startedAt) / 1000;
    const speed = seconds > 1 ? `  ${count(Math.round(done / seconds))}/s` : '';
    const isKnown = fraction !== null && seconds > 2 && fraction > 0.01 && fraction < 1;
    return isKnown ? `${speed}  ${duration((seconds / fraction - seconds) * 1000)} left` : speed;
  };

  /** One line that fits the terminal's width, because a wrapped line could not be cleared. */
  const lineOf = (state: Shown | null, server: string | null, waitingMs: number): string => {
    const paint = output.err();
    const columns = (stderr.columns ?? 80) - 1;
    const waiting = server === null ? '' : `waiting for ${server}, ${Math.floor(waitingMs / 1000)} s`;
    if (state === null) return paint.dim(waiting.slice(0, columns));
    const { done, fraction, note } = state;
    const rest = `${note}${waiting === '' ? speedOf(state) : `  ${waiting}`}`;
    const head = fraction === null ? count(done) : `${Math.floor(fraction * 100)}%`;
    const text = `${head}  ${rest}`.slice(0, columns);
    const width = Math.min(40, columns - text.length - 1);
    if (fraction === null || width < SHORTEST_BAR) return `${paint.title(text.slice(0, head.length))}${text.slice(head.length)}`;
    const [full, empty] = barOf(Math.min(1, fraction), width, unicode);
    return `${paint.accent(full)}${paint.dim(empty)} ${text}`;
  };
  const draw = (server: string | null, waitingMs: number) => {
    line = lineOf(shown, server, waitingMs);
    stderr.write(`${CLEAR_LINE}${line}`);
  };

  const drawWaiting = () => {
    const server = awaited();
    if (server === null) progressedAt = performance.now();
    const waitingMs = performance.now() - progressedAt;
    if (waitingMs >= WAITING_MS) draw(server, waitingMs);
  };
  const interval = isShown ? setInterval(drawWaiting, WAITING_MS).unref() : null;

  return {
    show: (done, fraction, note) => {
      progressedAt = performance.now();
      if (!isShown || progressedAt - drawnAt < REDRAW_MS) return;
      drawnAt = progressedAt;
      shown = { done, fraction, note };
      draw(null, 0);
    },
    print: (text) => void stderr.write(line === '' ? `${text}\n` : `${CLEAR_LINE}${text}\n${line}`),
    end: () => {
      if (interval !== null) clearInterval(interval);
      if (line !== '') stderr.write(CLEAR_LINE);
      line = '';
    },
  };
};

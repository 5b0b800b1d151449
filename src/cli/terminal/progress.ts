import type { Io } from '../io.ts';
import type { Output } from './output.ts';
import { count, duration } from './text.ts';

export type Progress = Readonly<{
  /** `done` is what is counted; `fraction`, 0 to 1, is how much of the whole that is, null when nobody knows. */
  show: (done: number, fraction: number | null, note: string) => void;
  /** Says a line in between without tearing the bar apart. */
  say: (text: string) => void;
  end: () => void;
}>;

const REDRAW_MS = 100;
const WAITING_MS = 1_000;
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

/**
 * A bar on standard error where that is a terminal; otherwise nothing but what is said. While nothing moves for a second, it says
 * how long it has been waiting for `server`, if there is one to wait for.
 */
export const openProgress = (io: Io, output: Output, server: string | null = null): Progress => {
  const { stderr, env } = io;
  const shown = stderr.isTTY === true && env.TERM !== 'dumb';
  const unicode = /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
  const startedAt = performance.now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawn = '';
  let movedAt = startedAt;
  let isWaiting = false;

  const tellWaiting = () => {
    const seconds = Math.floor((performance.now() - movedAt) / 1000);
    if (seconds < 1) return;
    isWaiting = true;
    const waiting = output.err().dim(`waiting for ${server}, ${seconds} s`);
    stderr.write(`${CLEAR_LINE}${drawn === '' ? waiting : `${drawn}  ${waiting}`}`);
  };
  const ticking = shown && server !== null ? setInterval(tellWaiting, WAITING_MS).unref() : null;

  const draw = (done: number, fraction: number | null, note: string) => {
    const paint = output.err();
    const seconds = (performance.now() - startedAt) / 1000;
    const speed = seconds > 1 ? `  ${count(Math.round(done / seconds))}/s` : '';
    if (fraction === null) {
      drawn = `${paint.title(count(done))}  ${note}${speed}`;
    } else {
      const known = seconds > 2 && fraction > 0.01 && fraction < 1;
      const left = known ? `  ${duration((seconds / fraction - seconds) * 1000)} left` : '';
      const text = ` ${Math.floor(fraction * 100)} %  ${note}${speed}${left}`;
      const width = Math.max(8, Math.min(40, (stderr.columns ?? 80) - text.length - 2));
      const [full, empty] = barOf(Math.min(1, fraction), width, unicode);
      drawn = `${paint.accent(full)}${paint.dim(empty)}${text}`;
    }
    stderr.write(`${CLEAR_LINE}${drawn}`);
  };

  return {
    show: (done, fraction, note) => {
      movedAt = performance.now();
      if (!shown || movedAt - drawnAt < REDRAW_MS) return;
      drawnAt = movedAt;
      draw(done, fraction, note);
    },
    say: (text) => void stderr.write(drawn === '' && !isWaiting ? `${text}\n` : `${CLEAR_LINE}${text}\n${drawn}`),
    end: () => {
      if (ticking !== null) clearInterval(ticking);
      if (drawn !== '' || isWaiting) stderr.write(CLEAR_LINE);
      drawn = '';
      isWaiting = false;
    },
  };
};

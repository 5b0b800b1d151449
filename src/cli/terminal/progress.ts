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

/** A bar on standard error where that is a terminal; otherwise nothing but what is said. */
export const openProgress = (io: Io, output: Output): Progress => {
  const { stderr, env } = io;
  const shown = stderr.isTTY === true && env.TERM !== 'dumb';
  const unicode = /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
  const startedAt = performance.now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawn = '';

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
      if (!shown || performance.now() - drawnAt < REDRAW_MS) return;
      drawnAt = performance.now();
      draw(done, fraction, note);
    },
    say: (text) => void stderr.write(drawn === '' ? `${text}\n` : `${CLEAR_LINE}${text}\n${drawn}`),
    end: () => {
      if (drawn !== '') stderr.write(CLEAR_LINE);
      drawn = '';
    },
  };
};

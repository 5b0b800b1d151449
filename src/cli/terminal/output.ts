import type { CliTheme } from '../../contracts/themes.ts';
import type { ExitCode } from '../exit.ts';
import type { Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { groundOf } from './contrast.ts';
import { type ColorDepth, colorDepthOf, type Paint, paintOf } from './paint.ts';
import { jsonLine, plain } from './text.ts';

/** The output of a command. Results go to standard output, all other messages to standard error. */
export type Output = Readonly<{
  json: boolean;
  /** The styles of standard output and of standard error. */
  out: () => Paint;
  err: () => Paint;
  setTheme: (theme: CliTheme) => void;
  /** Prints the result as text or as one line of JSON. */
  result: (value: unknown, lines: () => readonly string[]) => void;
  line: (text: string) => void;
  note: (text: string) => void;
  /** Prints a failure and returns its exit code. */
  fail: (failure: Failure) => ExitCode;
  /** Prints a failure to standard error only, after the result was printed. Returns its exit code. */
  warn: (failure: Failure) => ExitCode;
}>;

/** Writes results as text or JSON, and failures to standard error, with the colors that the terminal supports. */
export const openOutput = (io: Io, { json, color }: { json: boolean; color: boolean }): Output => {
  const depths: Record<'out' | 'err', ColorDepth> = {
    out: json ? 1 : colorDepthOf(io.stdout, io.env, color),
    err: colorDepthOf(io.stderr, io.env, color),
  };
  const ground = groundOf(io.env);
  let out = paintOf(depths.out, null);
  let err = paintOf(depths.err, null);
  const note = (text: string) => void io.stderr.write(`${text}\n`);
  const explain = ({ message, hint }: Failure) => {
    note(`${err.bad('latchkey:')} ${plain(message)}`);
    if (hint !== null) note(err.dim(`  ${plain(hint)}`));
  };
  return {
    json,
    out: () => out,
    err: () => err,
    setTheme: (theme) => {
      out = paintOf(depths.out, theme, ground);
      err = paintOf(depths.err, theme, ground);
    },
    result: (value, lines) => {
      io.stdout.write(
        json
          ? jsonLine(value)
          : lines()
              .map((text) => `${text}\n`)
              .join(''),
      );
    },
    line: (text) => void io.stdout.write(`${text}\n`),
    note,
    fail: (failure) => {
      const { message, code, approval } = failure;
      if (json) io.stdout.write(jsonLine({ success: false, error: plain(message), code, ...(approval && { approval }) }));
      explain(failure);
      return failure.exit;
    },
    warn: (failure) => {
      explain(failure);
      return failure.exit;
    },
  };
};

/** Formats names and values in two columns. */
export const table = (rows: readonly (readonly [name: string, value: string])[], paint: Paint): string[] => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${paint.dim(name.padEnd(width))}  ${value}`);
};

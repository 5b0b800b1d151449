import { runCommandLine, wantsColor } from './commandLine.ts';
import { bindTo } from './commands/command.ts';
import { openContext } from './context.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { type Io, systemClock } from './io.ts';
import { buildProgram } from './program.ts';
import type { Paint } from './terminal/paint.ts';

/** What a caller must give; the rest is a clock and a signal that never comes. */
export type GivenIo = Omit<Io, 'now' | 'interrupted'> & Partial<Pick<Io, 'now' | 'interrupted'>>;

/** The colors of help, which wears the customer's as everything else does. */
const helpPaintOf = (io: Io, color: boolean): (() => Paint) => {
  let paint: Paint | null = null;
  const find = (): Paint => {
    const context = openContext(io, { json: false, color, profile: undefined });
    try {
      context.chosen();
    } catch {
      // Help is there also where the files are not.
    }
    return context.output.out();
  };
  return () => {
    paint ??= find();
    return paint;
  };
};

/**
 * Runs the command line `latchkey <argv…>` and gives the exit code. It ends no process, installs no handler and touches
 * nothing but what `given` hands in, the files that docs/cli.md names, and the server.
 */
export const run = async (argv: readonly string[], given: GivenIo): Promise<ExitCode> => {
  const io: Io = { now: systemClock, interrupted: new AbortController().signal, ...given };
  let code: ExitCode = EXIT.done;
  const program = buildProgram(
    bindTo(io, (ended) => {
      code = ended;
    }),
  );
  return runCommandLine(program, argv, io, { ended: () => code, helpPaint: helpPaintOf(io, wantsColor(argv)) });
};

import { runCommandLine, wantsColor } from './commandLine.ts';
import { bindTo } from './commands/command.ts';
import { openContext } from './context.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { type Io, systemClock } from './io.ts';
import { buildProgram } from './program.ts';
import type { Paint } from './terminal/paint.ts';

/** The required parts of `Io`. The defaults are the system clock and a signal that never aborts. */
export type GivenIo = Omit<Io, 'now' | 'interrupted'> & Partial<Pick<Io, 'now' | 'interrupted'>>;

/** Loads the colors of help from the theme of the selected profile. */
const helpPaintOf = (io: Io, color: boolean): (() => Paint) => {
  let paint: Paint | null = null;
  const find = (): Paint => {
    const context = openContext(io, { json: false, color, profile: undefined });
    try {
      context.chosen();
    } catch {
      // Help must work even if the profile cannot be read.
    }
    return context.output.out();
  };
  return () => {
    paint ??= find();
    return paint;
  };
};

/**
 * Runs the command line `latchkey <argv…>` and resolves to the exit code. It does not exit the process, installs no handlers, and
 * only uses `given`, the files that docs/cli.md lists, and the server.
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

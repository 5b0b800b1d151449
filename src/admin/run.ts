import { runCommandLine, wantsColor } from '../cli/commandLine.ts';
import { EXIT, type ExitCode } from '../cli/exit.ts';
import type { Io } from '../cli/io.ts';
import { colorDepthOf, paintOf } from '../cli/terminal/paint.ts';
import { buildAdminProgram } from './program.ts';

/** Runs the command line `latchkey-admin <argv…>` and resolves to the exit code. It does not exit the process. */
export const runAdmin = async (argv: readonly string[], io: Io): Promise<ExitCode> => {
  let code: ExitCode = EXIT.done;
  const program = buildAdminProgram(io, (ended) => {
    code = ended;
  });
  const helpPaint = () => paintOf(colorDepthOf(io.stdout, io.env, wantsColor(argv)), null);
  return runCommandLine(program, argv, io, { ended: () => code, helpPaint });
};

import { type Command, CommanderError } from 'commander';
import { bindTo } from './commands/command.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { type Io, systemClock } from './io.ts';
import { buildProgram } from './program.ts';
import { jsonLine } from './terminal/text.ts';

/** What a caller must give; the rest is a clock and a signal that never comes. */
export type GivenIo = Omit<Io, 'now' | 'interrupted'> & Partial<Pick<Io, 'now' | 'interrupted'>>;

const withEverySubcommand = (command: Command, change: (command: Command) => void): void => {
  change(command);
  for (const child of command.commands) withEverySubcommand(child, change);
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
  const json = argv.includes('--json');
  withEverySubcommand(program, (command) =>
    command.exitOverride().configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      outputError: (text, write) => write(text.replace(/^error: /, 'latchkey: ')),
    }),
  );
  if (argv.length === 0) {
    program.outputHelp();
    return EXIT.done;
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.done;
    if (json) io.stdout.write(jsonLine({ success: false, error: error.message.replace(/^error: /, ''), code: 'wrong_usage' }));
    return EXIT.usage;
  }
};

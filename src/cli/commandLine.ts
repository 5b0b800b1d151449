import { type Command, CommanderError } from 'commander';
import { EXIT, type ExitCode } from './exit.ts';
import type { Io } from './io.ts';
import { paintHelp } from './terminal/help.ts';
import { colorDepthOf, type Paint } from './terminal/paint.ts';
import { jsonLine } from './terminal/text.ts';

const WIDTH = 100;
/** Commander's error code after it has shown help because no command was given. */
const NO_COMMAND = 'commander.help';

const withEverySubcommand = (command: Command, change: (command: Command) => void): void => {
  change(command);
  for (const child of command.commands) withEverySubcommand(child, change);
};

/**
 * The command after `help`; null for another command line. Commander would ignore all names but the first, and show the complete help for
 * an unknown one.
 */
const helpTopicOf = (program: Command, argv: readonly string[]): Command | null => {
  const [command, ...names] = program.parseOptions([...argv]).operands;
  if (command !== 'help' || names.length === 0) return null;
  return names.reduce((parent, name, index) => {
    const known = parent.createHelp().visibleCommands(parent);
    const found = known.find((one) => one.name() === name || one.aliases().includes(name));
    return found ?? program.error(`error: unknown command '${names.slice(0, index + 1).join(' ')}'`);
  }, program);
};

/** Commander's message for a value that is not one of the choices. */
const UNKNOWN_CHOICE =
  /^(?:command-argument value '(?<argument>.*)' is invalid for argument '(?<name>.+)'|option '.*--(?<option>[\w-]+).*' argument '(?<value>.*)' is invalid)\. Allowed choices are (?<choices>.+)\.$/;

const plainMessage = (message: string): string => {
  const text = message.replace(/^error: /, '');
  const found = UNKNOWN_CHOICE.exec(text.trimEnd())?.groups;
  if (!found) return text;
  const choices = (found.choices ?? '').replace(/, ([^,]+)$/, ' or $1');
  return `Unknown ${found.name ?? found.option} '${found.argument ?? found.value}'. Use ${choices}.${text.endsWith('\n') ? '\n' : ''}`;
};

/** False if a command line contains `--no-color` at any position. */
export const wantsColor = (argv: readonly string[]): boolean => !argv.includes('--no-color');

/**
 * Runs a command line with a program. Resolves to the exit code for wrong usage, or to the result of `ended` after a command ran.
 * `helpPaint` is only called when help is shown in colors.
 */
export const runCommandLine = async (
  program: Command,
  argv: readonly string[],
  { stdout, stderr, env }: Pick<Io, 'stdout' | 'stderr' | 'env'>,
  { ended, helpPaint }: { ended: () => ExitCode; helpPaint: () => Paint },
): Promise<ExitCode> => {
  const hasColors = colorDepthOf(stdout, env, wantsColor(argv)) > 1;
  withEverySubcommand(program, (command) => {
    paintHelp(command, helpPaint);
    command.exitOverride().configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? WIDTH,
      getErrHelpWidth: () => stderr.columns ?? WIDTH,
      getOutHasColors: () => hasColors,
      getErrHasColors: () => false,
      outputError: (text, write) => write(`${program.name()}: ${plainMessage(text)}`),
    });
  });
  if (argv.length === 0) {
    program.outputHelp();
    return EXIT.done;
  }
  try {
    const topic = helpTopicOf(program, argv);
    if (topic !== null) {
      topic.outputHelp();
      return EXIT.done;
    }
    await program.parseAsync([...argv], { from: 'user' });
    return ended();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.done;
    const reason = error.code === NO_COMMAND ? 'No command given' : plainMessage(error.message);
    if (argv.includes('--json')) stdout.write(jsonLine({ success: false, error: reason, code: 'wrong_usage' }));
    return EXIT.usage;
  }
};

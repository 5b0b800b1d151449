import type { Command } from 'commander';
import { EXIT } from '../exit.ts';
import type { Paint } from './paint.ts';

type Row = readonly [term: string, about: string];

/** The help of a command in addition to its options. */
export type HelpText = Readonly<{
  /** Valid command lines with their purpose. */
  examples: readonly Row[];
  /** The meaning of each exit code that the command can have. Wrong usage has a default text, and so have those of `OFFLINE_EXITS`. */
  exits: Readonly<Partial<Record<keyof typeof EXIT, string>>>;
  /** The environment variables that the command uses. */
  environment?: readonly Row[];
  /** The last paragraph. */
  more?: string;
}>;

/** The exit codes of a command that cannot reach the server, beside that of this failure: those of the stored offline license. */
export const OFFLINE_EXITS = {
  licenseExpired: 'no connection, and the offline license has expired',
  wrongMachine: 'no connection, and the offline license is for another machine',
  licenseForged: 'no connection, and the offline license was changed',
  clockRolledBack: 'no connection, and the clock of this machine was set back',
} as const;

const columns = (rows: readonly Row[], styled: (term: string) => string): string[] => {
  const width = Math.max(...rows.map(([term]) => term.length));
  return rows.map(([term, about]) => `  ${styled(term)}${' '.repeat(width - term.length)}  ${about}`);
};

/** Adds examples, exit codes and the environment to the help of a command. */
export const addHelp = (command: Command, { examples, exits, environment = [], more }: HelpText): void => {
  command.addHelpText('after', () => {
    const { styleTitle, styleSubcommandTerm, styleDescriptionText } = command.createHelp();
    const offline = exits.unreachable === undefined ? {} : OFFLINE_EXITS;
    const meanings = { ...offline, ...exits, usage: exits.usage ?? 'wrong usage' };
    const codes = Object.entries(EXIT).flatMap(([name, code]): Row[] => {
      const meaning = Object.entries(meanings).find(([of]) => of === name)?.[1];
      return meaning === undefined ? [] : [[String(code), meaning]];
    });
    return [
      '',
      styleTitle('Examples:'),
      ...examples.flatMap(([line, about]) => [`  ${styleDescriptionText(`# ${about}`)}`, `  ${styleSubcommandTerm(line)}`]),
      '',
      styleTitle('Exit codes:'),
      ...columns(codes, styleSubcommandTerm),
      ...(environment.length === 0 ? [] : ['', styleTitle('Environment:'), ...columns(environment, styleSubcommandTerm)]),
      ...(more === undefined ? [] : ['', more]),
    ].join('\n');
  });
};

/** Colors the help of a command. `paint` is only called when help is shown. */
export const paintHelp = (command: Command, paint: () => Paint): void => {
  command.configureHelp({
    ...command.configureHelp(),
    styleTitle: (text) => paint().title(text),
    styleSubcommandTerm: (text) => paint().accent(text),
    styleOptionTerm: (text) => paint().accent(text),
    styleArgumentTerm: (text) => paint().accent(text),
    styleDescriptionText: (text) => (text.startsWith('#') ? paint().dim(text) : text),
  });
};

/** Has each wrong command line name the help of its command. For a program that has all its commands. */
export const nameHelp = (command: Command, path = command.name()): void => {
  command.showHelpAfterError(`(see ${path} --help)`);
  for (const one of command.commands) nameHelp(one, `${path} ${one.name()}`);
};

import type { Command } from 'commander';
import { EXIT } from '../exit.ts';
import type { Paint } from './paint.ts';

type Row = readonly [term: string, about: string];

/** What a person learns of a command beyond its options. */
export type Lesson = Readonly<{
  /** Command lines that work as they stand, each with what it is for. */
  examples: readonly Row[];
  /** What each exit code of the command means; one that it never ends with is left out. Wrong usage is always one. */
  exits: Readonly<Partial<Record<keyof typeof EXIT, string>>>;
  /** The variables that matter to the command. */
  environment?: readonly Row[];
  /** Said at the end. */
  more?: string;
}>;

const columns = (rows: readonly Row[], styled: (term: string) => string): string[] => {
  const width = Math.max(...rows.map(([term]) => term.length));
  return rows.map(([term, about]) => `  ${styled(term)}${' '.repeat(width - term.length)}  ${about}`);
};

/** Adds examples, exit codes and the environment to the help of a command. */
export const teach = (command: Command, { examples, exits, environment = [], more }: Lesson): void => {
  command.addHelpText('after', () => {
    const { styleTitle, styleSubcommandTerm, styleDescriptionText } = command.createHelp();
    const meanings = { ...exits, usage: exits.usage ?? 'wrong usage' };
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

/** Puts the help of a command into colors. They are looked up when help is shown. */
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

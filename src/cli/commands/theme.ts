import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { addHelp } from '../terminal/help.ts';
import { table } from '../terminal/output.ts';
import { plain } from '../terminal/text.ts';
import type { Bind } from './command.ts';
import { environmentOf } from './environment.ts';
import { GROUPS } from './groups.ts';
import { loadSession } from './loadSession.ts';
import { SESSION_EXITS } from './status.ts';

const theme = async (context: Context, _command: Command): Promise<ExitCode> => {
  const { output } = context;
  const known = await loadSession(context);
  if (!known.ok) return output.fail(known.failure);
  const { profile, failure } = known.value;
  const { name, displayName, colors } = profile.theme;
  output.result({ theme: profile.theme }, () => {
    const paint = output.out();
    const rows = Object.entries(colors).map(
      ([role, color]) => [role, `${paint.swatch(color)} ${plain(color)}`.trimStart()] as const,
    );
    return [`${paint.title(plain(displayName))} ${paint.dim(`(${plain(name)})`)}`, ...table(rows, paint)];
  });
  return failure === null ? EXIT.done : output.warn(failure);
};

/** Declares `latchkey theme`, which shows the assigned colors. */
export const declareTheme = (program: Command, bind: Bind): void => {
  const command = program
    .command('theme')
    .helpGroup(GROUPS.signIn)
    .summary("show your company's colors")
    .description("Show the name and the colors of your company's theme, which latchkey uses in the terminal.")
    .action(bind(theme));
  addHelp(command, {
    examples: [
      ['latchkey theme', 'the colors, with swatches if the terminal supports them'],
      ['latchkey theme --json', 'as JSON'],
    ],
    exits: SESSION_EXITS,
    environment: environmentOf(['NO_COLOR', 'FORCE_COLOR', 'LATCHKEY_BACKGROUND'], { network: false }),
  });
};

import { Command } from 'commander';
import { type Context, type Globals, openContext } from '../context.ts';
import type { ExitCode } from '../exit.ts';
import { failed } from '../failure.ts';
import { diskTrouble } from '../home/diskTroubles.ts';
import type { Io } from '../io.ts';

/** What a command does; `command` holds its options and arguments. */
type Act = (context: Context, command: Command) => Promise<ExitCode>;

/** Turns an `Act` into what commander calls. */
export type Bind = (act: Act) => (...given: unknown[]) => Promise<void>;

const globalsOf = (command: Command): Globals => {
  const { json, color, profile } = command.optsWithGlobals();
  return { json: json === true, color: color !== false, profile: typeof profile === 'string' ? profile : undefined };
};

/** Runs acts in a context of their own and hands their exit codes on. What they do not foresee becomes a failure with a text. */
export const bindTo =
  (io: Io, onExit: (code: ExitCode) => void): Bind =>
  (act) =>
  async (...given) => {
    const command = given.at(-1);
    if (!(command instanceof Command)) throw new Error('commander did not pass the command');
    const context = openContext(io, globalsOf(command));
    try {
      onExit(await act(context, command));
    } catch (error) {
      onExit(
        context.output.fail(diskTrouble(error) ?? failed('unexpected', error instanceof Error ? error.message : String(error))),
      );
      if (io.env.LATCHKEY_DEBUG && error instanceof Error) io.stderr.write(`${error.stack}\n`);
    }
  };

import { Command } from 'commander';
import { type Context, type Globals, openContext } from '../context.ts';
import type { ExitCode } from '../exit.ts';
import { failed } from '../failure.ts';
import { diskFailure } from '../home/diskErrors.ts';
import type { Io } from '../io.ts';
import { exitWithoutServer } from '../license/stored.ts';

/** The action of a command; `command` contains its options and arguments. */
type Action = (context: Context, command: Command) => Promise<ExitCode>;

/** Converts an `Action` into a handler for commander. */
export type Bind = (action: Action) => (...given: unknown[]) => Promise<void>;

const globalsOf = (command: Command): Globals => {
  const { json, color, profile } = command.optsWithGlobals();
  return { json: json === true, color: color !== false, profile: typeof profile === 'string' ? profile : undefined };
};

/** Runs each action with its own context and passes its exit code to `onExit`. An exception becomes a failure. */
export const bindTo =
  (io: Io, onExit: (code: ExitCode) => void): Bind =>
  (action) =>
  async (...given) => {
    const command = given.at(-1);
    if (!(command instanceof Command)) throw new Error('commander did not pass the command');
    const context = openContext(io, globalsOf(command));
    try {
      onExit(await exitWithoutServer(context, await action(context, command)));
    } catch (error) {
      onExit(
        context.output.fail(diskFailure(error) ?? failed('unexpected', error instanceof Error ? error.message : String(error))),
      );
      if (io.env.LATCHKEY_DEBUG && error instanceof Error) io.stderr.write(`${error.stack}\n`);
    }
  };

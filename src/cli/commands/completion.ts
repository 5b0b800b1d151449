import type { Command } from 'commander';
import { EXIT } from '../exit.ts';
import { askedScript, completionCommand } from '../terminal/completionCommand.ts';
import type { Bind } from './command.ts';

/** Declares `latchkey completion`, which prints a script for a shell. */
export const declareCompletion = (program: Command, bind: Bind): void => {
  completionCommand(program).action(
    bind(async ({ io, output }, command) => {
      const script = askedScript(program, command);
      if (output.json) output.result({ script }, () => []);
      else io.stdout.write(script);
      return EXIT.done;
    }),
  );
};

import { Argument, type Command } from 'commander';
import { z } from 'zod';
import { EXIT } from '../exit.ts';
import { completionScript, SHELLS } from '../terminal/completion.ts';
import type { Bind } from './command.ts';

export const declareCompletion = (program: Command, bind: Bind): void => {
  program
    .command('completion')
    .summary('print a script that completes commands in your shell')
    .description(
      'Print a script that completes commands in your shell. In your shell\'s start-up file:\n\n  eval "$(latchkey completion bash)"\n  source <(latchkey completion zsh)\n  latchkey completion fish | source',
    )
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(SHELLS))
    .action(
      bind(async ({ io, output }, command) => {
        const script = completionScript(program, z.enum(SHELLS).parse(command.args[0]));
        if (output.json) output.result({ script }, () => []);
        else io.stdout.write(script);
        return EXIT.done;
      }),
    );
};

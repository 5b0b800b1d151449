import { Argument, type Command } from 'commander';
import { z } from 'zod';
import { completionScript, SHELLS } from './completion.ts';
import { addHelp } from './help.ts';

/** Declares the `completion` command of a program. */
export const completionCommand = (program: Command): Command => {
  const name = program.name();
  const command = program
    .command('completion')
    .summary('print a script that completes commands in your shell')
    .description('Print a script that completes commands, options and values in your shell.')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(SHELLS));
  addHelp(command, {
    examples: [
      [`eval "$(${name} completion bash)"`, 'in ~/.bashrc'],
      [`source <(${name} completion zsh)`, 'in ~/.zshrc, after compinit'],
      [`${name} completion fish | source`, 'in ~/.config/fish/config.fish'],
    ],
    exits: { done: 'printed' },
  });
  return command;
};

/** The script for the shell in the command's arguments. */
export const askedScript = (program: Command, command: Command): string =>
  completionScript(program, z.enum(SHELLS).parse(command.args[0]));

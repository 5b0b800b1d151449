import { Command } from 'commander';
import { versionOf } from './api/api.ts';
import type { Bind } from './commands/command.ts';
import { declareCompletion } from './commands/completion.ts';
import { declareConnect } from './commands/connect.ts';
import { declareFlush } from './commands/flush.ts';
import { declareLogin } from './commands/login.ts';
import { declareLogout } from './commands/logout.ts';
import { declareProfiles } from './commands/profiles.ts';
import { declareRecord } from './commands/record.ts';
import { declareStatus } from './commands/status.ts';
import { declareTheme } from './commands/theme.ts';

const EXIT_CODES = `
Exit codes:
  0  done
  1  failed, or some calls were refused
  2  wrong usage
  3  not signed in
  4  refused: suspended, revoked, no free seat
  5  server out of reach; recorded calls wait on disk

The files and variables it uses, and its formats, are described in docs/cli.md.`;

/** The whole command line of `latchkey`. */
export const buildProgram = (bind: Bind): Command => {
  const program = new Command('latchkey')
    .description('Sign in with a license key, be shown as connected, and record API calls.')
    .version(versionOf(), '--version', 'show the version')
    .option('--json', 'print one JSON object, or one a line')
    .option('--profile <name>', 'use another sign-in than the chosen one (LATCHKEY_PROFILE)')
    .option('--no-color', 'no colors (NO_COLOR)')
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (command) => command.name() })
    .addHelpText('after', EXIT_CODES)
    .showHelpAfterError('(latchkey --help shows what there is)');
  declareLogin(program, bind);
  declareStatus(program, bind);
  declareLogout(program, bind);
  declareTheme(program, bind);
  declareConnect(program, bind);
  declareRecord(program, bind);
  declareFlush(program, bind);
  declareProfiles(program, bind);
  declareCompletion(program, bind);
  return program;
};

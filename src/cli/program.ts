import { Command } from 'commander';
import { versionOf } from './api/version.ts';
import type { Bind } from './commands/command.ts';
import { declareCompletion } from './commands/completion.ts';
import { declareConnect } from './commands/connect.ts';
import { ENVIRONMENT } from './commands/environment.ts';
import { declareFlush } from './commands/flush.ts';
import { GROUPS } from './commands/groups.ts';
import { declareLogin } from './commands/login.ts';
import { declareLogout } from './commands/logout.ts';
import { declareProfiles } from './commands/profiles.ts';
import { declareRecord } from './commands/record.ts';
import { declareStatus } from './commands/status.ts';
import { declareTheme } from './commands/theme.ts';
import { teach } from './terminal/help.ts';

/** The whole command line of `latchkey`. */
export const buildProgram = (bind: Bind): Command => {
  const program = new Command('latchkey')
    .description('Sign in with a license key, be shown as connected, and record API calls.')
    .version(versionOf(), '--version', 'show the version')
    .option('--json', 'print one JSON object, or one a line')
    .option('--profile <name>', 'use another sign-in than the chosen one (LATCHKEY_PROFILE)')
    .option('--no-color', 'no colors (NO_COLOR)')
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (command) => command.name() })
    .commandsGroup(GROUPS.setUp)
    .helpCommand('help [command]', 'explain a command')
    .showHelpAfterError('(latchkey --help shows what there is)');
  teach(program, {
    examples: [
      ['latchkey login --server https://latchkey.example.com', 'once: sign in'],
      ['latchkey connect', 'be shown as connected'],
      ['latchkey record --stdin < calls.ndjson', 'record what was called'],
      ['latchkey help record', 'all about one command'],
    ],
    exits: {
      done: 'done',
      failed: 'failed, interrupted, or some calls were refused',
      notSignedIn: 'not signed in',
      refused: 'refused: suspended, revoked, no free seat',
      unreachable: 'server out of reach; recorded calls wait on disk',
    },
    environment: Object.entries(ENVIRONMENT),
    more: 'Its files and the form of what it prints are described in docs/cli.md.',
  });
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

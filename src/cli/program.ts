import { Command } from 'commander';
import { versionOf } from './api/version.ts';
import type { Bind } from './commands/command.ts';
import { declareCompletion } from './commands/completion.ts';
import { declareConnect } from './commands/connect.ts';
import { declareDevices } from './commands/devices.ts';
import { declareDoctor } from './commands/doctor.ts';
import { declareEntitled } from './commands/entitled.ts';
import { ENVIRONMENT } from './commands/environment.ts';
import { declareFlush } from './commands/flush.ts';
import { GROUPS } from './commands/groups.ts';
import { declareLicense } from './commands/license.ts';
import { declareLogin } from './commands/login.ts';
import { declareLogout } from './commands/logout.ts';
import { declareProfiles } from './commands/profiles.ts';
import { declareRecord } from './commands/record.ts';
import { declareSeat } from './commands/seat.ts';
import { declareStatus } from './commands/status.ts';
import { declareTheme } from './commands/theme.ts';
import { declareUsage } from './commands/usage.ts';
import type { EXIT } from './exit.ts';
import { addHelp, nameHelp, OFFLINE_EXITS } from './terminal/help.ts';

/** Declares all commands of `latchkey`. */
export const buildProgram = (bind: Bind): Command => {
  const program = new Command('latchkey')
    .description('Sign in with a license key, stay connected and record API calls.')
    .version(versionOf(), '--version', 'show the version')
    .option('--json', 'output JSON (NDJSON for streams)')
    .option('--profile <name>', 'use a different profile (LATCHKEY_PROFILE)')
    .option('--no-color', 'no colors (NO_COLOR)')
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (command) => command.name() })
    .commandsGroup(GROUPS.setUp)
    .helpCommand('help [command...]', 'explain a command');
  addHelp(program, {
    examples: [
      ['latchkey login --server https://latchkey.example.com', 'sign in'],
      ['latchkey connect', 'stay connected'],
      ['latchkey record --stdin < calls.ndjson', 'record API calls from a file'],
      ['latchkey help record', 'help for one command'],
    ],
    exits: {
      done: 'done',
      failed: 'failed, interrupted, or some calls were rejected',
      notSignedIn: 'not signed in',
      refused: 'refused: suspended, expired, no free seat, or your role has no access',
      unreachable: 'server unreachable; recorded calls are queued on disk',
      ...OFFLINE_EXITS,
      notEntitled: 'entitled: the license does not include the feature',
      overQuota: 'the monthly quota is used up; recorded calls are queued on disk',
    } satisfies Record<Exclude<keyof typeof EXIT, 'usage'>, string>,
    environment: Object.entries(ENVIRONMENT),
    more: 'docs/cli.md describes its files and output formats.',
  });
  declareLogin(program, bind);
  declareStatus(program, bind);
  declareLogout(program, bind);
  declareTheme(program, bind);
  declareDevices(program, bind);
  declareLicense(program, bind);
  declareConnect(program, bind);
  declareSeat(program, bind);
  declareRecord(program, bind);
  declareFlush(program, bind);
  declareUsage(program, bind);
  declareEntitled(program, bind);
  declareProfiles(program, bind);
  declareDoctor(program, bind);
  declareCompletion(program, bind);
  nameHelp(program);
  return program;
};

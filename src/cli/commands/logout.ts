import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { openLicenses } from '../home/licenses.ts';
import { addHelp } from '../terminal/help.ts';
import { counted, plain } from '../terminal/text.ts';
import type { Bind } from './command.ts';
import { environmentOf } from './environment.ts';
import { GROUPS } from './groups.ts';

/** Statuses for a session that has already ended, which counts as success. */
const SESSION_OVER = [401, 403];

const logout = async (context: Context, _command: Command): Promise<ExitCode> => {
  const { output, profiles } = context;
  const chosen = context.chosen();
  if (!chosen.ok) return output.fail(chosen.failure);
  const { name, profile } = chosen.value;
  if (profile === null || profile.token === null) {
    output.result({ profile: name, signedOut: false, spooled: profile === null ? 0 : context.spoolOf(profile).pending() }, () => [
      'You were not signed in',
    ]);
    return EXIT.done;
  }
  const api = context.api(profile.server, profile.token);
  const answer = await context.waitFor(profile.server, api.logout().finally(api.close));
  profiles.write(name, { ...profile, token: null });
  openLicenses(context.home).remove(name);
  const spooled = context.spoolOf(profile).pending();
  output.result({ profile: name, signedOut: true, spooled }, () => [
    `Signed out of ${plain(profile.customer.name)}`,
    ...(spooled === 0 ? [] : [`Queued until you sign in again: ${counted(spooled, 'call')}`]),
  ]);
  if (answer.ok || SESSION_OVER.includes(answer.failure.status ?? 0)) return EXIT.done;
  return output.warn({ ...answer.failure, message: `The server could not be notified: ${answer.failure.message}` });
};

/** Declares `latchkey logout`, which ends the session on the server and in the profile. */
export const declareLogout = (program: Command, bind: Bind): void => {
  const command = program
    .command('logout')
    .helpGroup(GROUPS.signIn)
    .summary('end the session')
    .description(
      'End the session, and remove the offline license. Unsent calls stay queued until the next sign-in to the same customer.',
    )
    .action(bind(logout));
  addHelp(command, {
    examples: [
      ['latchkey logout', 'ends the session of the profile in use'],
      ['latchkey logout --profile work', 'ends the session of another profile'],
    ],
    exits: {
      done: 'signed out, or not signed in before',
      failed: 'failed',
      unreachable: 'signed out here, but the server could not be notified',
    },
    environment: environmentOf(['LATCHKEY_PROFILE'], { network: true }),
  });
};

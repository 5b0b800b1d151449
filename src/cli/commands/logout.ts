import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { counted, plain } from '../terminal/text.ts';
import type { Bind } from './command.ts';

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
  const answer = await api.logout().finally(api.close);
  profiles.write(name, { ...profile, token: null });
  const spooled = context.spoolOf(profile).pending();
  output.result({ profile: name, signedOut: true, spooled }, () => [
    `Signed out of ${plain(profile.customer.name)}`,
    ...(spooled === 0 ? [] : [`${counted(spooled, 'call')} stay spooled until you sign in again`]),
  ]);
  // A session that had ended already is what was wanted.
  if (answer.ok || answer.failure.status === 401) return EXIT.done;
  return output.warn({ ...answer.failure, message: `The server was not told: ${answer.failure.message}` });
};

export const declareLogout = (program: Command, bind: Bind): void => {
  program
    .command('logout')
    .summary('end the session')
    .description('End the session. Calls that are not sent yet stay, and are sent after the next sign-in to the same customer.')
    .action(bind(logout));
};

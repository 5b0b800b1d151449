import type { Command } from 'commander';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { failed } from '../failure.ts';
import { addHelp } from '../terminal/help.ts';
import { count, counted, plain } from '../terminal/text.ts';
import type { Bind } from './command.ts';
import { environmentOf } from './environment.ts';

const unknown = (name: string) =>
  failed('profile_unknown', `There is no profile '${name}'`, { hint: 'See: latchkey profiles list' });

const listProfiles = async (context: Context, command: Command): Promise<ExitCode> => {
  const { output, profiles } = context;
  const chosen = context.profileName();
  const current = chosen.ok ? chosen.value : null;
  const { quiet } = z.object({ quiet: z.boolean().optional() }).parse(command.opts());
  const entries = profiles.list().map((name) => {
    const found = profiles.read(name);
    const profile = found.ok ? found.value : null;
    return {
      name,
      current: name === current,
      server: profile?.server ?? null,
      customer: profile?.customer.name ?? null,
      username: profile?.user.username ?? null,
      signedIn: profile !== null && profile.token !== null,
      spooled: profile === null ? 0 : context.spoolOf(profile).pending(),
    };
  });
  output.result({ profiles: entries }, () => {
    if (quiet) return entries.map(({ name }) => name);
    if (entries.length === 0) return ['No profiles yet. Sign in with: latchkey login'];
    const paint = output.out();
    const width = Math.max(...entries.map(({ name }) => name.length));
    return entries.map(({ name, current: isCurrent, server, customer, username, signedIn, spooled }) => {
      const who = server === null ? 'cannot be read' : `${plain(username ?? '')} at ${plain(customer ?? '')}, ${server}`;
      const notes = [...(signedIn ? [] : ['signed out']), ...(spooled === 0 ? [] : [`${count(spooled)} queued`])];
      const padded = name.padEnd(width);
      return `${isCurrent ? '*' : ' '} ${isCurrent ? paint.title(padded) : padded}  ${who}${notes.map((note) => paint.dim(`, ${note}`)).join('')}`;
    });
  });
  return EXIT.done;
};

const useProfile = async ({ output, profiles }: Context, command: Command): Promise<ExitCode> => {
  const name = profiles.nameOf(command.args[0]);
  if (!name.ok) return output.fail(name.failure);
  if (!profiles.list().includes(name.value)) return output.fail(unknown(name.value));
  profiles.use(name.value);
  output.result({ profile: name.value }, () => [`Commands now use the profile ${output.out().title(name.value)}`]);
  return EXIT.done;
};

const removeProfile = async (context: Context, command: Command): Promise<ExitCode> => {
  const { output, profiles } = context;
  const name = profiles.nameOf(command.args[0]);
  if (!name.ok) return output.fail(name.failure);
  if (!profiles.list().includes(name.value)) return output.fail(unknown(name.value));
  const { force } = z.object({ force: z.boolean().optional() }).parse(command.opts());
  const found = profiles.read(name.value);
  const profile = found.ok ? found.value : null;
  const spooled = profile === null ? 0 : context.spoolOf(profile).pending();
  if (spooled > 0 && !force) {
    const hint = `Send them with: latchkey flush --profile ${name.value}. Or remove the profile with --force. The calls stay on disk.`;
    return output.fail(failed('calls_spooled', `${counted(spooled, 'call')} of this profile are not sent yet`, { hint }));
  }
  if (profile !== null && profile.token !== null) {
    const api = context.api(profile.server, profile.token);
    await context.waitFor(profile.server, api.logout().finally(api.close));
  }
  profiles.remove(name.value);
  output.result({ removed: name.value }, () => [`Removed the profile ${name.value}`]);
  return EXIT.done;
};

/** Declares `latchkey profiles`: list, choose and remove. */
export const declareProfiles = (program: Command, bind: Bind): void => {
  const profiles = program
    .command('profiles')
    .summary('list, choose and remove profiles')
    .description('A profile is one sign-in. Create another with: latchkey login --profile NAME');
  addHelp(profiles, {
    examples: [
      ['latchkey login --profile work', 'creates a profile'],
      ['latchkey profiles', 'lists them'],
      ['latchkey status --profile work', 'uses a profile for one command'],
    ],
    exits: { done: 'done', failed: 'failed' },
    environment: environmentOf(['LATCHKEY_PROFILE'], { network: false }),
  });
  const list = profiles
    .command('list', { isDefault: true })
    .summary('list profiles; the one in use is marked')
    .description('List profiles. The one in use is marked with a star.')
    .option('--quiet', 'names only')
    .action(bind(listProfiles));
  addHelp(list, {
    examples: [
      ['latchkey profiles list', 'users, servers and queued calls'],
      ['latchkey profiles list --json', 'as JSON'],
    ],
    exits: { done: 'listed', failed: 'failed' },
  });
  const use = profiles
    .command('use')
    .summary('use this profile from now on')
    .description('Use this profile unless --profile or LATCHKEY_PROFILE names another.')
    .argument('<profile>', 'name of the profile')
    .action(bind(useProfile));
  addHelp(use, {
    examples: [['latchkey profiles use work', 'until you choose another']],
    exits: { done: 'chosen', failed: 'failed, or there is no such profile' },
  });
  const remove = profiles
    .command('remove')
    .summary('sign out and remove a profile')
    .description('Sign out and remove a profile. Unsent calls stay on disk.')
    .argument('<profile>', 'name of the profile')
    .option('--force', 'even with unsent calls')
    .action(bind(removeProfile));
  addHelp(remove, {
    examples: [['latchkey profiles remove work', 'ends its session and removes its file']],
    exits: { done: 'removed', failed: 'failed, no such profile, or it has unsent calls' },
  });
};

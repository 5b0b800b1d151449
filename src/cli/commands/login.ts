import { type Command, Option } from 'commander';
import { z } from 'zod';
import type { CliLogin, CliLoginReply } from '../../contracts/cli.ts';
import type { Api } from '../api/api.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Answer } from '../failure.ts';
import type { Profile } from '../home/profiles.ts';
import { isLoopback } from '../server.ts';
import { addHelp } from '../terminal/help.ts';
import { table } from '../terminal/output.ts';
import { counted, plain } from '../terminal/text.ts';
import type { Bind } from './command.ts';
import { describeSeat, describeUser } from './describe.ts';
import { environmentOf } from './environment.ts';
import { GROUPS } from './groups.ts';
import { askDetails, askServer } from './loginAnswers.ts';
import { waitForApproval } from './loginApproval.ts';
import { secondsOption } from './numbers.ts';

const options = z.object({
  server: z.string().optional(),
  key: z.string().optional(),
  username: z.string().optional(),
  email: z.string().optional(),
  wait: z.number().optional(),
});

/** The name of the customer's spool folder. It stays the same if only the server's address changes. */
const spoolFor = (server: string, customerId: string, before: Profile | null): string =>
  before?.customer.id === customerId ? before.spool : `${new URL(server).host.replace(/[^\w.-]/g, '_')}~${customerId}`;

/** Signs in. If this machine needs approval, waits for it: by default without a limit in a terminal, and not at all elsewhere. */
const signIn = async (
  context: Context,
  { api, details, server, waitS }: { api: Api; details: CliLogin; server: string; waitS: number | undefined },
): Promise<Answer<CliLoginReply>> => {
  const { io, output } = context;
  const answer = await context.waitFor(server, api.login(details));
  if (answer.ok || answer.failure.approval === null) return answer;
  const { failure } = answer;
  const isInteractive = io.stdin.isTTY === true && !output.json;
  const limitMs = waitS === undefined ? (isInteractive ? Number.POSITIVE_INFINITY : 0) : waitS * 1000;
  const decided =
    limitMs === 0
      ? answer
      : await waitForApproval(context, { api, details, limitMs }, { ...failure, approval: answer.failure.approval });
  if (decided.ok || decided.failure.approval === null) return decided;
  const hint = 'Once it is approved, run latchkey login again. --wait SECONDS waits for that.';
  return { ok: false, failure: { ...decided.failure, hint } };
};

const login = async (context: Context, command: Command): Promise<ExitCode> => {
  const { output, profiles } = context;
  const given = options.parse(command.opts());
  const name = context.profileName();
  if (!name.ok) return output.fail(name.failure);
  // A damaged profile is replaced. The spool is found by its customer.
  const chosen = context.chosen();
  const before = chosen.ok ? chosen.value.profile : null;
  const server = await askServer(context, given.server, before);
  if (!server.ok) return output.fail(server.failure);
  if (server.value.startsWith('http:') && !isLoopback(server.value)) {
    output.note(output.err().dim('The license key is sent unencrypted. Use https:// if the server supports it.'));
  }
  const details = await askDetails(context, given, before);
  if (!details.ok) return output.fail(details.failure);

  const api = context.api(server.value, null);
  const answer = await signIn(context, { api, details: details.value, server: server.value, waitS: given.wait }).finally(api.close);
  if (!answer.ok) {
    // A 401 means that the key is unknown, so the default hint to run `login` does not help.
    return output.fail({ ...answer.failure, hint: answer.failure.status === 401 ? 'Check the license key.' : answer.failure.hint });
  }
  const { token, user, customer, seat, theme } = answer.value;
  const spool = spoolFor(server.value, customer.id, before);
  const profile: Profile = { version: 1, server: server.value, token, spool, user, customer, seat, theme };
  const isFirst = profiles.list().length === 0;
  try {
    profiles.write(name.value, profile);
    if (isFirst) profiles.use(name.value);
  } catch (error) {
    const started = context.api(server.value, token);
    await started.logout().finally(started.close); // without a profile, the session could not be ended later
    throw error;
  }

  output.setTheme(theme);
  const spooled = context.spoolOf(profile).pending();
  output.result({ profile: name.value, server: server.value, customer, user, seat, theme, spooled }, () => [
    output.out().title(`Signed in to ${plain(customer.name)}`),
    ...table(
      [
        ['User', describeUser(user)],
        ['Seat', describeSeat(seat)],
        ['Server', server.value],
        ...(spooled === 0 ? [] : [['Queued', `${counted(spooled, 'call')}; send with: latchkey flush`] as const]),
      ],
      output.out(),
    ),
  ]);
  return EXIT.done;
};

/** Declares `latchkey login`, which stores the session in a profile. */
export const declareLogin = (program: Command, bind: Bind): void => {
  const command = program
    .command('login')
    .helpGroup(GROUPS.signIn)
    .summary('sign in and take a seat')
    .description(
      "Sign in with your company's license key and take a seat.\n\nThe command prompts for the key without showing it. You can also pass it on standard input or in LATCHKEY_KEY.",
    )
    .option('--server <url>', 'address of the server (LATCHKEY_SERVER)')
    .option('--key <key>', 'license key; other users of this machine can see it here')
    .option('--username <name>', 'your name on the server (LATCHKEY_USERNAME)')
    .option('--email <address>', 'your email address (LATCHKEY_EMAIL)')
    .addOption(
      new Option(
        '--wait <seconds>',
        'how long to wait for the approval of this machine (default: until it is decided in a terminal, otherwise 0)',
      ).argParser(secondsOption),
    )
    .action(bind(login));
  addHelp(command, {
    examples: [
      ['latchkey login --server https://latchkey.example.com', 'prompts for the key and missing details'],
      [
        'latchkey login --server https://latchkey.example.com --email ada@example.com < key.txt',
        'in a script, with the key from a file',
      ],
      ['latchkey login --profile work', 'a second profile'],
      ['latchkey login --json --wait 600 < key.txt', 'in a script: wait up to ten minutes for the approval of this machine'],
    ],
    exits: {
      done: 'signed in',
      failed: 'failed, or cancelled',
      usage: 'wrong usage, or a detail is missing',
      notSignedIn: 'unknown key',
      refused: 'refused: suspended, no free seat, your role has no access, or this machine is not approved yet',
      unreachable: 'server unreachable, or not a Latchkey server',
    },
    environment: environmentOf(['LATCHKEY_SERVER', 'LATCHKEY_KEY', 'LATCHKEY_USERNAME', 'LATCHKEY_EMAIL'], { network: true }),
  });
};

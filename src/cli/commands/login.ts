import { type Command, Option } from 'commander';
import { z } from 'zod';
import type { CliLogin, CliLoginReply } from '../../contracts/cli.ts';
import type { Api } from '../api/api.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { type Answer, misused } from '../failure.ts';
import type { Profile } from '../home/profiles.ts';
import { isLoopback } from '../server.ts';
import { addHelp } from '../terminal/help.ts';
import { table } from '../terminal/output.ts';
import { counted, plain } from '../terminal/text.ts';
import type { Bind } from './command.ts';
import { describeSeat, describeUser } from './describe.ts';
import { environmentOf } from './environment.ts';
import { GROUPS } from './groups.ts';
import { askDetails, askKey, askServer, type CheckKey, unknownKey } from './loginAnswers.ts';
import { waitForApproval } from './loginApproval.ts';
import { signInByDevice } from './loginDevice.ts';
import { secondsOption } from './numbers.ts';
import { termNotice } from './term.ts';

const options = z.object({
  server: z.string().optional(),
  key: z.string().optional(),
  username: z.string().optional(),
  email: z.string().optional(),
  device: z.boolean().default(false),
  withKey: z.boolean().default(false),
  open: z.boolean().default(false),
  wait: z.number().optional(),
});

const USERNAME_OF_KEY = misused('--username belongs to a sign-in with a license key', {
  hint: 'Add --with-key, or leave it out: your account has your name.',
});

/** The name of the customer's spool folder. It stays the same if only the server's address changes. */
const spoolFor = (server: string, customerId: string, before: Profile | null): string =>
  before?.customer.id === customerId ? before.spool : `${new URL(server).host.replace(/[^\w.-]/g, '_')}~${customerId}`;

type Options = z.infer<typeof options>;

/** Whether to sign in by a code: if asked to, and in a terminal where no key is given. */
const isByDevice = ({ io }: Context, { key, device, withKey }: Options): boolean =>
  device || (!withKey && !key && !io.env.LATCHKEY_KEY && io.stdin.isTTY === true);

/** Signs in with a license key. If this machine needs approval, waits for it: by default without a limit in a terminal, and not at all elsewhere. */
const signInByKey = async (
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

const warnIfUnencrypted = ({ output }: Context, server: string, what: string): void => {
  if (!server.startsWith('http:') || isLoopback(server)) return;
  output.note(output.err().dim(`${what} is sent unencrypted. Use https:// if the server supports it.`));
};

/** Signs in by a code or with a license key, as the options say. */
const signIn = async (
  context: Context,
  { given, before, server }: { given: Options; before: Profile | null; server: string },
): Promise<Answer<CliLoginReply>> => {
  const waitS = given.wait;
  if (isByDevice(context, given)) {
    if (given.username !== undefined) return { ok: false, failure: USERNAME_OF_KEY };
    warnIfUnencrypted(context, server, 'The session');
    const api = context.api(server, null);
    const email = given.email ?? (context.io.env.LATCHKEY_EMAIL || undefined);
    return signInByDevice(context, { api, server, email, opens: given.open, waitS }).finally(api.close);
  }
  warnIfUnencrypted(context, server, 'The license key');
  const check: CheckKey = (licenseKey) => {
    const api = context.api(server, null);
    return context.waitFor(server, api.checkKey({ licenseKey })).finally(api.close);
  };
  const asked = await askDetails(context, { given, profile: before, check });
  if (!asked.ok) return asked;
  let details = asked.value;
  for (;;) {
    const api = context.api(server, null);
    const answer = await signInByKey(context, { api, details, server, waitS }).finally(api.close);
    if (answer.ok || answer.failure.status !== 401) return answer;
    if (!context.io.stdin.isTTY) return { ok: false, failure: unknownKey(answer.failure) };
    context.output.note(plain(answer.failure.message));
    const again = await askKey(context, check);
    if (!again.ok) return again;
    details = { ...details, licenseKey: again.value };
  }
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
  const answer = await signIn(context, { given, before, server: server.value });
  if (!answer.ok) return output.fail(answer.failure);
  const { token, user, customer, seat, theme, term } = answer.value;
  const spool = spoolFor(server.value, customer.id, before);
  const profile: Profile = { version: 1, server: server.value, token, spool, user, customer, seat, theme, term };
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
  output.result({ profile: name.value, server: server.value, customer, user, seat, theme, spooled, ...(term && { term }) }, () => [
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
  const notice = termNotice(term, context.io.now());
  if (notice !== null) output.note(notice.isWarning ? output.err().bad(notice.text) : notice.text);
  return EXIT.done;
};

/** Declares `latchkey login`, which stores the session in a profile. */
export const declareLogin = (program: Command, bind: Bind): void => {
  const command = program
    .command('login')
    .helpGroup(GROUPS.signIn)
    .summary('sign in and take a seat')
    .description(
      "Sign in and take a seat.\n\nIn a terminal the command shows a code and an address. Open the address in any browser, sign in there with your account, and approve the code: the command continues immediately.\n\nWith your company's license key instead, use --with-key, standard input or LATCHKEY_KEY.",
    )
    .option('--server <url>', 'address of the server (LATCHKEY_SERVER)')
    .addOption(new Option('--device', 'show a code, also without a terminal').conflicts(['key', 'withKey']))
    .addOption(new Option('--open', 'open the address of the code in the browser').conflicts(['key', 'withKey']))
    .option('--with-key', 'sign in with a license key: prompts for it without showing it')
    .option('--key <key>', 'license key; other users of this machine can see it here')
    .option('--username <name>', 'with a license key: your name on the server (LATCHKEY_USERNAME)')
    .option('--email <address>', 'your email address; only this user can approve a code (LATCHKEY_EMAIL)')
    .addOption(
      new Option(
        '--wait <seconds>',
        'how long to wait for the approval of a code or of this machine (default: until it is decided; with a license key and without a terminal 0)',
      ).argParser(secondsOption),
    )
    .action(bind(login));
  addHelp(command, {
    examples: [
      ['latchkey login --server https://latchkey.example.com', 'shows a code to approve in a browser'],
      ['latchkey login --open', 'opens the browser'],
      ['latchkey login --with-key', 'prompts for the license key and missing details'],
      [
        'latchkey login --server https://latchkey.example.com --email ada@example.com < key.txt',
        'in a script, with the key from a file',
      ],
      ['latchkey login --profile work', 'a second profile'],
      ['latchkey login --json --wait 600 < key.txt', 'in a script: wait up to ten minutes for the approval of this machine'],
    ],
    exits: {
      done: 'signed in',
      failed: 'failed, cancelled, or the code expired',
      usage: 'wrong usage, or a detail is missing',
      notSignedIn: 'unknown key',
      refused: 'refused: suspended, no free seat, your role has no access, or the code or this machine is not approved',
      unreachable: 'server unreachable, or not a Latchkey server',
    },
    environment: environmentOf(['LATCHKEY_SERVER', 'LATCHKEY_KEY', 'LATCHKEY_USERNAME', 'LATCHKEY_EMAIL'], { network: true }),
  });
};

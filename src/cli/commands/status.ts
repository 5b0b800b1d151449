import type { Command } from 'commander';
import { type Context, requestSignedIn } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Profile } from '../home/profiles.ts';
import { addHelp } from '../terminal/help.ts';
import { table } from '../terminal/output.ts';
import type { Paint } from '../terminal/paint.ts';
import { counted } from '../terminal/text.ts';
import type { Bind } from './command.ts';
import { describeCustomer, describeEntitlements, describeLease, describeSeat, describeUser, paintedCallQuota } from './describe.ts';
import { environmentOf } from './environment.ts';
import { GROUPS } from './groups.ts';
import { loadSession } from './loadSession.ts';
import { blockerOf, describeQueued } from './queue.ts';
import { paintedTerm } from './term.ts';

/** The number of the user's calls today, in the time zone of this computer; null where it is not available. */
const callsToday = async (context: Context): Promise<number | null> => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const answer = await requestSignedIn(context, (api) => api.usage(7, timeZone));
  return answer.ok ? (answer.value.reply.usage.daily.at(-1)?.calls ?? null) : null;
};

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** What the preview of a theme in the console shows, in the theme's colors. */
const overview = (paint: Paint, { user, seat, lease }: Profile, calls: number | null): string[] => {
  const bar = paint.title('▍');
  const presence = user.currentlyConnected ? `${paint.second('●')} Connected` : `${paint.dim('○')} Not connected`;
  return [
    `${bar}${presence}`,
    `${bar}${lease === null ? `${paint.dim('○')} No ${seat.kind} seat held` : `${paint.accent('●')} ${capitalized(seat.kind)} seat`}`,
    ...(calls === null ? [] : [`${bar}${paint.dim(`${counted(calls, 'API call')} today`)}`]),
  ];
};

const status = async (context: Context, _command: Command): Promise<ExitCode> => {
  const { output } = context;
  const known = await loadSession(context);
  if (!known.ok) return output.fail(known.failure);
  const { name, profile, failure } = known.value;
  const { server, customer, user, seat, term, entitlements, lease, callQuota } = profile;
  const held = describeLease(lease, context.io.now());
  const included = describeEntitlements(entitlements);
  const live = failure === null;
  const spool = context.spoolOf(profile);
  const spooled = spool.pending();
  const connected = live ? user.currentlyConnected : null;
  const calls = live && !output.json ? await callsToday(context) : null;
  const result = {
    server,
    customer,
    user,
    seat: live ? seat : null,
    connected,
    spooled,
    ...(term && { term }),
    ...(entitlements && { entitlements }),
    ...(live && lease !== undefined && { lease }),
    ...(live && callQuota && { callQuota }),
  };
  output.result(result, () => {
    const paint = output.out();
    const presence = connected ? paint.good('connected') : 'not connected';
    return [
      paint.title(describeCustomer(customer)),
      ...(live ? overview(paint, profile, calls) : []),
      ...table(
        [
          ['User', describeUser(user)],
          ['Seat', live ? describeSeat(seat) : paint.dim('unknown')],
          ...(live && held !== null ? [['Held', held] as const] : []),
          ...(term ? [['License', paintedTerm(term, context.io.now(), paint)] as const] : []),
          ...(live && callQuota ? [['Quota', paintedCallQuota(callQuota, paint)] as const] : []),
          ...(included === null ? [] : [['Includes', included] as const]),
          ['Presence', live ? presence : paint.dim('unknown')],
          ['Queued', spooled === 0 ? 'none' : describeQueued(spooled, blockerOf(spool, live ? profile : null))],
          ['Server', server],
          ['Profile', name],
        ],
        paint,
      ),
    ];
  });
  return failure === null ? EXIT.done : output.warn(failure);
};

const whoami = async (context: Context, _command: Command): Promise<ExitCode> => {
  const { output } = context;
  const known = await loadSession(context);
  if (!known.ok) return output.fail(known.failure);
  const { name, profile, failure } = known.value;
  const { server, customer, user } = profile;
  output.result({ user, customer, server, profile: name }, () => [
    `${output.out().title(describeUser(user))} of ${describeCustomer(customer)}`,
  ]);
  return failure === null ? EXIT.done : output.warn(failure);
};

/** The exit codes of commands that show the current or the last known state of the server. */
export const SESSION_EXITS = {
  done: 'current state of the server',
  failed: 'failed',
  notSignedIn: 'not signed in; shows the last known state, if any',
  refused: 'refused: suspended, or your role has no access; shows the last known state',
  unreachable: 'server unreachable; shows the last known state',
} as const;

/** Declares `latchkey status`: session, seat, presence and queued calls. */
export const declareStatus = (program: Command, bind: Bind): void => {
  const statusCommand = program
    .command('status')
    .helpGroup(GROUPS.signIn)
    .summary('show session, seat, presence and queued calls')
    .description('Show the session, the seat, whether you are connected and how many calls are queued.')
    .action(bind(status));
  addHelp(statusCommand, {
    examples: [
      ['latchkey status', 'current state'],
      ['latchkey status --json', 'as JSON: server, customer, user, seat, connected, spooled'],
    ],
    exits: SESSION_EXITS,
    environment: environmentOf(['LATCHKEY_PROFILE'], { network: true }),
  });
  const whoamiCommand = program
    .command('whoami')
    .helpGroup(GROUPS.signIn)
    .summary('show who is signed in')
    .description('Show who is signed in, for which customer.')
    .action(bind(whoami));
  addHelp(whoamiCommand, {
    examples: [
      ['latchkey whoami', 'the user and the customer'],
      ['latchkey whoami --profile work', 'of another profile'],
    ],
    exits: SESSION_EXITS,
    environment: environmentOf(['LATCHKEY_PROFILE'], { network: true }),
  });
};

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { table } from '../terminal/output.ts';
import { counted } from '../terminal/text.ts';
import type { Bind } from './command.ts';
import { describeCustomer, describeSeat, describeUser } from './describe.ts';
import { lookUp } from './lookUp.ts';

const status = async (context: Context, _command: Command): Promise<ExitCode> => {
  const { output } = context;
  const known = await lookUp(context);
  if (!known.ok) return output.fail(known.failure);
  const { name, profile, failure } = known.value;
  const { server, customer, user, seat } = profile;
  const live = failure === null;
  const spooled = context.spoolOf(profile).pending();
  const connected = live ? user.currentlyConnected : null;
  output.result({ server, customer, user, seat: live ? seat : null, connected, spooled }, () => {
    const paint = output.out();
    const presence = connected ? paint.good('connected') : 'not connected';
    return [
      paint.title(describeCustomer(customer)),
      ...table(
        [
          ['User', describeUser(user)],
          ['Seat', live ? describeSeat(seat) : paint.dim('not known at the moment')],
          ['Presence', live ? presence : paint.dim('not known at the moment')],
          ['Spooled', spooled === 0 ? 'nothing' : counted(spooled, 'call')],
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
  const known = await lookUp(context);
  if (!known.ok) return output.fail(known.failure);
  const { name, profile, failure } = known.value;
  const { server, customer, user } = profile;
  output.result({ user, customer, server, profile: name }, () => [
    `${output.out().title(describeUser(user))} of ${describeCustomer(customer)}`,
  ]);
  return failure === null ? EXIT.done : output.warn(failure);
};

export const declareStatus = (program: Command, bind: Bind): void => {
  program
    .command('status')
    .summary('show session, seat, presence and what is spooled')
    .description('Show the session, the seat, whether you are connected and how many calls wait to be sent.')
    .action(bind(status));
  program
    .command('whoami')
    .summary('show who is signed in')
    .description('Show who is signed in, for which customer.')
    .action(bind(whoami));
};

import type { Command } from 'commander';
import { type Context, requestSignedIn } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { addHelp } from '../terminal/help.ts';
import type { Bind } from './command.ts';
import { environmentOf } from './environment.ts';
import { GROUPS } from './groups.ts';

const release = async (context: Context, _command: Command): Promise<ExitCode> => {
  const answer = await requestSignedIn(context, (api) => api.releaseSeat());
  if (!answer.ok) return context.output.fail(answer.failure);
  context.output.result({ released: true }, () => ['You hold no floating seat now. The next use takes one again.']);
  return EXIT.done;
};

/** Declares `latchkey seat`, which gives a floating seat back. */
export const declareSeat = (program: Command, bind: Bind): void => {
  const seat = program
    .command('seat')
    .helpGroup(GROUPS.work)
    .summary('give a floating seat back')
    .description('Where a license has floating seats, users share them. "latchkey status" shows the seat that you hold.');
  addHelp(seat, { examples: [['latchkey seat release', 'before a break']], exits: { done: 'done', failed: 'failed' } });
  const released = seat
    .command('release')
    .summary('give your floating seat back now')
    .description('Give your floating seat back now, so that another user can take it. You stay signed in.')
    .action(bind(release));
  addHelp(released, {
    examples: [['latchkey seat release', 'before a break']],
    exits: {
      done: 'you hold no floating seat now',
      failed: 'failed',
      notSignedIn: 'not signed in',
      refused: 'refused: suspended, or your role has no access',
      unreachable: 'server unreachable',
    },
    environment: environmentOf(['LATCHKEY_PROFILE'], { network: true }),
  });
};

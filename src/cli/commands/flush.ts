import type { Command } from 'commander';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit.ts';
import { drainWithLock } from '../recording/backgroundUploader.ts';
import { openUploader } from '../recording/uploader.ts';
import { addHelp } from '../terminal/help.ts';
import { openProgress } from '../terminal/progress.ts';
import { count, jsonLine } from '../terminal/text.ts';
import type { Bind } from './command.ts';
import { environmentOf } from './environment.ts';
import { GROUPS } from './groups.ts';
import { BUSY_S, timeoutOption, UNANSWERED_S } from './numbers.ts';
import { describeRejected, limitsOf, openCallSink, report } from './sending.ts';

const options = z.object({ timeout: z.number().optional() });

const flush = async (context: Context, command: Command): Promise<ExitCode> => {
  const { io, output } = context;
  const { timeout } = options.parse(command.opts());
  const signedIn = context.signedIn();
  if (!signedIn.ok) return output.fail(signedIn.failure);
  const { name, profile } = signedIn.value;
  const spool = context.spoolOf(profile);
  const progress = openProgress(io, output, () => profile.server);
  const total = Math.max(1, spool.pending());

  const sink = openCallSink({
    context,
    name,
    profile,
    spool,
    onRejected: (call) => progress.print(output.json ? jsonLine(call).trimEnd() : describeRejected(call)),
    onProgress: () => {
      const sent = delivery.sent.accepted + delivery.sent.duplicates + delivery.sent.rejected;
      progress.show(sent, Math.min(1, sent / total), `${count(sent)} of ${count(total)} sent`);
    },
  });
  const delivery = sink.deliver(limitsOf(timeout), io.interrupted);
  spool.resume();
  const drained = await drainWithLock(spool, openUploader(spool, delivery), io.interrupted);
  await sink.close();
  progress.end();
  return report(context, spool, { recorded: null, ...delivery.sent, kept: sink.kept(), lost: 0, problem: null, ...drained });
};

/** Declares `latchkey flush`, which sends queued calls. */
export const declareFlush = (program: Command, bind: Bind): void => {
  const command = program
    .command('flush')
    .helpGroup(GROUPS.work)
    .summary('send queued calls')
    .description('Send the calls that are queued on disk, until the queue is empty or the server stops accepting them.')
    .addOption(timeoutOption(`retry for ${UNANSWERED_S} s without a reply, for ${BUSY_S} s if the server is busy`))
    .action(bind(flush));
  addHelp(command, {
    examples: [
      ['latchkey flush', 'with a progress bar on a terminal'],
      ['latchkey flush --timeout 600 --json', 'in a nightly job: retry for ten minutes'],
    ],
    exits: {
      done: 'sent; the queue is empty',
      failed: 'failed, interrupted, or some calls were rejected; they are in rejected.ndjson',
      notSignedIn: 'not signed in; the calls stay on disk',
      refused: 'refused: suspended, or your role has no access; the calls stay on disk',
      unreachable: 'server unreachable or busy; the calls stay on disk',
      overQuota: 'the monthly quota of the license is used up; the calls stay on disk',
    },
    environment: environmentOf(['LATCHKEY_PROFILE'], { network: true }),
  });
};

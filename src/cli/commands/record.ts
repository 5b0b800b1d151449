import { type Command, Option } from 'commander';
import { z } from 'zod';
import { sourceId } from '../../contracts/apiCalls.ts';
import { service } from '../../contracts/fields.ts';
import { isEntitled } from '../../domain/license/entitlements.ts';
import { type Context, signedOut } from '../context.ts';
import type { ExitCode } from '../exit.ts';
import { type Answer, misused } from '../failure.ts';
import { checkCall } from '../recording/call.ts';
import { addHelp } from '../terminal/help.ts';
import { plain } from '../terminal/text.ts';
import type { Bind } from './command.ts';
import { environmentOf } from './environment.ts';
import { GROUPS } from './groups.ts';
import { BUSY_S, numberOption, timeoutOption, UNANSWERED_S } from './numbers.ts';
import { recordOne } from './recordOne.ts';
import { recordStdin } from './recordStdin.ts';
import { limitsOf } from './sending.ts';

const options = z.object({
  stdin: z.boolean().default(false),
  source: z.string().optional(),
  service: z.string().optional(),
  instance: z.string().optional(),
  operation: z.string().optional(),
  status: z.number().optional(),
  durationMs: z.number().optional(),
  ok: z.boolean().default(false),
  failed: z.boolean().default(false),
  at: z.string().optional(),
  timeout: z.number().optional(),
  send: z.boolean(),
});
type Options = z.infer<typeof options>;

const FLAGS: Readonly<Record<string, string>> = {
  service: '--service',
  instanceUrl: '--instance',
  operation: '--operation',
  status: '--status',
  durationMs: '--duration-ms',
  at: '--at',
};

/** The spool line of the call that the options describe. */
const callOf = (given: Options, now: number): Answer<string> => {
  const missing = [
    ...(['service', 'instance', 'operation'] as const).filter((name) => given[name] === undefined).map((name) => `--${name}`),
    ...(given.durationMs === undefined ? ['--duration-ms'] : []),
    ...(given.status === undefined && !given.ok && !given.failed ? ['--status, --ok or --failed'] : []),
  ];
  if (missing.length > 0) {
    return {
      ok: false,
      failure: misused(`Missing: ${missing.join(', ')}`, { hint: 'To record many calls, run: latchkey record --stdin' }),
    };
  }
  const { service: name, instance, operation, status, durationMs, at } = given;
  const ok = given.ok || given.failed ? { ok: given.ok } : {};
  const checked = checkCall({ service: name, instanceUrl: instance, operation, status, durationMs, at, ...ok }, now);
  if (checked.ok) return { ok: true, value: checked.line };
  const reason = checked.reason.replace(/(^|; )(\w+):/g, (_, before: string, path: string) => `${before}${FLAGS[path] ?? path}:`);
  return { ok: false, failure: misused(reason) };
};

const mixed = (given: Options): string | null => {
  const single = (['service', 'instance', 'operation', 'status', 'durationMs', 'at'] as const).filter(
    (name) => given[name] !== undefined,
  );
  if (given.stdin && (single.length > 0 || given.ok || given.failed))
    return '--stdin reads complete calls. Remove the options of a single call.';
  if (!given.stdin && given.source !== undefined) return '--source requires --stdin';
  return given.ok && given.failed ? 'Use either --ok or --failed' : null;
};

const record = async (context: Context, command: Command): Promise<ExitCode> => {
  const { output, io } = context;
  const given = options.parse(command.opts());
  const mistake = mixed(given);
  if (mistake !== null) return output.fail(misused(mistake));
  const source = sourceId.optional().safeParse(given.source);
  if (!source.success) return output.fail(misused(`--source: ${source.error.issues[0]?.message ?? 'not a valid name'}`));

  const line = given.stdin ? null : callOf(given, io.now());
  if (line?.ok === false) return output.fail(line.failure);
  const chosen = context.chosen();
  if (!chosen.ok) return output.fail(chosen.failure);
  const { name, profile } = chosen.value;
  if (profile === null) return output.fail(signedOut(name));

  const settings = { name, profile, send: given.send };
  if (line !== null) {
    const { service: called = '' } = given;
    if (!isEntitled(profile.entitlements ?? null, called, new Date(io.now()).toISOString()))
      output.note(`Your license does not include ${plain(called)}. The call is recorded and counted, and marked as not included.`);
    return recordOne(context, { ...settings, timeoutMs: (given.timeout ?? UNANSWERED_S) * 1000, line: line.value });
  }
  if (io.stdin.isTTY) output.note(output.err().dim('Reading calls from the terminal, one per line. Press Ctrl-D to end.'));
  return recordStdin(context, { ...settings, limits: limitsOf(given.timeout), source: source.data ?? null });
};

/** Declares `latchkey record`, for one call by options or many on standard input. */
export const declareRecord = (program: Command, bind: Bind): void => {
  const command = program
    .command('record')
    .helpGroup(GROUPS.work)
    .summary('record API calls')
    .description(
      'Record API calls. They are written to disk first and sent as soon as the server is reachable.\n\nWith --stdin each line of standard input is a call in JSON:\n  {"service":"jira","instanceUrl":"https://acme.atlassian.net","operation":"GET:/issue","status":200,"durationMs":42}',
    )
    .addOption(new Option('--service <name>', 'called service').choices(service.options))
    .option('--instance <url>', 'base URL of the called service')
    .option('--operation <name>', 'operation, such as GET:/issue')
    .option('--status <code>', 'HTTP status of the reply', numberOption)
    .option('--duration-ms <ms>', 'duration of the call', numberOption)
    .option('--ok', 'mark the call as successful')
    .option('--failed', 'mark the call as failed')
    .option('--at <time>', 'time of the call, such as 2026-01-31T12:00:00Z (default: now)')
    .option('--stdin', 'read calls from standard input, one JSON object per line')
    .option('--source <name>', 'with --stdin: name of this input; calls sent again under the same name count once')
    .option('--no-send', 'only queue on disk; calls are sent only if the disk is full')
    .addOption(timeoutOption(`${UNANSWERED_S} s; with --stdin ${BUSY_S} s if the server is busy`))
    .action(bind(record));
  addHelp(command, {
    examples: [
      [
        'latchkey record --service jira --instance https://acme.atlassian.net --operation GET:/issue --status 200 --duration-ms 42',
        'one call',
      ],
      ['latchkey record --stdin < calls.ndjson', 'many calls, with a progress bar on a terminal'],
      ['latchkey record --stdin --source build-1234 < calls.ndjson', 'many calls, counted once even if sent again'],
    ],
    exits: {
      done: 'recorded and sent',
      failed: 'failed, interrupted, or some calls were rejected or invalid',
      usage: 'wrong usage or invalid call; nothing was recorded',
      notSignedIn: 'queued on disk, but not signed in; not queued without a profile',
      refused: 'queued on disk, but refused: suspended, or your role has no access',
      unreachable: 'queued on disk; the next record or flush sends it',
      overQuota: 'queued on disk, because the monthly quota of the license is used up',
    },
    environment: environmentOf(['LATCHKEY_PROFILE', 'LATCHKEY_HOME'], { network: true }),
  });
};

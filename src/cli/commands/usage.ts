import { type Command, Option } from 'commander';
import type { InstanceUsage, Usage, UsageRange } from '../../contracts/usage.ts';
import { isEntitled } from '../../domain/license/entitlements.ts';
import { DEFAULT_USAGE_RANGE, USAGE_RANGES } from '../../domain/limits.ts';
import { type Context, requestSignedIn } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { allowsCalls } from '../recording/quotaHold.ts';
import { addHelp } from '../terminal/help.ts';
import { table } from '../terminal/output.ts';
import type { Paint } from '../terminal/paint.ts';
import { count, counted, plain } from '../terminal/text.ts';
import type { Bind } from './command.ts';
import { paintedCallQuota } from './describe.ts';
import { environmentOf } from './environment.ts';
import { GROUPS } from './groups.ts';
import { blockerOf, describeQueued, nextAttempt } from './queue.ts';

const BARS = [...'▁▂▃▄▅▆▇█'];
/** The instances that text lists; JSON has all. */
const SHOWN_INSTANCES = 10;
/** Width of a bar a day beside the heading, in a terminal of 80 columns. */
const SHOWN_DAYS = 60;

const milliseconds = (ms: number): string => `${count(Math.round(ms))} ms`;
const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;

/** A bar for each day, the highest for the day with most calls. */
const barsOf = ({ daily }: Usage): string => {
  const days = daily.slice(-SHOWN_DAYS);
  const most = Math.max(1, ...days.map(({ calls }) => calls));
  return days.map(({ calls }) => (calls === 0 ? ' ' : BARS[Math.ceil((calls / most) * BARS.length) - 1])).join('');
};

const describeInstance = ({ instanceUrl, service, apiCalls, errors, avgResponseTime }: InstanceUsage, paint: Paint): string => {
  const failures = errors === 0 ? '' : `, ${counted(errors, 'error')}`;
  const about = `${counted(apiCalls, 'call')}${failures}, ${milliseconds(avgResponseTime)} on average`;
  return `  ${plain(instanceUrl)} ${paint.dim(`(${service}): ${about}`)}`;
};

const describe = (usage: Usage, days: UsageRange, paint: Paint): string[] => {
  /** As in the portal. */
  const none = '—';
  const hasCalls = usage.totalApiCalls > 0;
  const { instanceUsage } = usage;
  const figures: [string, string][] = [
    ['Total API calls', count(usage.totalApiCalls)],
    ['Calls in the last 30 days', count(usage.apiCallsLast30Days ?? 0)],
    ['Active instances', count(usage.activeInstances)],
    ['Average response time', hasCalls ? milliseconds(usage.avgResponseTime) : none],
    ['p50, p95, p99', hasCalls ? [usage.p50, usage.p95, usage.p99].map(milliseconds).join(', ') : none],
    ['Peak usage day', usage.peakUsageDay === null ? none : `${usage.peakUsageDay}, ${counted(usage.peakUsageCalls, 'call')}`],
    ['Error rate', hasCalls ? percent(usage.errorRate) : none],
    ['Success rate', hasCalls ? percent(1 - usage.errorRate) : none],
    ['Total errors', count(usage.totalErrors)],
    ...(hasCalls ? [['Calls by day', paint.accent(barsOf(usage))] as [string, string]] : []),
  ];
  const more = instanceUsage.length - SHOWN_INSTANCES;
  return [
    paint.title(`Your API calls in the last ${days} days (${plain(usage.zone)})`),
    ...table(figures, paint),
    ...(hasCalls ? [paint.title('Instances')] : []),
    ...instanceUsage.slice(0, SHOWN_INSTANCES).map((instance) => describeInstance(instance, paint)),
    ...(more > 0 ? [`  and ${counted(more, 'other instance')}`] : []),
    ...(hasCalls ? [] : ['No calls yet. Record the first one: latchkey help record']),
  ];
};

const usage = async (context: Context, command: Command): Promise<ExitCode> => {
  const { output } = context;
  const days = USAGE_RANGES.find((range) => String(range) === command.opts().days) ?? DEFAULT_USAGE_RANGE;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const answer = await requestSignedIn(context, (api) => api.usage(days, timeZone));
  if (!answer.ok) return output.fail(answer.failure);
  const { profile, reply } = answer.value;
  const { usage: found, callQuota } = reply;
  const spool = context.spoolOf(profile);
  const spooled = spool.pending();
  if (allowsCalls(callQuota)) spool.quota.end();
  const blocker = blockerOf(spool, null);
  const at = new Date(context.io.now()).toISOString();
  const { entitlements } = profile;
  const excluded = entitlements ? found.services.filter(({ key }) => key !== null && !isEntitled(entitlements, key, at)) : [];
  output.result({ days, usage: found, spooled, ...(callQuota && { callQuota }) }, () => [
    ...describe(found, days, output.out()),
    ...(callQuota ? table([['Quota of the license', paintedCallQuota(callQuota, output.out())]], output.out()) : []),
    ...(excluded.length === 0
      ? []
      : [
          `Not in your license now: ${excluded.map(({ key, calls }) => `${plain(key ?? '')} (${counted(calls, 'call')})`).join(', ')}`,
        ]),
    ...(spooled === 0 ? [] : [`Not sent yet: ${describeQueued(spooled, blocker)}. ${nextAttempt(spooled, blocker)}`]),
  ]);
  return EXIT.done;
};

/** Declares `latchkey usage`: the figures of the user's own calls, as the portal shows them. */
export const declareUsage = (program: Command, bind: Bind): void => {
  const declared = program
    .command('usage')
    .helpGroup(GROUPS.work)
    .summary('show the figures of your API calls')
    .description(
      'Show the figures of your recorded API calls, as the screen My usage of the portal does, in the time zone of this computer.',
    )
    .addOption(
      new Option('--days <number>', 'days up to today').choices(USAGE_RANGES.map(String)).default(String(DEFAULT_USAGE_RANGE)),
    )
    .action(bind(usage));
  addHelp(declared, {
    examples: [
      ['latchkey usage', 'your calls of the last 30 days'],
      ['latchkey usage --days 90 --json', 'as JSON: days, usage, spooled'],
    ],
    exits: {
      done: 'done',
      failed: 'failed',
      notSignedIn: 'not signed in',
      refused: 'refused: suspended, or your role has no access',
      unreachable: 'server unreachable',
    },
    environment: environmentOf(['LATCHKEY_PROFILE'], { network: true }),
  });
};

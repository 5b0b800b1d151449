import type { RecordedCall } from '../domain/apiCalls/events.ts';
import { MAX_CALLS } from '../domain/limits.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/time.ts';
import { type Random, seededRandom } from './random.ts';
import type { CustomerSpec, InstanceSpec } from './specs.ts';
import { endOf, QUIET_BEFORE_END } from './timeline.ts';

const OPERATIONS = {
  jira: ['GET:/issue', 'GET:/search', 'POST:/issue', 'PUT:/issue/transitions', 'GET:/board/sprint'],
  azdo: ['GET:/workitems', 'POST:/wiql', 'GET:/git/pullrequests', 'PATCH:/workitems', 'GET:/build/builds'],
  confluence: ['GET:/content', 'GET:/search', 'PUT:/content', 'GET:/space'],
} as const;

/** The working time of a day, UTC. */
const WORK_BEGINS_MS = 7 * HOUR_MS;
const WORKING_MS = 11 * HOUR_MS;
/** Calls of the newest day were sent together within this time. */
const LIVE_FLUSH_MS = 5 * MINUTE_MS;

/** Calls that the command-line tool sent together, at `at`. */
export type Flush = Readonly<{ firstSequence: number; at: string; calls: readonly RecordedCall[] }>;

const instanceOf = (random: Random, instances: CustomerSpec['instances']): InstanceSpec => {
  let left = random.next() * instances.reduce((sum, { share }) => sum + share, 0);
  for (const instance of instances) {
    left -= instance.share;
    if (left < 0) return instance;
  }
  return instances[0];
};

/** A random call of a customer at an instant. */
export const callAt = (random: Random, customer: CustomerSpec, at: Date): RecordedCall => {
  const instance = instanceOf(random, customer.instances);
  const ok = random.next() >= customer.errorRate;
  const operations: readonly [string, ...string[]] = OPERATIONS[instance.service];
  return {
    service: instance.service,
    instanceUrl: instance.instanceUrl,
    operation: random.pick(operations),
    ok,
    status: ok ? 200 : random.pick([401, 404, 429, 500, 503]),
    durationMs: ok ? random.duration(instance.medianMs) : random.duration(instance.medianMs * 2),
    at: at.toISOString(),
  };
};

/** The number of calls of a day: few on weekends, growing over the months, with random variation. */
const callsOn = (random: Random, customer: CustomerSpec, daysAgo: number, weekday: number): number => {
  const growth = 1 - 0.6 * (daysAgo / 365);
  const week = weekday === 0 || weekday === 6 ? 0.12 : 1;
  return Math.round(customer.callsPerDay * growth * week * (0.7 + random.next() * 0.6));
};

/** Calls of a window, as the tools of a customer sent them: together, at its end. */
const flushesOf = (calls: readonly RecordedCall[], firstSequence: number, windowMs: number): Flush[] => {
  const inOrder = [...calls].sort((one, other) => (one.at < other.at ? -1 : 1));
  const flushes: { firstSequence: number; at: string; calls: RecordedCall[] }[] = [];
  let endOfWindow = Number.NEGATIVE_INFINITY;
  for (const [index, call] of inOrder.entries()) {
    const at = Date.parse(call.at);
    const open = flushes.at(-1);
    if (open && at <= endOfWindow && open.calls.length < MAX_CALLS) {
      open.calls.push(call);
      open.at = call.at;
      continue;
    }
    endOfWindow = at + windowMs;
    flushes.push({ firstSequence: firstSequence + index, at: call.at, calls: [call] });
  }
  return flushes;
};

/**
 * A customer's API calls up to `now`, day by day, the newest day first so that screens of the last days fill first; the same for the same
 * `seed`. The newest day is sent a few calls at a time, because the live charts show when calls arrive.
 */
export function* yearOfUsage(seed: number, customer: CustomerSpec, now: Date): Generator<readonly Flush[]> {
  const random = seededRandom(seed);
  const quietDays = customer.status === 'active' ? 0 : endOf(customer) + QUIET_BEFORE_END;
  const days = Array.from({ length: Math.max(0, Math.floor(customer.sinceDaysAgo * 0.97 - quietDays)) }, (_, index) => {
    const day = new Date(now.getTime() - (quietDays + index) * DAY_MS);
    const midnight = Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate());
    const wholeDay = callsOn(random, customer, quietDays + index, day.getUTCDay());
    if (index > 0) return { begin: midnight + WORK_BEGINS_MS, workingMs: WORKING_MS, count: wholeDay, windowMs: DAY_MS };
    // The newest day has calls for its elapsed hours only, whatever the time of day: the demo shows live charts at night, too.
    const workingMs = Math.min(WORKING_MS, day.getTime() - midnight);
    const count = Math.max(1, Math.round((wholeDay * workingMs) / WORKING_MS));
    return { begin: day.getTime() - workingMs, workingMs, count, windowMs: LIVE_FLUSH_MS };
  });
  let before = days.reduce((sum, { count }) => sum + count, 0);
  for (const { begin, workingMs, count, windowMs } of days) {
    before -= count;
    // The mean of two numbers: most calls are around noon.
    const instant = () => new Date(begin + ((random.next() + random.next()) / 2) * workingMs);
    const calls = Array.from({ length: count }, () => callAt(random, customer, instant()));
    yield flushesOf(calls, before + 1, windowMs);
  }
}

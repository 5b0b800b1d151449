import type { RecordedCall } from '../../domain/apiCalls/events.ts';
import { MAX_CALLS } from '../../domain/limits.ts';
import type { CastCustomer, CastInstance } from './cast.ts';
import type { Random } from './random.ts';
import { endOf, QUIET_BEFORE_END } from './timeline.ts';

const DAY_MS = 86_400_000;

const OPERATIONS = {
  jira: ['GET:/issue', 'GET:/search', 'POST:/issue', 'PUT:/issue/transitions', 'GET:/board/sprint'],
  azdo: ['GET:/workitems', 'POST:/wiql', 'GET:/git/pullrequests', 'PATCH:/workitems', 'GET:/build/builds'],
  confluence: ['GET:/content', 'GET:/search', 'PUT:/content', 'GET:/space'],
} as const;

/** A flush of a day's calls: what the command-line tool would have sent. */
export type DayBatch = Readonly<{ firstSequence: number; at: string; calls: readonly RecordedCall[] }>;

const instanceOf = (random: Random, instances: readonly CastInstance[]): CastInstance | undefined => {
  let left = random.next() * instances.reduce((sum, { share }) => sum + share, 0);
  for (const instance of instances) {
    left -= instance.share;
    if (left < 0) return instance;
  }
  return instances[0];
};

/** One believable call of a customer at an instant. */
export const callAt = (random: Random, customer: CastCustomer, at: Date): RecordedCall | null => {
  const instance = instanceOf(random, customer.instances);
  if (!instance) return null;
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

/** Weekends are quiet, months grow, and no two days are alike. */
const callsOn = (random: Random, customer: CastCustomer, daysAgo: number, weekday: number): number => {
  const growth = 1 - 0.6 * (daysAgo / 365);
  const week = weekday === 0 || weekday === 6 ? 0.12 : 1;
  return Math.round(customer.callsPerDay * growth * week * (0.7 + random.next() * 0.6));
};

/** A customer's past, the newest day first, so that the screens of the last days fill first. Ends an hour before `now`. */
export function* yearOfUsage(random: Random, customer: CastCustomer, now: Date): Generator<DayBatch> {
  const quietDays = customer.status === 'active' ? 0 : endOf(customer) + QUIET_BEFORE_END;
  const days = Array.from({ length: Math.max(0, Math.floor(customer.sinceDaysAgo * 0.97 - quietDays)) }, (_, index) => {
    const end = new Date(now.getTime() - 3_600_000 - (quietDays + index) * DAY_MS);
    return { end, count: callsOn(random, customer, quietDays + index, end.getUTCDay()) };
  });
  let before = days.reduce((sum, { count }) => sum + count, 0);
  for (const { end, count } of days) {
    before -= count;
    const working = Math.min(10 * 3_600_000, end.getTime() - Date.UTC(end.getUTCFullYear(), end.getUTCMonth(), end.getUTCDate()));
    for (let done = 0; done < count; done += MAX_CALLS) {
      const size = Math.min(MAX_CALLS, count - done);
      const calls = Array.from({ length: size }, () => callAt(random, customer, new Date(end.getTime() - random.next() * working)));
      yield { firstSequence: before + done + 1, at: end.toISOString(), calls: calls.filter((call) => call !== null) };
    }
  }
}

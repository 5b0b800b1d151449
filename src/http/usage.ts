import type { FastifyReply, FastifyRequest } from 'fastify';
import type {
  ArrivedPart,
  ArrivedParts,
  ArrivedUsage,
  CustomersUsage,
  CustomersUsageQuery,
  Usage,
  UsagePart,
  UsageQuery,
} from '../contracts/usage.ts';
import type { IntegratorId } from '../domain/ids.ts';
import { DEFAULT_USAGE_RANGE } from '../domain/limits.ts';
import { dayAfter } from '../domain/time.ts';
import { localDayAt, WEEK_HOURS } from '../projections/localTime.ts';
import type { UsageAsked } from '../projections/usage/queries.ts';
import type { Callers } from '../projections/usage/reading.ts';
import { normalizeInstanceUrl } from './apiCalls/check.ts';
import type { HttpDeps } from './deps.ts';
import { csvWith, exportFormatOf, sendFile, streamed } from './export.ts';
import { tenantNameOf } from './exportNames.ts';
import { HttpProblem } from './problems/problems.ts';

/** What the routes of usage have in common. */
export const USAGE_DESCRIPTION =
  'Days, and hours of the week, are those of the time zone `zone`, by the time of the call. Each breakdown adds up to the calls of the ' +
  'range. A filter by user is read from stored counts; with the others single calls are counted, the newest ones where they are too many: ' +
  'then `countedFrom` is the time from which all of them are counted. With `until` the range ends at that moment, as it was shown then; calls that were recorded later are counted by their time. `users` is null where the session may not read single calls. With `Accept: text/csv` or `application/x-ndjson` the same is ' +
  'sent as a file, a row for each day, hour of the week and part. With `compare=previous` the file has rows of the days before too.';

type Asked = Pick<UsageAsked, 'zone' | 'from' | 'to' | 'today' | 'isCompared'>;

/** What a query asks for at a time, in ms since 1970: the last 30 days by default. */
export const rangeAsked = (
  { zone, days = DEFAULT_USAGE_RANGE, from, to, compare }: Omit<CustomersUsageQuery, 'days'> & { days?: number | undefined },
  now: number,
): Asked => {
  const today = localDayAt(zone, now);
  const range = from !== undefined && to !== undefined ? { from, to } : { from: dayAfter(today, 1 - days), to: today };
  return { ...range, zone, today, isCompared: compare !== undefined };
};

type UsageRowKind =
  | 'range'
  | 'day'
  | 'previous_range'
  | 'previous_day'
  | 'last_30_days'
  | 'not_included'
  | 'hour_of_week'
  | 'customer'
  | 'user'
  | 'operation'
  | 'service'
  | 'instance'
  | 'error_reason'
  | 'arrived_range'
  | 'arrived_day'
  | 'previous_arrived_range'
  | 'previous_arrived_day'
  | 'arrived_hour_of_week'
  | 'arrived_outcome'
  | 'arrived_service'
  | 'arrived_operation';

/** A row of the file: `part` says what `key` is. `from` and `to` are those of the range, or of a day. Null is unknown. */
type UsageRow = Readonly<{
  part: UsageRowKind;
  key: string | null;
  name: string | null;
  from: string | null;
  to: string | null;
  calls: number;
  errors: number | null;
  avgResponseMs: number | null;
  p95Ms: number | null;
  lastActive: string | null;
  p50Ms: number | null;
  p99Ms: number | null;
}>;

const EMPTY = {
  key: null,
  name: null,
  from: null,
  to: null,
  errors: null,
  avgResponseMs: null,
  p95Ms: null,
  lastActive: null,
  p50Ms: null,
  p99Ms: null,
};
const OTHERS = 'all others';
const WEEK_DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HOURS_OF_A_DAY = 24;

const hourOfWeek = (hour: number): string =>
  `${WEEK_DAYS[Math.floor(hour / HOURS_OF_A_DAY)]} ${String(hour % HOURS_OF_A_DAY).padStart(2, '0')}:00`;

const partRow = (part: UsageRow['part'], { key, calls, errors, avgResponseTime, lastActive }: UsagePart): UsageRow => ({
  ...EMPTY,
  part,
  key,
  name: key === null ? OTHERS : null,
  calls,
  errors,
  avgResponseMs: avgResponseTime,
  lastActive,
});

type Figures = Pick<CustomersUsage, 'totalApiCalls' | 'totalErrors' | 'avgResponseTime'> &
  Partial<Pick<Usage, 'p50' | 'p95' | 'p99'>>;
type Day = CustomersUsage['daily'][number] & Partial<Pick<Usage['daily'][number], 'p95'>>;
type Period = Figures & Readonly<{ daily: readonly Day[] }>;

const rangeRow = (part: UsageRowKind, zone: string, { daily, ...figures }: Period): UsageRow => ({
  ...EMPTY,
  part,
  key: zone,
  from: daily[0]?.from ?? null,
  to: daily.at(-1)?.to ?? null,
  calls: figures.totalApiCalls,
  errors: figures.totalErrors,
  avgResponseMs: figures.avgResponseTime,
  p95Ms: figures.p95 ?? null,
  p50Ms: figures.p50 ?? null,
  p99Ms: figures.p99 ?? null,
});

const dayRow = (part: UsageRowKind, { day, from, to, calls, errors, avgResponseTime, p95 }: Day): UsageRow => ({
  ...EMPTY,
  part,
  key: day,
  from,
  to,
  calls,
  errors,
  avgResponseMs: avgResponseTime,
  p95Ms: p95 ?? null,
});

function* rowsOfPrevious(zone: string, previous: Period | null): Generator<UsageRow> {
  if (previous === null) return;
  yield rangeRow('previous_range', zone, previous);
  for (const day of previous.daily) yield dayRow('previous_day', day);
}

function* hoursOfWeek(part: UsageRowKind, week: Usage['week']): Generator<UsageRow> {
  for (let hour = 0; hour < WEEK_HOURS; hour++) {
    const [calls, errors] = [week.calls[hour] ?? 0, week.errors[hour] ?? 0];
    yield { ...EMPTY, part, key: String(hour), name: hourOfWeek(hour), calls, errors };
  }
}

async function* rowsOf(usage: Usage): AsyncGenerator<UsageRow> {
  const { zone, daily, week, users, operations, services, instanceUsage, reasons, apiCallsLast30Days, notIncluded = [] } = usage;
  const range = rangeRow('range', zone, usage);
  yield { ...range, from: usage.countedFrom ?? range.from, to: usage.until ?? range.to };
  for (const day of daily) yield dayRow('day', day);
  yield* rowsOfPrevious(zone, usage.previous);
  if (apiCallsLast30Days !== null) yield { ...EMPTY, part: 'last_30_days', calls: apiCallsLast30Days };
  for (const { service, calls } of notIncluded) yield { ...EMPTY, part: 'not_included', key: service, calls };
  yield* hoursOfWeek('hour_of_week', week);
  for (const user of users ?? []) {
    const row = partRow('user', user);
    yield { ...row, name: user.username ?? row.name };
  }
  for (const part of operations) yield partRow('operation', part);
  for (const part of services) yield partRow('service', part);
  for (const { instanceUrl: key, service, apiCalls: calls, ...instance } of instanceUsage) {
    yield { ...partRow('instance', { ...instance, key, calls }), name: service };
  }
  for (const part of reasons) yield partRow('error_reason', part);
}

type Arrived = Pick<ArrivedUsage, 'totalApiCalls' | 'totalErrors' | 'p50' | 'p95' | 'p99' | 'daily'>;

function* rowsOfArrivedDays(parts: readonly [UsageRowKind, UsageRowKind], zone: string, arrived: Arrived): Generator<UsageRow> {
  const { daily, totalApiCalls: calls, totalErrors: errors, p50, p95, p99 } = arrived;
  const [from, to] = [daily[0]?.from ?? null, daily.at(-1)?.to ?? null];
  yield { ...EMPTY, part: parts[0], key: zone, from, to, calls, errors, p50Ms: p50, p95Ms: p95, p99Ms: p99 };
  for (const { day, from, to, calls, errors, p50, p95 } of daily) {
    yield { ...EMPTY, part: parts[1], key: day, from, to, calls, errors, p50Ms: p50, p95Ms: p95 };
  }
}

function* rowsOfArrivedParts(part: UsageRowKind, parts: readonly ArrivedPart[]): Generator<UsageRow> {
  for (const { key, calls, errors } of parts) yield { ...EMPTY, part, key, name: key === null ? OTHERS : null, calls, errors };
}

/** The calls of all customers by their arrival. The range begins with the first day of which all of them are kept. */
function* rowsOfArrived({ zone, from, week, outcomes, previous, ...arrived }: ArrivedUsage): Generator<UsageRow> {
  const [range, ...days] = rowsOfArrivedDays(['arrived_range', 'arrived_day'], zone, arrived);
  if (range) yield { ...range, from };
  yield* days;
  if (previous) yield* rowsOfArrivedDays(['previous_arrived_range', 'previous_arrived_day'], zone, previous);
  yield* hoursOfWeek('arrived_hour_of_week', week);
  yield* rowsOfArrivedParts('arrived_outcome', outcomes);
}

async function* rowsOfCustomers(usage: CustomersUsage, { services, operations }: ArrivedParts): AsyncGenerator<UsageRow> {
  yield rangeRow('range', usage.zone, usage);
  for (const day of usage.daily) yield dayRow('day', day);
  yield* rowsOfPrevious(usage.zone, usage.previous);
  for (const customer of usage.customers) {
    const row = partRow('customer', { ...customer, lastActive: null });
    yield { ...row, name: customer.name ?? row.name };
  }
  const { apiCallsLast30Days: last30 = null, arrived } = usage;
  if (last30 !== null) yield { ...EMPTY, part: 'last_30_days', calls: last30 };
  if (arrived) yield* rowsOfArrived(arrived);
  yield* rowsOfArrivedParts('arrived_service', services);
  yield* rowsOfArrivedParts('arrived_operation', operations);
}

const csv = csvWith<UsageRow>({
  part: ({ part }) => part,
  key: ({ key }) => key,
  name: ({ name }) => name,
  from: ({ from }) => from,
  to: ({ to }) => to,
  calls: ({ calls }) => calls,
  errors: ({ errors }) => errors,
  avg_response_ms: ({ avgResponseMs }) => avgResponseMs,
  p95_ms: ({ p95Ms }) => p95Ms,
  last_active: ({ lastActive }) => lastActive,
  p50_ms: ({ p50Ms }) => p50Ms,
  p99_ms: ({ p99Ms }) => p99Ms,
});

/** The usage of a customer or one of its users, as a reply or as a file. `now` is ms since 1970. */
export const answerUsage = async (
  request: FastifyRequest,
  reply: FastifyReply,
  owner: Callers,
  { userId, service, operation, instanceUrl, reason, until, ...range }: UsageQuery,
  now: number,
  { systemQueries }: Pick<HttpDeps, 'systemQueries'>,
) => {
  const mayReadCalls = request.session?.permissions.has('calls:read') === true;
  if (userId !== undefined && !mayReadCalls) throw new HttpProblem('forbidden');
  const callers: Callers = { ...owner, ...(userId && { userId }) };
  const usage = await request.queries.usage.of(callers, {
    ...rangeAsked(range, until === undefined ? now : Date.parse(until)),
    ...(until !== undefined && { until: Date.parse(until) }),
    withUsers: owner.userId === undefined && mayReadCalls,
    filter: { service, operation, instanceUrl: instanceUrl && (normalizeInstanceUrl(instanceUrl) ?? instanceUrl), reason },
  });
  const format = exportFormatOf(request.headers.accept);
  if (format === null) {
    const callQuota = await systemQueries.callQuotas.use(owner.customerId, new Date(now).toISOString());
    return { success: true as const, usage, ...(callQuota && { callQuota }) };
  }
  const customer = await request.queries.customers.get(callers.customerId);
  const file = await streamed(rowsOf(usage), format, csv);
  return sendFile(reply, file, format, 'usage', customer?.customer.name ?? '', usage.from, usage.to, usage.zone);
};

/**
 * The usage of all customers of the service integrator of the session, as a reply or as a file. `now` is ms since 1970. It is read as the
 * system, because row-level security looks up the customer of each day, which takes more than ten times as long.
 */
export const answerCustomersUsage = async (
  { systemQueries }: Pick<HttpDeps, 'systemQueries'>,
  request: FastifyRequest,
  reply: FastifyReply,
  integratorId: IntegratorId,
  query: CustomersUsageQuery,
  now: number,
) => {
  const asked = rangeAsked(query, now);
  const usage = await systemQueries.usage.ofCustomers(integratorId, asked);
  const format = exportFormatOf(request.headers.accept);
  if (format === null) return { success: true as const, usage };
  const parts = await request.queries.usage.partsOfCustomers(integratorId, asked);
  const file = await streamed(rowsOfCustomers(usage, parts), format, csv);
  return sendFile(reply, file, format, 'usage', await tenantNameOf(request), usage.from, usage.to, usage.zone);
};

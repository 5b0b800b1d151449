import {
  type NotIncludedRow,
  type SourceRow,
  type StoredServices,
  usageSourceTable,
  usageVoidTable,
  type VoidRow,
} from '../../database/tables/usage.ts';
import { boundsOf, type Void } from '../../domain/apiCalls/voids.ts';
import type { ApiCallsVoided } from '../../domain/customer/events.ts';
import type { CustomerId, IntegratorId, UserId } from '../../domain/ids.ts';
import { monthOf } from '../../domain/license/callQuota.ts';
import { dayOf } from '../../domain/time.ts';
import type { EventStore } from '../../eventstore/port.ts';
import { servicesSets } from '../callCounts/notIncluded.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import { openRowBuffer } from '../engine/rowBuffer.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { EVERYTHING } from '../scope.ts';
import { ALL_USERS, addTo } from './hours.ts';
import { eachPart, type Part, splitKey, uuidOf } from './parts.ts';
import { addRange, formatRanges, parseRanges, type Range, removeRange } from './ranges.ts';
import { type DividedDay, divideDay } from './recounting.ts';
import { countGroups, rewriteDay } from './writing.ts';

/** An event that voids calls of its customer. */
export type RecordedVoid = RecordedEvent<ApiCallsVoided, CustomerId>;

/** Days of the instances' last calls that are read together. */
const DAYS_TOGETHER = 100;
/** Reading the events of a day may take longer than a session may be idle. */
const ALLOW_LONGER_IDLE = `set local idle_in_transaction_session_timeout = '60s'`;

type StoredVoid = Pick<VoidRow, 'source_id' | 'first_sequence' | 'last_sequence' | 'made_from' | 'made_until'> & { at: string };

/**
 * What the voided calls of all days come to. Calls of a day are counted and dropped before the next day is read, because a void may have
 * millions. `arrived` is how many arrived in each month (yyyy-mm, UTC), as quotas count them; `firstAt` is in ms since 1970.
 */
type Voided = {
  byDay: Map<string, Part>;
  byInstance: Map<string, Part>;
  users: Set<UserId>;
  arrived: Map<string, number>;
  sequences: Range[];
  notIncluded: Map<string, NotIncludedRow>;
  firstAt: number;
};

const noneVoided = (): Voided => ({
  byDay: new Map(),
  byInstance: new Map(),
  users: new Set(),
  arrived: new Map(),
  sequences: [],
  notIncluded: new Map(),
  firstAt: Number.POSITIVE_INFINITY,
});

const instantAt = (ms: number): string => new Date(ms).toISOString();

/** The voids of a customer before a position. */
const voidsBefore = async (session: DatabaseSession, schema: string, customerId: CustomerId, position: bigint): Promise<Void[]> => {
  const rows = await session.query<StoredVoid>(
    `select source_id, first_sequence, last_sequence, made_from, made_until, position::text as at
     from ${schema}.void where customer_id = $1 and position < $2`,
    [customerId, String(position)],
  );
  return rows.map((row) => ({
    sourceId: row.source_id,
    position: BigInt(row.at),
    bounds: boundsOf({
      firstSequence: row.first_sequence,
      lastSequence: row.last_sequence,
      from: row.made_from,
      until: row.made_until,
    }),
  }));
};

/** Days with counted calls, of those that the times of a void leave. */
const daysOf = async (session: DatabaseSession, schema: string, { subject, event: { data } }: RecordedVoid): Promise<string[]> => {
  const rows = await session.query<{ day: string }>(
    `select day from ${schema}.day where customer_id = $1 and calls > 0
       and day >= coalesce($2::date, '-infinity') and day <= coalesce($3::date, 'infinity') order by day`,
    [subject, data.from && dayOf(data.from), data.until && dayOf(data.until)],
  );
  return rows.map(({ day }) => day);
};

const sumOf = (parts: Iterable<Part>): Part => {
  const sums = new Map<'all', Part>();
  for (const part of parts) addTo(sums, 'all', part);
  return sums.get('all') ?? { calls: 0, errors: 0, totalMs: 0, lastAt: Number.NEGATIVE_INFINITY };
};

/** When the last call of a row of hours was made. */
const lastIn = (parts: Buffer): number => {
  let last = Number.NEGATIVE_INFINITY;
  eachPart(parts, 0, (key, { lastAt }) => {
    if (key.charAt(0) === 's' && lastAt > last) last = lastAt;
  });
  return last;
};

/** When the customer, and each of the users, made the last call that counts. Those without such a call are left out. */
const lastCalls = async (session: DatabaseSession, schema: string, customerId: CustomerId, userIds: readonly string[]) => {
  const rows = await session.query<{ user_id: string; ms: number; parts: Buffer }>(
    `select r.user_id, (extract(epoch from h.at) * 1000)::int8 as ms, h.parts from unnest($2::uuid[]) as r(user_id)
     cross join lateral (select at, parts from ${schema}.call_hour c
       where c.customer_id = $1 and c.user_id = r.user_id order by c.at desc limit 1) as h`,
    [customerId, [...userIds]],
  );
  return new Map(rows.map(({ user_id: id, ms, parts }) => [id, instantAt(ms + lastIn(parts))]));
};

/** When the last counted call to each of the instances was made. */
const lastCallsTo = async (session: DatabaseSession, schema: string, customerId: CustomerId, keys: readonly string[]) => {
  const missing = new Set(keys);
  const found = new Map<string, string>();
  for (let before = 'infinity'; missing.size > 0; ) {
    const days = await session.query<{ day: string; parts: Buffer | null }>(
      `select day, parts from ${schema}.day where customer_id = $1 and calls > 0 and day < $2::date order by day desc limit $3`,
      [customerId, before, DAYS_TOGETHER],
    );
    for (const { day, parts } of days) {
      eachPart(parts ?? Buffer.alloc(0), Date.parse(day), (key, { lastAt }) => {
        const [dimension, , value] = splitKey(key);
        const instance = dimension === 'i' ? uuidOf(value) : '';
        if (missing.delete(instance)) found.set(instance, instantAt(lastAt));
      });
    }
    const last = days.at(-1);
    if (!last || days.length < DAYS_TOGETHER) break;
    before = last.day;
  }
  return found;
};

/** Takes voided calls out of the counters of all time. The days are those without them by now. */
const subtract = async (
  session: DatabaseSession,
  schema: string,
  customerId: CustomerId,
  integratorId: IntegratorId | null,
  { byDay, byInstance, users: userIds }: Voided,
): Promise<void> => {
  const users = [...userIds];
  const keys = [...byInstance.keys()];
  const [calls, toInstances] = await Promise.all([
    lastCalls(session, schema, customerId, [ALL_USERS, ...users]),
    lastCallsTo(session, schema, customerId, keys),
  ]);
  const parts = [...byDay.values()];
  const total = sumOf(parts);
  const figures = (some: readonly Part[]) => [
    some.map((part) => part.calls),
    some.map((part) => part.errors),
    some.map((part) => part.totalMs),
  ];
  const scopes = integratorId === null ? [EVERYTHING] : [EVERYTHING, integratorId];
  await Promise.all([
    session.query(
      `update ${schema}.customer set calls = calls - $2, errors = errors - $3, total_ms = total_ms - $4, last_call_at = $5 where customer_id = $1`,
      [customerId, total.calls, total.errors, total.totalMs, calls.get(ALL_USERS) ?? null],
    ),
    session.query(
      `update ${schema}.scope_day s set calls = s.calls - r.calls, errors = s.errors - r.errors, total_ms = s.total_ms - r.total_ms
       from unnest($2::date[], $3::int8[], $4::int8[], $5::int8[]) as r(day, calls, errors, total_ms)
       where s.scope = any($1::uuid[]) and s.day = r.day`,
      [scopes, [...byDay.keys()], ...figures(parts)],
    ),
    // An instance without calls keeps its row, so that a further one is counted under the same as before.
    session.query(
      `update ${schema}.instance i set calls = i.calls - r.calls, errors = i.errors - r.errors, total_ms = i.total_ms - r.total_ms,
         last_at = coalesce(r.last_at, i.last_at)
       from unnest($2::uuid[], $3::timestamptz[], $4::int8[], $5::int8[], $6::int8[]) as r(instance_key, last_at, calls, errors, total_ms)
       where i.customer_id = $1 and i.instance_key = r.instance_key`,
      [customerId, keys, keys.map((key) => toInstances.get(key) ?? null), ...figures([...byInstance.values()])],
    ),
    session.query(
      `update ${schema}.user_call u set last_call_at = r.last_at from unnest($2::uuid[], $3::timestamptz[]) as r(user_id, last_at)
       where u.customer_id = $1 and u.user_id = r.user_id and r.last_at is not null`,
      [customerId, users, users.map((id) => calls.get(id) ?? null)],
    ),
    session.query(`delete from ${schema}.user_call where customer_id = $1 and user_id = any($2::uuid[])`, [
      customerId,
      users.filter((id) => !calls.has(id)),
    ]),
  ]);
};

const removeNotIncluded = async (
  session: DatabaseSession,
  schema: string,
  customerId: CustomerId,
  { notIncluded }: Voided,
): Promise<void> => {
  if (notIncluded.size === 0) return;
  const rows = [...notIncluded.values()];
  await session.query(
    `update ${schema}.not_included n set calls = n.calls - r.calls
     from unnest($2::timestamptz[], $3::text[], $4::int8[]) as r(at, service, calls)
     where n.customer_id = $1 and n.at = r.at and n.service = r.service`,
    [customerId, rows.map(({ at }) => at), rows.map(({ service }) => service), rows.map(({ calls }) => calls)],
  );
  await session.query(`delete from ${schema}.not_included where customer_id = $1 and calls = 0`, [customerId]);
};

/** Frees the voided sequences, so that they can be recorded again. */
const free = async (
  session: DatabaseSession,
  schema: string,
  { subject, event: { data } }: RecordedVoid,
  { sequences }: Voided,
): Promise<void> => {
  const buffer = openRowBuffer<SourceRow>(usageSourceTable, session, schema);
  buffer.preload(subject, data.sourceId);
  await buffer.load();
  const row = buffer.get(subject, data.sourceId);
  if (!row) return;
  const seen = parseRanges(row.seen);
  for (const range of sequences) removeRange(seen, range);
  buffer.change(row, { seen: formatRanges(seen) });
  await buffer.flush();
};

/** Counts the voided calls of a day. */
const addDay = async (
  session: DatabaseSession,
  schema: string,
  voided: Voided,
  day: string,
  { voided: groups, sequences, notIncluded }: DividedDay,
): Promise<void> => {
  for (const { userId, minute, quarter, buckets, ok, totalMs, lastAt } of groups) {
    addTo(voided.byDay, day, { calls: buckets.length, errors: ok ? 0 : buckets.length, totalMs, lastAt });
    voided.users.add(userId);
    voided.firstAt = Math.min(voided.firstAt, quarter);
    const month = monthOf(instantAt(minute));
    voided.arrived.set(month, (voided.arrived.get(month) ?? 0) + buckets.length);
  }
  const { instances } = await countGroups(session, schema, groups);
  for (const [{ key }, part] of instances) addTo(voided.byInstance, key, part);
  for (const range of sequences) voided.sequences.push(range);
  for (const row of notIncluded) {
    const id = `${row.at} ${row.service}`;
    const calls = (voided.notIncluded.get(id)?.calls ?? 0) + row.calls;
    voided.notIncluded.set(id, { ...row, calls });
  }
};

/** The calls by the month (yyyy-mm, UTC) in which they were made. */
const madeIn = (byDay: ReadonlyMap<string, Part>): Record<string, { calls: number; errors: number }> => {
  const months = new Map<string, Part>();
  for (const [day, part] of byDay) addTo(months, monthOf(day), part);
  return Object.fromEntries([...months].map(([month, { calls, errors }]) => [month, { calls, errors }]));
};

/**
 * Takes the calls of a void that were counted before it out of all usage, and frees their sequences. Days with such calls are counted
 * again from their events, without them: so nothing of them is left, not as the last call of a user or among the first operations.
 */
export const applyVoid = async (
  session: DatabaseSession,
  schema: string,
  store: Pick<EventStore, 'read'>,
  recorded: RecordedVoid,
  integratorId: IntegratorId | null,
): Promise<void> => {
  const { subject: customerId, position, at, actor, event } = recorded;
  const { voidId, sourceId, firstSequence, lastSequence, from, until, reason } = event.data;
  await session.execute(ALLOW_LONGER_IDLE);
  const before = await voidsBefore(session, schema, customerId, position);
  const now: Void = { sourceId, position, bounds: boundsOf(event.data) };
  const [stored] = await session.query<{ services: readonly StoredServices[] | null }>(
    `select services from ${schema}.customer where customer_id = $1`,
    [customerId],
  );
  const sets = servicesSets(stored?.services ?? null);
  const voided = noneVoided();
  for (const day of await daysOf(session, schema, recorded)) {
    const divided = await divideDay(session, schema, store, { customerId, before, now, sets }, day);
    if (divided.voided.length === 0) continue;
    await rewriteDay(session, schema, { customerId, day }, divided.kept);
    await addDay(session, schema, voided, day, divided);
  }
  const isAny = voided.byDay.size > 0;
  if (isAny) {
    await subtract(session, schema, customerId, integratorId, voided);
    await free(session, schema, recorded, voided);
    await removeNotIncluded(session, schema, customerId, voided);
  }
  const { calls, errors, lastAt } = sumOf(voided.byDay.values());
  const freed: Range[] = [];
  for (const range of voided.sequences) addRange(freed, range);
  const voids = openRowBuffer<VoidRow>(usageVoidTable, session, schema);
  voids.put({
    customer_id: customerId,
    position: String(position),
    void_id: voidId,
    source_id: sourceId,
    first_sequence: firstSequence,
    last_sequence: lastSequence,
    made_from: from,
    made_until: until,
    reason,
    at,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_user_id: actor.userId ?? null,
    actor_token_id: actor.tokenId ?? null,
    calls,
    errors,
    users: voided.users.size,
    first_at: isAny ? instantAt(voided.firstAt) : null,
    last_at: isAny ? instantAt(lastAt) : null,
    freed: formatRanges(freed),
    arrived: Object.fromEntries(voided.arrived),
    made: madeIn(voided.byDay),
  });
  await voids.flush();
  await session.query(`update ${schema}.customer set voids = voids + 1 where customer_id = $1`, [customerId]);
};

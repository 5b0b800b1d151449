import type { Service } from '../../domain/enumerations.ts';
import type { ActorKind } from '../../domain/event.ts';
import type { ApiTokenId, CallVoidId, ConnectionId, CustomerId, IntegratorId, UserId } from '../../domain/ids.ts';
import type { Entitlements } from '../../domain/license/entitlements.ts';
import {
  bytea,
  date,
  defaulted,
  defineTable,
  int8,
  json,
  nullable,
  position,
  type RowOf,
  ranges,
  text,
  timestamptz,
  uuid,
} from './defineTable.ts';

const rollup = { calls: int8(), errors: int8(), total_ms: int8() };

/** What every rollup of calls counts. */
export type Rollup = { calls: number; errors: number; total_ms: number };

/** What a license included of the services from an event on. `position` is the event's, `at` its time. */
export type StoredServices = Readonly<{ position: string; at: string; entitlements: Entitlements }>;

/** The calls of each customer, of all time. */
export const usageCustomerTable = defineTable('usage.customer', {
  key: ['customer_id'],
  columns: {
    customer_id: uuid<CustomerId>(),
    integrator_id: nullable(uuid<IntegratorId>()),
    ...rollup,
    last_call_at: nullable(timestamptz()),
    /** How often its calls were voided. */
    voids: defaulted(int8()),
    /** What the license included of the services, since when; null where it always included all. */
    services: nullable(json<readonly StoredServices[]>()),
  },
});

/** The calls of a customer in a projection's memory. */
export type CustomerUsageRow = RowOf<typeof usageCustomerTable>;

/** When each user made the last call that was counted. */
export const usageUserCallTable = defineTable('usage.user_call', {
  key: ['customer_id', 'user_id'],
  columns: { customer_id: uuid<CustomerId>(), user_id: uuid<UserId>(), last_call_at: timestamptz() },
});

/** The last call of a user in a projection's memory. */
export type UserCallRow = RowOf<typeof usageUserCallTable>;

/**
 * Histograms are those of `histogram.ts`, and `parts` divide the calls as `parts.ts` says. They are null in rows that a version before
 * wrote, until the read models are rebuilt.
 */
export const usageDayTable = defineTable('usage.day', {
  key: ['customer_id', 'day'],
  columns: { customer_id: uuid<CustomerId>(), day: date(), ...rollup, histogram: bytea(), parts: nullable(bytea()) },
});

/** The calls of a customer on one UTC day, in a projection's memory. */
export type DayRow = RowOf<typeof usageDayTable>;

/** The calls of a customer to each instance, of all time. */
export const usageInstanceTable = defineTable('usage.instance', {
  key: ['customer_id', 'instance_key'],
  columns: {
    customer_id: uuid<CustomerId>(),
    instance_key: uuid(),
    service: text<Service>(),
    instance_url: text(),
    ...rollup,
    last_at: timestamptz(),
  },
});

/** A row of `usage.instance` in a projection's memory. */
export type InstanceRow = RowOf<typeof usageInstanceTable>;

/**
 * The calls of a customer made in one hour, and those of each of its users; `user_id` is the nil UUID for all users. `quarters` count
 * them by quarter of the hour, and `parts` divide these; see `hours.ts`.
 */
export const usageCallHourTable = defineTable('usage.call_hour', {
  key: ['customer_id', 'user_id', 'at'],
  columns: { customer_id: uuid<CustomerId>(), user_id: uuid(), at: timestamptz(), quarters: bytea(), parts: bytea() },
});

/** The calls of an hour in a projection's memory. */
export type CallHourRow = RowOf<typeof usageCallHourTable>;

/** `scope` is an integrator's id, or the nil UUID for the whole product. */
export const usageScopeDayTable = defineTable('usage.scope_day', {
  key: ['scope', 'day'],
  columns: { scope: uuid(), day: date(), ...rollup },
});

/** The calls of an integrator's customers, or of all, on one UTC day, in a projection's memory. */
export type ScopeDayRow = RowOf<typeof usageScopeDayTable>;

/** The sequence numbers of each source that were counted. */
export const usageSourceTable = defineTable('usage.source', {
  key: ['customer_id', 'source_id'],
  columns: { customer_id: uuid<CustomerId>(), source_id: text(), seen: ranges() },
});

/** The sequences of a source that were counted, in a projection's memory. */
export type SourceRow = RowOf<typeof usageSourceTable>;

/**
 * What was voided: the calls of a source in a range that events before `position` recorded. `calls` and `errors` are those that counted
 * until then, `users` who made them, `first_at` the quarter of an hour in which the first one was made, `last_at` when the last one.
 * `freed` are their sequences, `arrived` how many of them arrived in a month (yyyy-mm, UTC), and `made` how many were made in one; these
 * are null in rows that a version before wrote, until the read models are rebuilt.
 */
export const usageVoidTable = defineTable('usage.void', {
  key: ['customer_id', 'position'],
  columns: {
    customer_id: uuid<CustomerId>(),
    position: position(),
    void_id: uuid<CallVoidId>(),
    source_id: text(),
    first_sequence: nullable(int8()),
    last_sequence: nullable(int8()),
    made_from: nullable(timestamptz()),
    made_until: nullable(timestamptz()),
    reason: nullable(text()),
    at: timestamptz(),
    actor_kind: text<ActorKind>(),
    actor_id: text(),
    actor_user_id: nullable(uuid<UserId>()),
    actor_token_id: nullable(uuid<ApiTokenId>()),
    calls: int8(),
    errors: int8(),
    users: int8(),
    first_at: nullable(timestamptz()),
    last_at: nullable(timestamptz()),
    freed: nullable(ranges()),
    arrived: nullable(json<Readonly<Record<string, number>>>()),
    made: nullable(json<Readonly<Record<string, Pick<Rollup, 'calls' | 'errors'>>>>()),
  },
});

/** A void in a projection's memory. */
export type VoidRow = RowOf<typeof usageVoidTable>;

/** Calls to services that the license did not include, by the quarter of an hour in which they were made. */
export const usageNotIncludedTable = defineTable('usage.not_included', {
  key: ['customer_id', 'at', 'service'],
  columns: { customer_id: uuid<CustomerId>(), at: timestamptz(), service: text<Service>(), calls: int8() },
});

/** Calls that a license did not include, in a projection's memory. */
export type NotIncludedRow = RowOf<typeof usageNotIncludedTable>;

/** Deleted customers, whose calls are no longer counted. */
export const usageDeletedTable = defineTable('usage.deleted', {
  key: ['customer_id'],
  columns: { customer_id: uuid<CustomerId>() },
});

/** A deleted customer, whose later calls do not count, in a projection's memory. */
export type DeletedRow = RowOf<typeof usageDeletedTable>;

/** `connected` is the difference of connected users from the start to the end of the second, minute or hour. */
const bucket = { at: timestamptz(), calls: int8(), errors: int8(), connected: int8(), histogram: bytea() };

/** Points of the live charts by second; old ones are removed. */
export const usageSecondTable = defineTable('usage.second', { key: ['at'], columns: bucket });
/** Points of the live charts by minute; old ones are removed. */
export const usageMinuteTable = defineTable('usage.minute', { key: ['at'], columns: bucket });

/** Points of the charts by hour; old ones are removed. */
export const usageHourTable = defineTable('usage.hour', { key: ['at'], columns: bucket });

/** A point of the live charts in a projection's memory. */
export type BucketRow = RowOf<typeof usageSecondTable>;

/** What a row of the breakdown counts: all calls, those of an integrator's customers, or those of a customer. */
export type TrafficKind = 'all' | 'integrator' | 'customer';

const scopeCalls = {
  at: timestamptz(),
  /** The id of an integrator or a customer, or the nil UUID for all. */
  scope: uuid(),
  kind: text<TrafficKind>(),
  calls: int8(),
  errors: int8(),
};

/** The calls of failed outcomes; null in rows that a version before wrote, until the read models are rebuilt. */
const failedCalls = { calls_4xx: nullable(int8()), calls_5xx: nullable(int8()), calls_error: nullable(int8()) };

const traffic = {
  ...scopeCalls,
  /** The calls divided further; see `cells.ts`. */
  cells: bytea(),
  /** The durations of all calls; null in rows that a version before wrote, until the read models are rebuilt. */
  histogram: nullable(bytea()),
  /** Cells that divide the calls by outcome alone; null in rows that a version before wrote, until the read models are rebuilt. */
  outcomes: nullable(bytea()),
  ...failedCalls,
};

/** Calls by minute of their arrival, for breakdowns; old ones are removed. */
export const usageTrafficMinuteTable = defineTable('usage.traffic_minute', { key: ['at', 'scope'], columns: traffic });
/** Calls by hour of their arrival, for breakdowns; old ones are removed. */
export const usageTrafficHourTable = defineTable('usage.traffic_hour', { key: ['at', 'scope'], columns: traffic });

/** The calls of a scope in a minute or hour, in a projection's memory. */
export type TrafficRow = RowOf<typeof usageTrafficMinuteTable>;

/** Calls by four hours (of UTC) of their arrival, not divided further, for long periods. */
export const usageTrafficFourHoursTable = defineTable('usage.traffic_four_hours', {
  key: ['at', 'scope'],
  columns: { ...scopeCalls, histogram: bytea(), ...failedCalls },
});

/** The calls of a scope in four hours, in a projection's memory. */
export type FourHoursRow = RowOf<typeof usageTrafficFourHoursTable>;

/** Calls by four hours (of UTC) of their arrival, once these are over; divided as those of their hours, which they are merged from. */
export const usageTrafficMergedHoursTable = defineTable('usage.traffic_merged_hours', {
  key: ['at', 'scope'],
  columns: {
    at: timestamptz(),
    scope: uuid(),
    calls: int8(),
    errors: int8(),
    histogram: bytea(),
    /** Cells that divide the calls by service and outcome alone. */
    services: bytea(),
    cells: bytea(),
  },
});

/** The calls of a scope in four hours that are over, in a projection's memory. */
export type MergedHoursRow = RowOf<typeof usageTrafficMergedHoursTable>;

/** Connected users, as recorded by events. */
export const usageConnectionTable = defineTable('usage.connection', {
  key: ['connection_id'],
  owners: ['user_id', 'customer_id'],
  columns: { connection_id: uuid<ConnectionId>(), user_id: uuid<UserId>(), customer_id: uuid<CustomerId>() },
});

/** A connected tool, counted for the live charts, in a projection's memory. */
export type ConnectionRow = RowOf<typeof usageConnectionTable>;

/** The difference of a customer's connected users from the start to the end of the minute or hour, where there was a change. */
const changesOfCustomer = { at: timestamptz(), customer_id: uuid<CustomerId>(), connected: int8() };

/** Changes of connected users by minute; old ones are removed. */
export const usageConnectedMinuteTable = defineTable('usage.connected_minute', {
  key: ['at', 'customer_id'],
  columns: changesOfCustomer,
});
/** Changes of connected users by hour; old ones are removed. */
export const usageConnectedHourTable = defineTable('usage.connected_hour', {
  key: ['at', 'customer_id'],
  columns: changesOfCustomer,
});

/** Changes of a customer's connected users, in a projection's memory. */
export type ConnectedRow = RowOf<typeof usageConnectedMinuteTable>;

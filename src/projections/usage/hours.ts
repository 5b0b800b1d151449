import { type CallHourRow, usageCallHourTable } from '../../database/tables/usage.ts';
import type { CustomerId, UserId } from '../../domain/ids.ts';
import { HOUR_MS, QUARTER_MS } from '../../domain/time.ts';
import { histogramOf } from '../breakdown/counting.ts';
import type { CallGroup } from '../callCounts/counting.ts';
import { mergeEncoded } from '../callCounts/histogram.ts';
import { openRowBuffer } from '../engine/rowBuffer.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { EVERYTHING } from '../scope.ts';
import {
  addPart,
  type Dimension,
  type OpenParts,
  openParts,
  type Part,
  pushNumber,
  readerOf,
  textBytes,
  uuidBytes,
} from './parts.ts';

/** The rows of all users together. */
export const ALL_USERS = EVERYTHING;
const QUARTERS = HOUR_MS / QUARTER_MS;
const NO_CALLS = new Uint8Array();

/** Calls of a quarter of an hour. The histogram of their durations is the part of `stored` from `start` to `end`. */
export type QuarterCalls = Readonly<{
  calls: number;
  errors: number;
  totalMs: number;
  stored: Uint8Array;
  start: number;
  end: number;
}>;

/** Calls back with each quarter of a row that has calls: its number from 0 to 3, and its calls. The row is a part of `stored`. */
export const eachQuarter = (
  stored: Buffer,
  take: (quarter: number, calls: QuarterCalls) => void,
  from = 0,
  to = stored.length,
): void => {
  const reader = readerOf(stored, from, to);
  while (!reader.isAtEnd()) {
    const quarter = reader.number();
    const calls = reader.number();
    const errors = reader.number();
    const totalMs = reader.number();
    const length = reader.number();
    const start = reader.skip(length);
    take(quarter, { calls, errors, totalMs, stored, start, end: start + length });
  }
};

/** A group of a batch, with the sum of its calls and the instance under which they count. */
export type CountedGroup = Readonly<{ group: CallGroup; sum: Part; instanceKey: string }>;

const bytesOf: Readonly<Record<Dimension, (value: string) => string>> = {
  u: uuidBytes,
  i: uuidBytes,
  o: textBytes,
  s: textBytes,
  r: String,
};

/** Adds calls to what is already counted under the value. */
export const addTo = <Value>(sums: Map<Value, Part>, value: Value, more: Part): void => {
  const known = sums.get(value);
  if (known) addPart(known, more);
  else sums.set(value, { ...more });
};

/**
 * Adds the calls of groups to the parts of a row: each dimension divides them all, and the reasons only the failed ones. They are added
 * up by value first, since a batch has many groups of few values.
 */
export const addGroups = (parts: OpenParts, quarter: number, groups: readonly CountedGroup[], dimensions: readonly Dimension[]) => {
  for (const dimension of dimensions) {
    const sums = new Map<string, Part>();
    for (const { group, sum, instanceKey } of groups) {
      if (dimension === 'u') addTo(sums, group.userId, sum);
      else if (dimension === 'i') addTo(sums, instanceKey, sum);
      else if (dimension === 'o') addTo(sums, group.operation, sum);
      else if (dimension === 's') addTo(sums, group.service, sum);
      else if (sum.errors > 0) addTo(sums, String(group.status ?? ''), sum);
    }
    for (const [value, sum] of sums) parts.add(dimension, quarter, bytesOf[dimension](value), sum);
  }
};

/** What divides the calls of one user, and those of all. */
const OF_USER: readonly Dimension[] = ['i', 'o', 's', 'r'];
export const OF_ALL: readonly Dimension[] = ['u', ...OF_USER];

/** The groups of a row, by their quarters. */
type TouchedHour = Readonly<{
  customerId: CustomerId;
  userId: UserId | typeof ALL_USERS;
  start: number;
  quarters: (CountedGroup[] | undefined)[];
}>;

/** The quarters of a row: those of `stored` with the touched ones added. */
const encodeQuarters = (stored: Buffer | undefined, touched: TouchedHour['quarters']): Buffer => {
  const quarters: (QuarterCalls | undefined)[] = Array.from({ length: QUARTERS });
  if (stored) {
    eachQuarter(stored, (quarter, calls) => {
      quarters[quarter] = calls;
    });
  }
  const encoded: Uint8Array[] = [];
  for (let quarter = 0; quarter < QUARTERS; quarter++) {
    const [before, groups] = [quarters[quarter], touched[quarter]];
    if (!before && !groups) continue;
    const sum = { calls: before?.calls ?? 0, errors: before?.errors ?? 0, totalMs: before?.totalMs ?? 0, lastAt: 0 };
    for (const { sum: more } of groups ?? []) addPart(sum, more);
    const added = groups && histogramOf(groups.map(({ group }) => group.buckets));
    const known = before?.stored.subarray(before.start, before.end);
    const histogram = added && known ? mergeEncoded(known, added) : (added ?? known);
    const head: number[] = [quarter];
    for (const value of [sum.calls, sum.errors, sum.totalMs, histogram?.length ?? 0]) pushNumber(head, value);
    encoded.push(Buffer.from(head), histogram ?? NO_CALLS);
  }
  return Buffer.concat(encoded);
};

const hourOf = ({ quarter }: CallGroup): number => Math.floor(quarter / HOUR_MS) * HOUR_MS;

/** Finds the rows that groups count in. A group is mostly of the same rows as the one before. */
const touchedHours = (groups: readonly CountedGroup[]): TouchedHour[] => {
  const hours = new Map<string, TouchedHour>();
  const open = (customerId: CustomerId, userId: TouchedHour['userId'], start: number): TouchedHour => {
    const key = `${customerId} ${userId} ${start}`;
    const hour = hours.get(key) ?? { customerId, userId, start, quarters: Array.from({ length: QUARTERS }) };
    hours.set(key, hour);
    return hour;
  };
  let [ofUser, ofAll]: (TouchedHour | undefined)[] = [];
  for (const counted of groups) {
    const { customerId, userId, quarter } = counted.group;
    const start = hourOf(counted.group);
    if (ofAll?.customerId !== customerId || ofAll.start !== start) ofAll = open(customerId, ALL_USERS, start);
    if (ofUser?.customerId !== customerId || ofUser.userId !== userId || ofUser.start !== start)
      ofUser = open(customerId, userId, start);
    for (const { quarters } of [ofAll, ofUser]) {
      const index = (quarter - start) / QUARTER_MS;
      const same = quarters[index];
      if (same) same.push(counted);
      else quarters[index] = [counted];
    }
  }
  return [...hours.values()];
};

/** Adds a batch's calls to their hours. */
export const writeHours = async (session: DatabaseSession, schema: string, groups: readonly CountedGroup[]): Promise<void> => {
  const buffer = openRowBuffer<CallHourRow>(usageCallHourTable, session, schema);
  const hours = touchedHours(groups).map((hour) => ({ ...hour, at: new Date(hour.start).toISOString() }));
  for (const { customerId, userId, at } of hours) buffer.preload(customerId, userId, at);
  await buffer.load();
  for (const { customerId, userId, at, start, quarters } of hours) {
    const stored = buffer.get(customerId, userId, at);
    const parts = openParts(stored?.parts, start);
    for (const [quarter, touched] of quarters.entries()) {
      if (touched) addGroups(parts, quarter, touched, userId === ALL_USERS ? OF_ALL : OF_USER);
    }
    buffer.put({
      customer_id: customerId,
      user_id: userId,
      at,
      quarters: encodeQuarters(stored?.quarters, quarters),
      parts: parts.encode(),
    });
  }
  await buffer.flush();
};

import { type CallHourRow, usageCallHourTable } from '../../database/tables/usage.ts';
import type { CustomerId, UserId } from '../../domain/ids.ts';
import { histogramOf } from '../breakdown/counting.ts';
import { openRowBuffer } from '../engine/rowBuffer.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { EVERYTHING } from '../scope.ts';
import { type CallGroup, errorsOf, QUARTER_MS } from './counting.ts';
import { mergeEncoded } from './histogram.ts';
import { type OpenParts, openParts, type Part, pushNumber, readerOf, textBytes, uuidBytes } from './parts.ts';

/** The rows of all users together. */
export const ALL_USERS = EVERYTHING;
const HOUR_MS = 3_600_000;
const QUARTERS = HOUR_MS / QUARTER_MS;
const NO_CALLS = new Uint8Array();

/** Calls of a quarter of an hour, with the stored histogram of their durations. */
export type QuarterCalls = { calls: number; errors: number; totalMs: number; histogram: Uint8Array };

/** Calls back with each quarter of a row that has calls: its number from 0 to 3, and its calls. */
export const eachQuarter = (stored: Buffer, take: (quarter: number, calls: QuarterCalls) => void): void => {
  const reader = readerOf(stored);
  while (!reader.isAtEnd()) {
    const quarter = reader.number();
    const [calls, errors, totalMs] = [reader.number(), reader.number(), reader.number()];
    take(quarter, { calls, errors, totalMs, histogram: reader.bytes() });
  }
};

/** Adds the calls of a group to the parts of a row: each dimension divides them all, and the reasons only the failed ones. */
export const addGroup = (parts: OpenParts, group: CallGroup, quarter: number, instanceKey: string, withUsers: boolean): void => {
  const { userId, operation, service, status, buckets, totalMs, lastAt } = group;
  const part: Part = { calls: buckets.length, errors: errorsOf(group), totalMs, lastAt: Date.parse(lastAt) };
  if (withUsers) parts.add('u', quarter, uuidBytes(userId), part);
  parts.add('i', quarter, uuidBytes(instanceKey), part);
  parts.add('o', quarter, textBytes(operation), part);
  parts.add('s', quarter, textBytes(service), part);
  if (part.errors > 0) parts.add('r', quarter, String(status ?? ''), part);
};

/** Calls of a quarter: what is stored, and what is added. */
type OpenQuarter = QuarterCalls & { added: (readonly number[])[] };

type OpenHour = Readonly<{
  customerId: CustomerId;
  userId: UserId | typeof ALL_USERS;
  at: string;
  parts: OpenParts;
  quarters: (OpenQuarter | undefined)[];
}>;

const addToQuarter = ({ quarters }: OpenHour, quarter: number, group: CallGroup): void => {
  const known = quarters[quarter] ?? { calls: 0, errors: 0, totalMs: 0, histogram: NO_CALLS, added: [] };
  quarters[quarter] = known;
  known.calls += group.buckets.length;
  known.errors += errorsOf(group);
  known.totalMs += group.totalMs;
  known.added.push(group.buckets);
};

const encodeQuarters = (quarters: readonly (OpenQuarter | undefined)[]): Buffer => {
  const stored: Uint8Array[] = [];
  for (const [quarter, found] of quarters.entries()) {
    if (!found) continue;
    const histogram = found.added.length > 0 ? mergeEncoded(found.histogram, histogramOf(found.added)) : found.histogram;
    const head: number[] = [quarter];
    for (const value of [found.calls, found.errors, found.totalMs, histogram.length]) pushNumber(head, value);
    stored.push(Buffer.from(head), histogram);
  }
  return Buffer.concat(stored);
};

const hourOf = ({ quarter }: CallGroup): number => Math.floor(quarter / HOUR_MS) * HOUR_MS;

/** Adds a batch's calls to their hours. `instanceKeyOf` says under which instance a group counts. */
export const writeHours = async (
  session: DatabaseSession,
  schema: string,
  groups: readonly CallGroup[],
  instanceKeyOf: (group: CallGroup) => string,
): Promise<void> => {
  const buffer = openRowBuffer<CallHourRow>(usageCallHourTable, session, schema);
  const hours = new Map<string, OpenHour>();
  for (const group of groups) {
    const at = new Date(hourOf(group)).toISOString();
    buffer.preload(group.customerId, ALL_USERS, at);
    buffer.preload(group.customerId, group.userId, at);
  }
  await buffer.load();

  const open = (customerId: CustomerId, userId: UserId | typeof ALL_USERS, start: number): OpenHour => {
    const key = `${customerId} ${userId} ${start}`;
    const known = hours.get(key);
    if (known) return known;
    const at = new Date(start).toISOString();
    const stored = buffer.get(customerId, userId, at);
    const quarters: OpenHour['quarters'] = Array.from({ length: QUARTERS });
    if (stored) {
      eachQuarter(stored.quarters, (quarter, calls) => {
        quarters[quarter] = { ...calls, added: [] };
      });
    }
    const hour = { customerId, userId, at, parts: openParts(stored?.parts, start), quarters };
    hours.set(key, hour);
    return hour;
  };

  for (const group of groups) {
    const start = hourOf(group);
    const quarter = (group.quarter - start) / QUARTER_MS;
    for (const userId of [ALL_USERS, group.userId] as const) {
      const hour = open(group.customerId, userId, start);
      addToQuarter(hour, quarter, group);
      addGroup(hour.parts, group, quarter, instanceKeyOf(group), userId === ALL_USERS);
    }
  }
  for (const { customerId, userId, at, parts, quarters } of hours.values()) {
    buffer.put({ customer_id: customerId, user_id: userId, at, quarters: encodeQuarters(quarters), parts: parts.encode() });
  }
  await buffer.flush();
};

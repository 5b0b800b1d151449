import type { RowOf } from '../../database/tables/defineTable.ts';
import {
  type DayRow,
  type InstanceRow,
  type Rollup,
  type ScopeDayRow,
  type UserCallRow,
  usageCustomerTable,
  usageDayTable,
  usageInstanceTable,
  usageScopeDayTable,
  usageUserCallTable,
} from '../../database/tables/usage.ts';
import type { CustomerId, IntegratorId, UserId } from '../../domain/ids.ts';
import { DAY_MS, dayOf } from '../../domain/time.ts';
import { histogramOf } from '../breakdown/counting.ts';
import { type CallGroup, errorsOf } from '../callCounts/counting.ts';
import {
  addEncoded,
  addHistogram,
  emptyHistogram,
  encodeHistogram,
  type Histogram,
  mergeEncoded,
} from '../callCounts/histogram.ts';
import { openAdder } from '../engine/adder.ts';
import { openRowBuffer } from '../engine/rowBuffer.ts';
import type { DatabaseSession } from '../engine/session.ts';
import type { TableShape } from '../engine/statements.ts';
import { EVERYTHING } from '../scope.ts';
import { addGroups, addTo, type CountedGroup, OF_ALL, writeHours } from './hours.ts';
import { boundInstances, type CalledInstance, instanceKeyOf } from './instances.ts';
import { addPart, openParts, type Part } from './parts.ts';

const instantAt = (ms: number): string => new Date(ms).toISOString();

const rollupMerging = { calls: 'sum', errors: 'sum', total_ms: 'sum' } as const;

/** Without what other events write. */
type CustomerUsageRow = Omit<RowOf<typeof usageCustomerTable>, 'integrator_id' | 'voids' | 'services'>;

const { integrator_id: _integrator, voids: _voids, services: _services, ...countedColumns } = usageCustomerTable.columns;
const customerUsageShape: TableShape<CustomerUsageRow> = {
  table: usageCustomerTable.table,
  key: ['customer_id'],
  columns: countedColumns,
};

/** A stored histogram with more added to it. */
export const mergedHistogram = (stored: Buffer | undefined, more: Histogram): Buffer => {
  const histogram = emptyHistogram();
  if (stored) addEncoded(histogram, stored);
  addHistogram(histogram, more);
  return encodeHistogram(histogram);
};

const rollupOf = ({ calls, errors, totalMs }: Part): Rollup => ({ calls, errors, total_ms: totalMs });

/** `sum` and `instanceKey` of each group, and the instances that they count under. */
type CountedGroups = Readonly<{ groups: readonly CountedGroup[]; instances: ReadonlyMap<CalledInstance, Part> }>;

/** Finds under which instances the groups count. */
export const countGroups = async (
  session: DatabaseSession,
  schema: string,
  groups: readonly CallGroup[],
): Promise<CountedGroups> => {
  const called = new Map<string, CalledInstance>();
  const ids = groups.map(({ customerId, service, instanceUrl: url }) => {
    const id = `${customerId} ${service} ${url}`;
    if (!called.has(id)) called.set(id, { customerId, service, url, key: instanceKeyOf(service, url) });
    return id;
  });
  const bounded = await boundInstances(session, schema, [...called.values()]);
  const found = new Map([...called.keys()].map((id, index) => [id, bounded[index]]));
  const instances = new Map<CalledInstance, Part>();
  const counted = groups.map((group, index) => {
    const instance = found.get(ids[index] ?? '');
    if (!instance) throw new Error('The instances are those of the groups');
    const sum = { calls: group.buckets.length, errors: errorsOf(group), totalMs: group.totalMs, lastAt: group.lastAt };
    addTo(instances, instance, sum);
    return { group, sum, instanceKey: instance.key };
  });
  return { groups: counted, instances };
};

/** The calls of a customer on a UTC day. */
type CustomerDay = Readonly<{ customerId: CustomerId; day: string; sum: Part; groups: CountedGroup[] }>;

const daysOf = (groups: readonly CountedGroup[]): CustomerDay[] => {
  const days = new Map<string, CustomerDay>();
  for (const counted of groups) {
    const { customerId, quarter } = counted.group;
    const id = `${customerId} ${Math.floor(quarter / DAY_MS)}`;
    const known = days.get(id);
    if (known) {
      addPart(known.sum, counted.sum);
      known.groups.push(counted);
    } else days.set(id, { customerId, day: dayOf(quarter), sum: { ...counted.sum }, groups: [counted] });
  }
  return [...days.values()];
};

/** Adds the calls to their UTC days. */
const writeDays = async (session: DatabaseSession, schema: string, days: readonly CustomerDay[]): Promise<void> => {
  const buffer = openRowBuffer<DayRow>(usageDayTable, session, schema);
  for (const { customerId, day } of days) buffer.preload(customerId, day);
  await buffer.load();
  for (const { customerId, day, sum, groups } of days) {
    const row = buffer.get(customerId, day);
    const parts = openParts(row?.parts ?? undefined, Date.parse(day));
    addGroups(parts, 0, groups, OF_ALL);
    const histogram = histogramOf(groups.map(({ group }) => group.buckets));
    buffer.put({
      customer_id: customerId,
      day,
      calls: (row?.calls ?? 0) + sum.calls,
      errors: (row?.errors ?? 0) + sum.errors,
      total_ms: (row?.total_ms ?? 0) + sum.totalMs,
      histogram: row ? Buffer.from(mergeEncoded(row.histogram, histogram)) : histogram,
      parts: parts.encode(),
    });
  }
  await buffer.flush();
};

/** Adds a batch's calls to the counters that only grow. */
const writeTotals = async (
  session: DatabaseSession,
  schema: string,
  instances: CountedGroups['instances'],
  days: readonly CustomerDay[],
  integratorOf: (customerId: CustomerId) => IntegratorId | null,
): Promise<void> => {
  const scopeTotals = openAdder<ScopeDayRow>(usageScopeDayTable, rollupMerging, session, schema);
  const instanceTotals = openAdder<InstanceRow>(usageInstanceTable, { ...rollupMerging, last_at: 'latest' }, session, schema);
  const customerTotals = openAdder<CustomerUsageRow>(
    customerUsageShape,
    { ...rollupMerging, last_call_at: 'latest' },
    session,
    schema,
  );
  const userTotals = openAdder<UserCallRow>(usageUserCallTable, { last_call_at: 'latest' }, session, schema);
  for (const [{ customerId, key, url, service }, sum] of instances) {
    const row = { customer_id: customerId, instance_key: key, service, instance_url: url };
    instanceTotals.add({ ...row, ...rollupOf(sum), last_at: instantAt(sum.lastAt) });
  }
  for (const { customerId, day, sum, groups: ofDay } of days) {
    customerTotals.add({ customer_id: customerId, ...rollupOf(sum), last_call_at: instantAt(sum.lastAt) });
    const integratorId = integratorOf(customerId);
    for (const scope of integratorId ? [EVERYTHING, integratorId] : [EVERYTHING]) scopeTotals.add({ scope, day, ...rollupOf(sum) });
    const users = new Map<UserId, Part>();
    for (const { group, sum: more } of ofDay) addTo(users, group.userId, more);
    for (const [userId, { lastAt }] of users)
      userTotals.add({ customer_id: customerId, user_id: userId, last_call_at: instantAt(lastAt) });
  }
  await Promise.all([scopeTotals, instanceTotals, customerTotals, userTotals].map((table) => table.flush()));
};

/** Replaces the calls of a customer on a UTC day (yyyy-mm-dd) by those of the groups. The counters of all time stay. */
export const rewriteDay = async (
  session: DatabaseSession,
  schema: string,
  { customerId, day }: Pick<CustomerDay, 'customerId' | 'day'>,
  groups: readonly CallGroup[],
): Promise<void> => {
  await Promise.all([
    session.query(
      `delete from ${schema}.call_hour where customer_id = $1 and at >= $2::date and at < $2::date + interval '1 day'`,
      [customerId, day],
    ),
    // The row stays: the list of calls looks for voided ones on days that have one.
    session.query(
      `update ${schema}.day set calls = 0, errors = 0, total_ms = 0, histogram = '', parts = '' where customer_id = $1 and day = $2`,
      [customerId, day],
    ),
  ]);
  const counted = await countGroups(session, schema, groups);
  await Promise.all([writeDays(session, schema, daysOf(counted.groups)), writeHours(session, schema, counted.groups)]);
};

/** Adds a batch's calls to all rollups. They are merged in memory, so the number of statements does not depend on the calls. */
export const writeCalls = async (
  session: DatabaseSession,
  schema: string,
  groups: readonly CallGroup[],
  integratorOf: (customerId: CustomerId) => IntegratorId | null,
): Promise<void> => {
  const counted = await countGroups(session, schema, groups);
  const days = daysOf(counted.groups);
  await Promise.all([
    writeDays(session, schema, days),
    writeHours(session, schema, counted.groups),
    writeTotals(session, schema, counted.instances, days, integratorOf),
  ]);
};

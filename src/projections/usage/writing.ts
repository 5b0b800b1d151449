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
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import { histogramOf } from '../breakdown/counting.ts';
import { dayOf } from '../days.ts';
import { openAdder } from '../engine/adder.ts';
import { openRowBuffer, type TableShape } from '../engine/rowBuffer.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { EVERYTHING } from '../scope.ts';
import { type CallGroup, errorsOf } from './counting.ts';
import { addEncoded, addHistogram, emptyHistogram, encodeHistogram, type Histogram, mergeEncoded } from './histogram.ts';
import { addGroup, writeHours } from './hours.ts';
import { boundInstances, type CalledInstance, instanceKeyOf } from './instances.ts';
import { type OpenParts, openParts } from './parts.ts';

const rollupMerging = { calls: 'sum', errors: 'sum', total_ms: 'sum' } as const;

/** Without the integrator, which is written when the customer is registered. */
type CustomerUsageRow = Omit<RowOf<typeof usageCustomerTable>, 'integrator_id'>;

const { integrator_id: _, ...countedColumns } = usageCustomerTable.columns;
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

const rollupOf = (group: CallGroup): Rollup => ({
  calls: group.buckets.length,
  errors: errorsOf(group),
  total_ms: group.totalMs,
});

type GroupInstance = (group: CallGroup) => CalledInstance;

/** Which instance each group counts under. */
const instancesOf = async (session: DatabaseSession, schema: string, groups: readonly CallGroup[]): Promise<GroupInstance> => {
  const idOf = ({ customerId, service, instanceUrl }: CallGroup): string => `${customerId} ${service} ${instanceUrl}`;
  const called = new Map<string, CalledInstance>();
  for (const group of groups) {
    const { customerId, service, instanceUrl: url } = group;
    const id = idOf(group);
    if (!called.has(id)) called.set(id, { customerId, service, url, key: instanceKeyOf(service, url) });
  }
  const bounded = await boundInstances(session, schema, [...called.values()]);
  const found = new Map([...called.keys()].map((id, index) => [id, bounded[index]]));
  return (group) => {
    const instance = found.get(idOf(group));
    if (!instance) throw new Error('The instances are those of the groups');
    return instance;
  };
};

type OpenDay = Rollup & { customerId: CustomerId; day: string; parts: OpenParts; added: (readonly number[])[] };

/** Adds the calls to their UTC days. */
const writeDays = async (session: DatabaseSession, schema: string, groups: readonly CallGroup[], instanceOf: GroupInstance) => {
  const buffer = openRowBuffer<DayRow>(usageDayTable, session, schema);
  for (const { customerId, lastAt } of groups) buffer.preload(customerId, dayOf(lastAt));
  await buffer.load();
  const days = new Map<string, OpenDay>();
  for (const group of groups) {
    const { customerId, lastAt, buckets } = group;
    const day = dayOf(lastAt);
    const id = `${customerId} ${day}`;
    const open = days.get(id) ?? {
      customerId,
      day,
      calls: 0,
      errors: 0,
      total_ms: 0,
      parts: openParts(buffer.get(customerId, day)?.parts ?? undefined, Date.parse(day)),
      added: [],
    };
    days.set(id, open);
    open.calls += buckets.length;
    open.errors += errorsOf(group);
    open.total_ms += group.totalMs;
    open.added.push(buckets);
    addGroup(open.parts, group, 0, instanceOf(group).key, true);
  }
  for (const { customerId, day, parts, added, ...more } of days.values()) {
    const row = buffer.get(customerId, day);
    const histogram = histogramOf(added);
    buffer.put({
      customer_id: customerId,
      day,
      calls: (row?.calls ?? 0) + more.calls,
      errors: (row?.errors ?? 0) + more.errors,
      total_ms: (row?.total_ms ?? 0) + more.total_ms,
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
  groups: readonly CallGroup[],
  instanceOf: GroupInstance,
  integratorOf: (customerId: CustomerId) => IntegratorId | null,
): Promise<void> => {
  const scopeDays = openAdder<ScopeDayRow>(usageScopeDayTable, rollupMerging, session, schema);
  const instances = openAdder<InstanceRow>(usageInstanceTable, { ...rollupMerging, last_at: 'latest' }, session, schema);
  const customers = openAdder<CustomerUsageRow>(customerUsageShape, { ...rollupMerging, last_call_at: 'latest' }, session, schema);
  const users = openAdder<UserCallRow>(usageUserCallTable, { last_call_at: 'latest' }, session, schema);
  for (const group of groups) {
    const { customerId, userId, service, lastAt } = group;
    const more = rollupOf(group);
    const { key, url } = instanceOf(group);
    instances.add({ customer_id: customerId, instance_key: key, service, instance_url: url, ...more, last_at: lastAt });
    customers.add({ customer_id: customerId, ...more, last_call_at: lastAt });
    users.add({ customer_id: customerId, user_id: userId, last_call_at: lastAt });
    const integratorId = integratorOf(customerId);
    for (const scope of integratorId ? [EVERYTHING, integratorId] : [EVERYTHING])
      scopeDays.add({ scope, day: dayOf(lastAt), ...more });
  }
  await Promise.all([scopeDays, instances, customers, users].map((table) => table.flush()));
};

/** Adds a batch's calls to all rollups. They are merged in memory, so the number of statements does not depend on the calls. */
export const writeCalls = async (
  session: DatabaseSession,
  schema: string,
  groups: readonly CallGroup[],
  integratorOf: (customerId: CustomerId) => IntegratorId | null,
): Promise<void> => {
  const instanceOf = await instancesOf(session, schema, groups);
  await Promise.all([
    writeDays(session, schema, groups, instanceOf),
    writeHours(session, schema, groups, (group) => instanceOf(group).key),
    writeTotals(session, schema, groups, instanceOf, integratorOf),
  ]);
};

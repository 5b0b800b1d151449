import type { RowOf } from '../../database/tables/defineTable.ts';
import {
  type DayRow,
  type InstanceDayRow,
  type InstanceRow,
  type Rollup,
  type ScopeDayRow,
  type UserInstanceDayRow,
  usageCustomerTable,
  usageDayTable,
  usageInstanceDayTable,
  usageInstanceTable,
  usageScopeDayTable,
  usageUserInstanceDayTable,
} from '../../database/tables/usage.ts';
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import { OTHER_INSTANCES } from '../../domain/limits.ts';
import { openAdder } from '../engine/adder.ts';
import { openRowBuffer, type TableShape } from '../engine/rowBuffer.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { EVERYTHING } from '../scope.ts';
import type { CustomerCalls, Slot } from './counting.ts';
import { addEncoded, addHistogram, emptyHistogram, encodeHistogram, type Histogram } from './histogram.ts';
import { boundInstances, type CustomerSlot, instanceKeyOf } from './instances.ts';

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

const rollupOf = ({ calls, errors, totalMs }: Slot): Rollup => ({ calls, errors, total_ms: totalMs });
const sum = (one: Rollup | undefined, other: Rollup): Rollup => ({
  calls: (one?.calls ?? 0) + other.calls,
  errors: (one?.errors ?? 0) + other.errors,
  total_ms: (one?.total_ms ?? 0) + other.total_ms,
});
const later = (one: string | undefined, other: string): string => (one !== undefined && one > other ? one : other);

/** The slots of a customer's users as one for each day and instance, in the order of their first calls. */
const mergedSlots = (slots: readonly Slot[]): Slot[] => {
  const merged = new Map<string, Slot>();
  for (const slot of slots) {
    const id = `${slot.day} ${slot.service} ${slot.instanceUrl}`;
    const known = merged.get(id);
    if (!known) {
      merged.set(id, { ...slot, histogram: slot.histogram.slice() });
      continue;
    }
    known.calls += slot.calls;
    known.errors += slot.errors;
    known.totalMs += slot.totalMs;
    known.lastAt = later(known.lastAt, slot.lastAt);
    addHistogram(known.histogram, slot.histogram);
  }
  return [...merged.values()];
};

const instanceOf = (customerId: CustomerId, { service, instanceUrl }: Slot): string => `${customerId} ${service} ${instanceUrl}`;

type UserSlot = Readonly<{ customerId: CustomerId; slot: Slot; key: string }>;

/** Adds the calls of single users. `key` is that of the instance under which a slot counts. */
const writeUserCalls = async (session: DatabaseSession, schema: string, slots: readonly UserSlot[]): Promise<void> => {
  const rows = openRowBuffer<UserInstanceDayRow>(usageUserInstanceDayTable, session, schema);
  for (const { customerId, slot, key } of slots) rows.preload(customerId, slot.userId, slot.day, key);
  await rows.load();
  for (const { customerId, slot, key } of slots) {
    const { userId, day, lastAt, histogram } = slot;
    const row = rows.get(customerId, userId, day, key);
    rows.put({
      customer_id: customerId,
      user_id: userId,
      day,
      instance_key: key,
      ...sum(row, rollupOf(slot)),
      last_at: later(row?.last_at, lastAt),
      histogram: mergedHistogram(row?.histogram, histogram),
    });
  }
  await rows.flush();
};

/** Adds a batch's calls to all rollups. They are merged in memory, so the number of statements does not depend on the calls. */
export const writeCalls = async (
  session: DatabaseSession,
  schema: string,
  calls: ReadonlyMap<CustomerId, CustomerCalls>,
  integratorOf: (customerId: CustomerId) => IntegratorId | null,
): Promise<void> => {
  const days = openRowBuffer<DayRow>(usageDayTable, session, schema);
  const instanceDays = openRowBuffer<InstanceDayRow>(usageInstanceDayTable, session, schema);
  const scopeDays = openAdder<ScopeDayRow>(usageScopeDayTable, rollupMerging, session, schema);
  const instances = openAdder<InstanceRow>(usageInstanceTable, { ...rollupMerging, last_at: 'latest' }, session, schema);
  const customers = openAdder<CustomerUsageRow>(customerUsageShape, { ...rollupMerging, last_call_at: 'latest' }, session, schema);

  const slots = [...calls].flatMap(([customerId, of]) =>
    mergedSlots(of.slots()).map(
      (slot): CustomerSlot => ({
        customerId,
        slot,
        url: slot.instanceUrl,
        key: instanceKeyOf(slot.service, slot.instanceUrl),
      }),
    ),
  );
  for (const { customerId, slot, key } of slots) {
    days.preload(customerId, slot.day);
    instanceDays.preload(customerId, slot.day, key);
  }
  await Promise.all([days.load(), instanceDays.load()]);

  const isKnown = ({ customerId, slot, key }: CustomerSlot): boolean => instanceDays.get(customerId, slot.day, key) !== undefined;
  const bounded = await boundInstances(session, schema, slots, isKnown);
  const grouped = bounded.filter(({ url }) => url === OTHER_INSTANCES);
  for (const { customerId, slot, key } of grouped) instanceDays.preload(customerId, slot.day, key);
  if (grouped.length > 0) await instanceDays.load();
  const keys = new Map(slots.map(({ customerId, slot, key }, index) => [instanceOf(customerId, slot), bounded[index]?.key ?? key]));
  const userSlots = [...calls].flatMap(([customerId, of]) =>
    of.slots().map((slot) => ({ customerId, slot, key: keys.get(instanceOf(customerId, slot)) ?? '' })),
  );

  for (const { customerId, slot, key, url } of bounded) {
    const { day, service, lastAt, histogram } = slot;
    const more = rollupOf(slot);
    const dayRow = days.get(customerId, day);
    days.put({ customer_id: customerId, day, ...sum(dayRow, more), histogram: mergedHistogram(dayRow?.histogram, histogram) });
    const row = instanceDays.get(customerId, day, key);
    instanceDays.put({
      customer_id: customerId,
      day,
      instance_key: key,
      ...sum(row, more),
      last_at: later(row?.last_at, lastAt),
      histogram: mergedHistogram(row?.histogram, histogram),
    });
    instances.add({
      customer_id: customerId,
      instance_key: key,
      service,
      instance_url: url,
      ...more,
      last_at: lastAt,
    });
    customers.add({ customer_id: customerId, ...more, last_call_at: lastAt });
    const integratorId = integratorOf(customerId);
    for (const scope of integratorId ? [EVERYTHING, integratorId] : [EVERYTHING]) scopeDays.add({ scope, day, ...more });
  }
  await Promise.all([
    ...[days, instanceDays, scopeDays, instances, customers].map((table) => table.flush()),
    writeUserCalls(session, schema, userSlots),
  ]);
};

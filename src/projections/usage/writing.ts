import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import { openAdder } from '../adder.ts';
import { instanceKeyOf } from '../instance.ts';
import { EVERYTHING } from '../scope.ts';
import type { Session } from '../session.ts';
import { openSheet } from '../sheet.ts';
import type { CustomerCalls, Slot } from './counting.ts';
import { addEncoded, addHistogram, emptyHistogram, encodeHistogram, type Histogram } from './histogram.ts';
import {
  type CustomerUsageRow,
  type DayRow,
  dayShape,
  type InstanceDayRow,
  type InstanceRow,
  instanceDayShape,
  type Rollup,
  type ScopeDayRow,
  scopeDayShape,
} from './row.ts';

/** A stored histogram, as `\x…`, with more added to it. */
export const mergedHistogram = (stored: string | undefined, more: Histogram): string => {
  const histogram = emptyHistogram();
  if (stored) addEncoded(histogram, Buffer.from(stored.slice(2), 'hex'));
  addHistogram(histogram, more);
  return `\\x${encodeHistogram(histogram).toString('hex')}`;
};

const rollupOf = ({ calls, errors, totalMs }: Slot): Rollup => ({ calls, errors, total_ms: totalMs });
const sum = (one: Rollup | undefined, other: Rollup): Rollup => ({
  calls: (one?.calls ?? 0) + other.calls,
  errors: (one?.errors ?? 0) + other.errors,
  total_ms: (one?.total_ms ?? 0) + other.total_ms,
});
const later = (one: string | undefined, other: string): string => (one !== undefined && one > other ? one : other);

const addInstances = (session: Session, schema: string, rows: readonly InstanceRow[]): Promise<object[]> =>
  session.query(
    `insert into ${schema}.instance as t (customer_id, instance_key, service, instance_url, calls, errors, total_ms, last_at)
     select customer_id, instance_key, service, instance_url, calls, errors, total_ms, last_at from json_to_recordset($1::json) as r(
       customer_id uuid, instance_key uuid, service text, instance_url text, calls int8, errors int8, total_ms int8, last_at timestamptz)
     on conflict (customer_id, instance_key) do update set calls = t.calls + excluded.calls, errors = t.errors + excluded.errors,
       total_ms = t.total_ms + excluded.total_ms, last_at = greatest(t.last_at, excluded.last_at)`,
    [JSON.stringify(rows)],
  );

const addCustomers = (session: Session, schema: string, rows: readonly CustomerUsageRow[]): Promise<object[]> =>
  session.query(
    `insert into ${schema}.customer as t (customer_id, calls, errors, total_ms, last_call_at)
     select customer_id, calls, errors, total_ms, last_call_at
     from json_to_recordset($1::json) as r(customer_id uuid, calls int8, errors int8, total_ms int8, last_call_at timestamptz)
     on conflict (customer_id) do update set calls = t.calls + excluded.calls, errors = t.errors + excluded.errors,
       total_ms = t.total_ms + excluded.total_ms, last_call_at = greatest(t.last_call_at, excluded.last_call_at)`,
    [JSON.stringify(rows)],
  );

/** Adds a batch's calls to all rollups: what was merged in memory is read and written a few statements a batch, however many calls. */
export const writeCalls = async (
  session: Session,
  schema: string,
  calls: ReadonlyMap<CustomerId, CustomerCalls>,
  integratorOf: (customerId: CustomerId) => IntegratorId | null,
): Promise<void> => {
  const days = openSheet<DayRow>(dayShape, session, schema);
  const instanceDays = openSheet<InstanceDayRow>(instanceDayShape, session, schema);
  const scopeDays = openAdder<ScopeDayRow>(scopeDayShape, session, schema);
  const instances = new Map<string, InstanceRow>();
  const customers = new Map<CustomerId, CustomerUsageRow>();

  const slots = [...calls].flatMap(([customerId, of]) =>
    [...of.slots()].map((slot) => ({ customerId, slot, key: instanceKeyOf(slot.service, slot.instanceUrl) })),
  );
  for (const { customerId, slot, key } of slots) {
    days.want(customerId, slot.day);
    instanceDays.want(customerId, slot.day, key);
  }
  await Promise.all([days.load(), instanceDays.load()]);

  for (const { customerId, slot, key } of slots) {
    const { day, service, instanceUrl, lastAt, histogram } = slot;
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
    const instance = instances.get(customerId + key);
    instances.set(customerId + key, {
      customer_id: customerId,
      instance_key: key,
      service,
      instance_url: instanceUrl,
      ...sum(instance, more),
      last_at: later(instance?.last_at, lastAt),
    });
    const customer = customers.get(customerId);
    customers.set(customerId, {
      customer_id: customerId,
      ...sum(customer, more),
      last_call_at: later(customer?.last_call_at, lastAt),
    });
    const integratorId = integratorOf(customerId);
    for (const scope of integratorId ? [EVERYTHING, integratorId] : [EVERYTHING]) scopeDays.add({ scope, day, ...more });
  }
  await Promise.all([
    days.flush(),
    instanceDays.flush(),
    scopeDays.flush(),
    addInstances(session, schema, [...instances.values()]),
    addCustomers(session, schema, [...customers.values()]),
  ]);
};

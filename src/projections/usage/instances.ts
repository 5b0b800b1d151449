import { createHash } from 'node:crypto';
import type { Service } from '../../domain/credential/events.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { MAX_INSTANCES, OTHER_INSTANCES } from '../../domain/limits.ts';
import type { DatabaseSession } from '../engine/session.ts';
import type { Slot } from './counting.ts';

/** What stands for a third-party base address in keys: a URL of 2,048 characters is too long for an index. A UUID in form only. */
export const instanceKeyOf = (service: Service, instanceUrl: string): string => {
  const hex = createHash('sha256').update(`${service}\n${instanceUrl}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
};

/** A slot of a customer, and the instance that it counts. */
export type CustomerSlot = Readonly<{ customerId: CustomerId; slot: Slot; key: string; url: string }>;

type Known = { keys: Set<string>; count: number };

/** Which of the instances of the slots are counted by themselves already, and how many there are of each customer. */
const load = async (session: DatabaseSession, schema: string, slots: readonly CustomerSlot[]): Promise<Map<CustomerId, Known>> => {
  const known = new Map<CustomerId, Known>();
  for (const { customerId } of slots) known.set(customerId, { keys: new Set(), count: 0 });
  const [found, counts] = await Promise.all([
    session.query<{ customer_id: CustomerId; instance_key: string }>(
      `select customer_id, instance_key from ${schema}.instance
       join unnest($1::uuid[], $2::uuid[]) as r(customer_id, instance_key) using (customer_id, instance_key)`,
      [slots.map(({ customerId }) => customerId), slots.map(({ key }) => key)],
    ),
    session.query<{ customer_id: CustomerId; count: number }>(
      `select customer_id, count(*) as count from ${schema}.instance
       where customer_id = any($1::uuid[]) and instance_url <> $2 group by customer_id`,
      [[...known.keys()], OTHER_INSTANCES],
    ),
  ]);
  for (const { customer_id: customerId, instance_key: key } of found) known.get(customerId)?.keys.add(key);
  for (const { customer_id: customerId, count } of counts) Object.assign(known.get(customerId) ?? {}, { count });
  return known;
};

/**
 * Counts the first `MAX_INSTANCES` instances of a customer by themselves, and the calls of all further ones together. Which come first
 * follows from the order of the events alone, so that a rebuild counts the same. `isKnown` says of which slots that need not be asked.
 */
export const boundInstances = async (
  session: DatabaseSession,
  schema: string,
  slots: readonly CustomerSlot[],
  isKnown: (slot: CustomerSlot) => boolean,
): Promise<readonly CustomerSlot[]> => {
  const unknown = slots.filter((slot) => !isKnown(slot));
  if (unknown.length === 0) return slots;
  const known = await load(session, schema, unknown);
  const isOwn = ({ customerId, key }: CustomerSlot): boolean => {
    const of = known.get(customerId);
    if (!of || of.keys.has(key)) return true;
    if (of.count >= MAX_INSTANCES) return false;
    of.keys.add(key);
    of.count += 1;
    return true;
  };
  const together = new Set(unknown.filter((slot) => !isOwn(slot)));
  if (together.size === 0) return slots;
  return slots.map((item) =>
    together.has(item) ? { ...item, url: OTHER_INSTANCES, key: instanceKeyOf(item.slot.service, OTHER_INSTANCES) } : item,
  );
};

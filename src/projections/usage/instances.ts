import { createHash } from 'node:crypto';
import type { Service } from '../../domain/enumerations.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { MAX_INSTANCES, OTHER_INSTANCES } from '../../domain/limits.ts';
import type { DatabaseSession } from '../engine/session.ts';

/** What stands for a third-party base address in keys: a URL of 2,048 characters is too long for an index. A UUID in form only. */
export const instanceKeyOf = (service: Service, instanceUrl: string): string => {
  const hex = createHash('sha256').update(`${service}\n${instanceUrl}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
};

/** An instance of a customer that calls name, and the one under which they are counted. */
export type CalledInstance = Readonly<{ customerId: CustomerId; service: Service; url: string; key: string }>;

type Known = { keys: Set<string>; count: number };

const load = async (
  session: DatabaseSession,
  schema: string,
  called: readonly CalledInstance[],
): Promise<Map<CustomerId, Known>> => {
  const found = await session.query<{ customer_id: CustomerId; instance_key: string }>(
    `select customer_id, instance_key from ${schema}.instance
     join unnest($1::uuid[], $2::uuid[]) as r(customer_id, instance_key) using (customer_id, instance_key)`,
    [called.map(({ customerId }) => customerId), called.map(({ key }) => key)],
  );
  const known = new Map<CustomerId, Known>();
  for (const { customerId } of called) known.set(customerId, { keys: new Set(), count: 0 });
  for (const { customer_id: customerId, instance_key: key } of found) known.get(customerId)?.keys.add(key);
  return known;
};

/** How many instances of the customers are counted by themselves. */
const countOwn = async (session: DatabaseSession, schema: string, known: ReadonlyMap<CustomerId, Known>, of: CustomerId[]) => {
  const counts = await session.query<{ customer_id: CustomerId; count: number }>(
    `select customer_id, count(*) as count from ${schema}.instance
     where customer_id = any($1::uuid[]) and instance_url <> $2 group by customer_id`,
    [of, OTHER_INSTANCES],
  );
  for (const { customer_id: customerId, count } of counts) Object.assign(known.get(customerId) ?? {}, { count });
};

/**
 * Counts the first `MAX_INSTANCES` instances of a customer by themselves, and the calls of all further ones together. Which come first
 * follows from the order of the events alone, so that a rebuild counts the same. `called` names each instance once.
 */
export const boundInstances = async (
  session: DatabaseSession,
  schema: string,
  called: readonly CalledInstance[],
): Promise<readonly CalledInstance[]> => {
  const known = await load(session, schema, called);
  const isStored = ({ customerId, key }: CalledInstance): boolean => known.get(customerId)?.keys.has(key) === true;
  const fresh = new Set(called.filter((instance) => !isStored(instance)).map(({ customerId }) => customerId));
  if (fresh.size === 0) return called;
  await countOwn(session, schema, known, [...fresh]);
  return called.map((instance) => {
    const of = known.get(instance.customerId);
    if (!of || of.keys.has(instance.key)) return instance;
    if (of.count >= MAX_INSTANCES) {
      return { ...instance, url: OTHER_INSTANCES, key: instanceKeyOf(instance.service, OTHER_INSTANCES) };
    }
    of.keys.add(instance.key);
    of.count += 1;
    return instance;
  });
};

import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { type ServicesSet, wasIncluded } from '../../domain/apiCalls/entitled.ts';
import { boundsOf, isVoided, type Void } from '../../domain/apiCalls/voids.ts';
import type { CallVoidId, CustomerId } from '../../domain/ids.ts';
import { servicesSets } from '../callCounts/notIncluded.ts';
import type { CountedCall } from './events.ts';

type KnownVoid = Void & Readonly<{ voidId: CallVoidId }>;

/** What is known of the customers whose calls a search finds: their voids, and what their licenses included. */
export type Voids = Readonly<{
  load: (customerIds: Iterable<CustomerId>) => Promise<void>;
  /** What voided a call of a customer that is loaded; null if it counts. */
  of: (customerId: CustomerId, call: CountedCall) => CallVoidId | null;
  /** Whether the license of a customer that is loaded included the service of a call. */
  isIncluded: (customerId: CustomerId, call: CountedCall) => boolean;
}>;

/** Reads voids as they are needed, each customer's once. */
export const openVoids = (db: Database): Voids => {
  const known = new Map<CustomerId, KnownVoid[]>();
  const sets = new Map<CustomerId, ServicesSet[]>();
  return {
    load: async (customerIds) => {
      const missing = new Set<CustomerId>();
      for (const customerId of customerIds) if (!known.has(customerId)) missing.add(customerId);
      if (missing.size === 0) return;
      for (const customerId of missing) known.set(customerId, []);
      const rows = await db
        .selectFrom('usage.void')
        .select(['customer_id', 'void_id', 'source_id', 'first_sequence', 'last_sequence', 'made_from', 'made_until'])
        .select(sql<string>`position::text`.as('at'))
        .where('customer_id', 'in', [...missing])
        .execute();
      const licenses = await db
        .selectFrom('usage.customer')
        .select(['customer_id', 'services'])
        .where('customer_id', 'in', [...missing])
        .where('services', 'is not', null)
        .execute();
      for (const { customer_id: id, services } of licenses) sets.set(id, servicesSets(services));
      for (const row of rows) {
        const bounds = boundsOf({
          firstSequence: row.first_sequence,
          lastSequence: row.last_sequence,
          from: row.made_from?.toISOString() ?? null,
          until: row.made_until?.toISOString() ?? null,
        });
        known.get(row.customer_id)?.push({ voidId: row.void_id, sourceId: row.source_id, position: BigInt(row.at), bounds });
      }
    },
    of: (customerId, { flush, sequence, ms, event }) => {
      const call = { sourceId: flush.sourceId, sequence, ms, position: event.position };
      return known.get(customerId)?.find((one) => isVoided(one, call))?.voidId ?? null;
    },
    isIncluded: (customerId, { call: { service }, ms, event: { position } }) =>
      wasIncluded(sets.get(customerId) ?? [], { position, ms, service }),
  };
};

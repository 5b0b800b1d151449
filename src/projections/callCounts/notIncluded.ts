import { type NotIncludedRow, type StoredServices, usageNotIncludedTable } from '../../database/tables/usage.ts';
import type { CallSlice } from '../../domain/apiCalls/columns.ts';
import { ofServices, type ServicesSet, wasIncluded } from '../../domain/apiCalls/entitled.ts';
import type { CustomerId } from '../../domain/ids.ts';
import type { Entitlements } from '../../domain/license/entitlements.ts';
import { QUARTER_MS } from '../../domain/time.ts';
import { openAdder } from '../engine/adder.ts';
import type { DatabaseSession } from '../engine/session.ts';

/** Entitlements of a license that an event set. */
export type EntitlementsSet = Readonly<{ position: bigint; at: string; entitlements: Entitlements }>;

/** Stored entitlements as they are compared with calls. */
export const servicesSets = (stored: readonly StoredServices[] | null): ServicesSet[] =>
  (stored ?? []).map(({ position, at, entitlements }) => ({ position: BigInt(position), ms: Date.parse(at), entitlements }));

/** Calls to services that licenses did not include, in one batch. */
type NotIncluded = Readonly<{
  /** What was stored of a customer. */
  loaded: (customerId: CustomerId, stored: readonly StoredServices[] | null) => void;
  set: (customerId: CustomerId, set: EntitlementsSet) => void;
  /** Counts those of a run of calls that an event at the position recorded, from the first to the last index of the flush. */
  count: (customerId: CustomerId, position: bigint, slice: CallSlice, first: number, last: number) => void;
  forget: (customerId: CustomerId) => void;
  flush: () => Promise<void>;
}>;

/** A row for each call of a run that was not included. */
export const notIncludedRows = (
  customerId: CustomerId,
  sets: readonly ServicesSet[],
  position: bigint,
  { columns, from }: CallSlice,
  [first, last]: readonly [number, number],
): NotIncludedRow[] => {
  const { instances, instance, start, after } = columns;
  const rows: NotIncludedRow[] = [];
  for (let index = from + first; index <= from + last; index++) {
    const [service] = instances[instance[index] ?? -1] ?? [];
    if (service === undefined) continue;
    const ms = start + (after[index] ?? 0);
    if (wasIncluded(sets, { position, ms, service })) continue;
    const at = new Date(Math.floor(ms / QUARTER_MS) * QUARTER_MS).toISOString();
    rows.push({ customer_id: customerId, at, service, calls: 1 });
  }
  return rows;
};

/** Opens the counts of one batch. Licenses that always included every service cost nothing. */
export const openNotIncluded = (session: DatabaseSession, schema: string): NotIncluded => {
  const stored = new Map<CustomerId, readonly StoredServices[]>();
  const sets = new Map<CustomerId, ServicesSet[]>();
  const changed = new Set<CustomerId>();
  const counts = new Map<CustomerId, NotIncludedRow[]>();

  const replace = (customerId: CustomerId, all: readonly StoredServices[]): void => {
    stored.set(customerId, all);
    sets.set(customerId, servicesSets(all));
  };

  return {
    loaded: (customerId, found) => {
      if (found !== null) replace(customerId, found);
    },
    set: (customerId, { position, at, entitlements }) => {
      const before = stored.get(customerId) ?? [];
      const services = ofServices(entitlements);
      if (before.length === 0 && services === null) return;
      replace(customerId, [...before, { position: String(position), at, entitlements: services }]);
      changed.add(customerId);
    },
    count: (customerId, position, slice, first, last) => {
      const known = sets.get(customerId);
      if (known === undefined) return;
      const rows = counts.get(customerId) ?? [];
      counts.set(customerId, rows);
      rows.push(...notIncludedRows(customerId, known, position, slice, [first, last]));
    },
    forget: (customerId) => {
      for (const map of [stored, sets, counts]) map.delete(customerId);
      changed.delete(customerId);
    },
    flush: async () => {
      const table = openAdder<NotIncludedRow>(usageNotIncludedTable, { calls: 'sum' }, session, schema);
      for (const rows of counts.values()) for (const row of rows) table.add(row);
      await table.flush();
      if (changed.size === 0) return;
      const all = [...changed].map((id) => ({ customer_id: id, services: stored.get(id) }));
      await session.query(
        `update ${schema}.customer c set services = r.services
         from json_to_recordset($1::json) as r(customer_id uuid, services json) where c.customer_id = r.customer_id`,
        [JSON.stringify(all)],
      );
    },
  };
};

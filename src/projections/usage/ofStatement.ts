import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { AccountStatus, Service } from '../../domain/enumerations.ts';
import type { CallVoidId, CustomerId, IntegratorId } from '../../domain/ids.ts';
import { monthOf } from '../../domain/license/callQuota.ts';
import { dayOf } from '../../domain/time.ts';
import { breakdownOf } from './figures.ts';
import { addPart, eachPart, type Part, splitKey, textOf } from './parts.ts';

/** A month of UTC, or what has passed of it: from an instant until before another one, ISO-8601. */
type Period = Readonly<{ from: string; to: string }>;

/** A customer of a service integrator, as a statement names it. */
export type StatedCustomer = Readonly<{ id: CustomerId; name: string; tier: string; status: AccountStatus }>;

type Counted = Readonly<{ calls: number; errors: number }>;

/** The calls of a customer in a period. `voids` are those of calls of the period, which are not among its calls. */
export type StatedCalls = Readonly<{
  total: number;
  errors: number;
  /** A null key stands for calls that a version before did not divide. */
  services: readonly (Counted & { key: string | null })[];
  notIncluded: readonly Readonly<{ service: Service; calls: number }>[];
  voids: Counted & { count: number };
}>;

type Sums = { calls: number; errors: number; totalMs: number; services: Map<string, Part> };

const none = (): Sums => ({ calls: 0, errors: 0, totalMs: 0, services: new Map() });

const callsOf = async (db: Database, ids: readonly CustomerId[], { from, to }: Period) => {
  const rows = await db
    .selectFrom('usage.day')
    .select(['customer_id', sql<string>`day::text`.as('day'), 'calls', 'errors', 'total_ms', 'parts'])
    .where('customer_id', '=', sql<CustomerId>`any(${ids}::uuid[])`)
    .where('day', '>=', dayOf(from))
    .where('day', '<=', dayOf(Date.parse(to) - 1))
    .execute();
  const sums = new Map<CustomerId, Sums>();
  for (const { customer_id: id, day, calls, errors, total_ms: totalMs, parts } of rows) {
    const of = sums.get(id) ?? none();
    sums.set(id, of);
    of.calls += calls;
    of.errors += errors;
    of.totalMs += totalMs;
    if (parts === null) continue;
    eachPart(parts, Date.parse(day), (key, part) => {
      const [dimension, , value] = splitKey(key);
      if (dimension !== 's') return;
      const known = of.services.get(value);
      if (known) addPart(known, part);
      else of.services.set(value, { ...part });
    });
  }
  return sums;
};

const notIncludedOf = async (db: Database, ids: readonly CustomerId[], { from, to }: Period) => {
  const rows = await db
    .selectFrom('usage.not_included')
    .select(['customer_id', 'service', sql<number>`sum(calls)::int8`.as('calls')])
    .where('customer_id', '=', sql<CustomerId>`any(${ids}::uuid[])`)
    .where('at', '>=', new Date(from))
    .where('at', '<', new Date(to))
    .groupBy(['customer_id', 'service'])
    .orderBy('service')
    .execute();
  const services = new Map<CustomerId, { service: Service; calls: number }[]>();
  for (const { customer_id: id, service, calls } of rows) services.set(id, [...(services.get(id) ?? []), { service, calls }]);
  return services;
};

/** A void of calls of a period, with how many of its calls were made in the period. */
type StatedVoid = Counted & Readonly<{ id: CallVoidId; at: string; reason: string | null; sourceId: string }>;

/** Voids by customer, newest first. A void that a version before applied counts with all its calls, until the read models are rebuilt. */
const voidsOf = async (db: Database, ids: readonly CustomerId[], { from, to }: Period): Promise<Map<CustomerId, StatedVoid[]>> => {
  const month = monthOf(from);
  const rows = await db
    .selectFrom('usage.void')
    .select(['customer_id', 'void_id', 'at', 'reason', 'source_id', 'calls', 'errors', 'made'])
    .where('customer_id', '=', sql<CustomerId>`any(${ids}::uuid[])`)
    .where('first_at', '<', new Date(to))
    .where('last_at', '>=', new Date(from))
    .where(sql<boolean>`(made is null or made -> ${month} is not null)`)
    .orderBy('position', 'desc')
    .execute();
  const voids = new Map<CustomerId, StatedVoid[]>();
  for (const { customer_id: customerId, void_id: id, at, reason, source_id: sourceId, made, ...whole } of rows) {
    const { calls, errors } = made?.[month] ?? whole;
    const known = voids.get(customerId) ?? [];
    voids.set(customerId, known);
    known.push({ id, at: at.toISOString(), reason, sourceId, calls, errors });
  }
  return voids;
};

const sumOf = (voids: readonly StatedVoid[]): StatedCalls['voids'] => {
  const sum = { count: voids.length, calls: 0, errors: 0 };
  for (const { calls, errors } of voids) {
    sum.calls += calls;
    sum.errors += errors;
  }
  return sum;
};

/** Queries for statements of usage. */
export const statementQueries = (db: Database) => ({
  /** All customers of a service integrator, by name. */
  customers: (integratorId: IntegratorId): Promise<StatedCustomer[]> =>
    db
      .selectFrom('read.customer')
      .select(['customer_id as id', 'name', 'tier', 'status'])
      .where('integrator_id', '=', integratorId)
      .orderBy('sort_name')
      .orderBy('customer_id')
      .execute(),

  /** The voids of calls of a customer in a period, newest first. */
  voids: async (id: CustomerId, period: Period): Promise<readonly StatedVoid[]> => (await voidsOf(db, [id], period)).get(id) ?? [],

  /** The calls of customers in a period, by their time. Resolves to a look-up by customer. */
  calls: async (ids: readonly CustomerId[], period: Period): Promise<(id: CustomerId) => StatedCalls> => {
    const [sums, notIncluded, voids] = await Promise.all([
      callsOf(db, ids, period),
      notIncludedOf(db, ids, period),
      voidsOf(db, ids, period),
    ]);
    return (id) => {
      const { services, ...whole } = sums.get(id) ?? none();
      const parts = breakdownOf(
        [...services].map(([value, part]) => [textOf(value), part] as const),
        whole,
      );
      return {
        total: whole.calls,
        errors: whole.errors,
        services: parts.map(({ key, calls, errors }) => ({ key, calls, errors })),
        notIncluded: notIncluded.get(id) ?? [],
        voids: sumOf(voids.get(id) ?? []),
      };
    };
  },
});

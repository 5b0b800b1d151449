import { date, defineTable, int8, type RowOf, text, uuid } from './defineTable.ts';

/**
 * Counts: `customer`, `integrator` and `user` by status, in an integrator's scope and in the scope of the whole product; of a `theme`, in
 * its own scope, its `customers` and their `active_users`;  of `deletion`, the `requested` ones; of
 * `plan`, its licenses by code in the scope of the whole product.
 */
export const tallyTable = defineTable('read.tally', {
  key: ['kind', 'scope', 'name'],
  columns: {
    kind: text<'customer' | 'integrator' | 'user' | 'theme' | 'deletion' | 'plan'>(),
    scope: uuid(),
    name: text(),
    n: int8(),
  },
});

/** Counters of one scope in a projection's memory; see `scopeOf`. */
export type TallyRow = RowOf<typeof tallyTable>;

/** The changes of a day: first registrations, then the differences of counts from its start to its end. */
export const statDayTable = defineTable('read.stat_day', {
  key: ['scope', 'day'],
  columns: {
    /** An integrator's id, or the nil UUID for the whole product. */
    scope: uuid(),
    day: date(),
    registered: int8(),
    customers: int8(),
    active: int8(),
    integrators_registered: int8(),
    integrators: int8(),
  },
});

/** The changes of one scope on a UTC day, in a projection's memory. */
export type StatDayRow = RowOf<typeof statDayTable>;

import type { Merging } from '../engine/adder.ts';
import type { TableShape } from '../engine/sheet.ts';

/**
 * How many there are: `customer`, `integrator` and `user` by status, in an integrator's scope and in everything's; of a `theme`, in
 * its own scope, its `customers` and their `active_users`; of `deletion`, the `requested` ones.
 */
export type TallyRow = { kind: 'customer' | 'integrator' | 'user' | 'theme' | 'deletion'; scope: string; name: string; n: number };

export const tallyShape: TableShape<TallyRow> = {
  table: 'tally',
  key: ['kind', 'scope', 'name'],
  columns: { kind: 'text', scope: 'uuid', name: 'text', n: 'int8' },
};

export const tallyMerging: Merging<TallyRow> = { n: 'sum' };

/** What changed in a day: first registrations, then how many more there were in the evening than in the morning. */
export type StatDayRow = {
  scope: string;
  day: string;
  registered: number;
  customers: number;
  active: number;
  integrators_registered: number;
  integrators: number;
};

export const statDayShape: TableShape<StatDayRow> = {
  table: 'stat_day',
  key: ['scope', 'day'],
  columns: {
    scope: 'uuid',
    day: 'date',
    registered: 'int8',
    customers: 'int8',
    active: 'int8',
    integrators_registered: 'int8',
    integrators: 'int8',
  },
};

export const statDayMerging: Merging<StatDayRow> = {
  registered: 'sum',
  customers: 'sum',
  active: 'sum',
  integrators_registered: 'sum',
  integrators: 'sum',
};

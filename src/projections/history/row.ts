import type { ActorKind } from '../../domain/event.ts';
import type { CustomerId, IntegratorId, ThemeId } from '../../domain/ids.ts';
import type { TableShape } from '../engine/sheet.ts';

export type Value = string | number | boolean | null;
export type Values = { readonly [field: string]: Value };
/** What an entry is written from: how things are now, and how those were before that may have changed. */
export type Facts = { now: Values; before: Values };
export type Change = { field: string; before: Value; after: Value };

/** An entry as it is in memory: a customer's or an integrator's own, or that of a theme, which concerns the customers that have it too. */
export type HistoryRow = {
  position: string;
  revision: string;
  id: string;
  customer_id: CustomerId | null;
  integrator_id: IntegratorId | null;
  theme_id: ThemeId | null;
  at: string;
  category: string;
  type: string;
  actor_kind: ActorKind;
  actor_id: string;
  summary: string;
  facts: Facts;
};

export const historyShape: TableShape<HistoryRow> = {
  table: 'history',
  key: ['position', 'revision'],
  owners: ['customer_id', 'integrator_id'],
  isLog: true,
  columns: {
    position: 'position',
    revision: 'position',
    id: 'uuid',
    customer_id: 'uuid',
    integrator_id: 'uuid',
    theme_id: 'uuid',
    at: 'timestamptz',
    category: 'text',
    type: 'text',
    actor_kind: 'text',
    actor_id: 'text',
    summary: 'text',
    facts: 'json',
  },
};

/** From when to when a customer had a custom theme. */
export type ThemeSpanRow = { customer_id: CustomerId; theme_id: ThemeId; from_position: string; to_position: string | null };

export const themeSpanShape: TableShape<ThemeSpanRow> = {
  table: 'theme_span',
  key: ['customer_id', 'from_position'],
  owners: ['customer_id'],
  columns: { customer_id: 'uuid', theme_id: 'uuid', from_position: 'position', to_position: 'position' },
};

import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { AccountStatus, SeatKind, UserRole } from '../../domain/enumerations.ts';
import type { CustomerId, IntegratorId, UserId } from '../../domain/ids.ts';
import type { CallQuota } from '../../domain/license/callQuota.ts';
import type { Entitlements } from '../../domain/license/entitlements.ts';
import type { Term } from '../../domain/license/term.ts';
import { type TermRow, termOf } from '../customers/term.ts';
import { pendingMachinesOf } from '../machines/queries.ts';
import { type Person, personIn } from '../users/person.ts';

/** `floating` where users share the seats: how many are held, and how long one is kept without use. */
type ToolSeats = Readonly<{ allocated: number; active: number; floating?: Readonly<{ minutes: number; leased: number }> }>;

/** The data of a customer that its tools show. */
export type ToolCustomer = Readonly<{
  id: CustomerId;
  integratorId: IntegratorId;
  name: string;
  status: AccountStatus;
  /** A built-in theme's name or a custom theme's id. */
  theme: string | null;
  /** An allocation of -1 means unlimited. */
  seats: Readonly<Record<SeatKind, ToolSeats>>;
  /** Null if the license is perpetual. */
  term: Term | null;
  entitlements: Entitlements;
  callQuota: CallQuota | null;
}>;

/** Who works with a tool. Whether it is connected is not asked. */
export type ToolUser = Readonly<{ user: Person; pendingMachines: number; customer: ToolCustomer }>;

const customerColumns = [
  'c.customer_id',
  'c.integrator_id',
  'c.name',
  'c.status as account_status',
  'c.theme',
  'c.developer_seats',
  'c.active_developer_seats',
  'c.stakeholder_seats',
  'c.floating_developer_minutes',
  'c.leased_developer_seats',
  'c.active_stakeholder_seats',
  'c.term_starts_at',
  'c.term_expires_at',
  'c.term_grace_days',
  'c.term_is_trial',
  'c.entitlements',
  'c.call_quota',
] as const;

type CustomerRow = TermRow & {
  customer_id: CustomerId;
  integrator_id: IntegratorId;
  name: string;
  account_status: AccountStatus;
  theme: string | null;
  developer_seats: number;
  active_developer_seats: number;
  stakeholder_seats: number;
  floating_developer_minutes: number | null;
  leased_developer_seats: number;
  active_stakeholder_seats: number;
  entitlements: Entitlements;
  call_quota: CallQuota | null;
};

const customerIn = (row: CustomerRow): ToolCustomer => ({
  id: row.customer_id,
  integratorId: row.integrator_id,
  name: row.name,
  status: row.account_status,
  theme: row.theme,
  term: termOf(row),
  entitlements: row.entitlements,
  callQuota: row.call_quota,
  seats: {
    developer: {
      allocated: row.developer_seats,
      active: row.active_developer_seats,
      ...(row.floating_developer_minutes !== null && {
        floating: { minutes: row.floating_developer_minutes, leased: row.leased_developer_seats },
      }),
    },
    stakeholder: { allocated: row.stakeholder_seats, active: row.active_stakeholder_seats },
  },
});

/** The data that command-line tools show, for many tools in one query. */
export const toolQueries = (db: Database) => ({
  users: async (ids: readonly UserId[]): Promise<ReadonlyMap<UserId, ToolUser>> => {
    const rows = await db
      .selectFrom('read.portal_user as u')
      .innerJoin('read.customer as c', 'c.customer_id', 'u.customer_id')
      .select(customerColumns)
      .select(['u.user_id', 'u.username', 'u.email', 'u.role', 'u.status', 'u.last_login', 'u.machine_id', 'u.created_at'])
      .select(pendingMachinesOf('u.user_id').as('pending_machines'))
      .where(sql<boolean>`u.user_id = any(${ids}::uuid[])`)
      .execute();
    return new Map(
      rows.map((row) => [
        row.user_id,
        { user: personIn(row, row.name), pendingMachines: row.pending_machines, customer: customerIn(row) },
      ]),
    );
  },

  customers: async (ids: readonly CustomerId[]): Promise<ToolCustomer[]> => {
    const rows = await db
      .selectFrom('read.customer as c')
      .select(customerColumns)
      .where(sql<boolean>`c.customer_id = any(${ids}::uuid[])`)
      .execute();
    return rows.map(customerIn);
  },

  roles: async (ids: readonly UserId[]): Promise<ReadonlyMap<UserId, UserRole>> => {
    const rows = await db
      .selectFrom('read.portal_user')
      .select(['user_id', 'role'])
      .where(sql<boolean>`user_id = any(${ids}::uuid[])`)
      .execute();
    return new Map(rows.map((row) => [row.user_id, row.role]));
  },
});

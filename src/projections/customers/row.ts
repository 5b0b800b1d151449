import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import type { TableShape } from '../engine/sheet.ts';

/** A customer as it is in memory; `revision` is its stream's. */
export type CustomerRow = {
  customer_id: CustomerId;
  integrator_id: IntegratorId;
  name: string;
  contact_email: string;
  company: string | null;
  license_digest: Buffer | null;
  license_sealed: string | null;
  license_event: string | null;
  /** Hashes of the license key's parts, as PostgreSQL writes an array; see `keyFragmentsOf`. */
  key_fragments: string;
  status: 'active' | 'suspended' | 'churned';
  theme: string | null;
  /** What the theme was called when it was assigned, for the history. */
  theme_label: string | null;
  tier: string;
  developer_seats: number;
  stakeholder_seats: number;
  active_developer_seats: number;
  active_stakeholder_seats: number;
  seat_limits_enforced: boolean;
  /** Whether portal sign-in asks for a password. */
  has_password: boolean;
  machine_approval_enforced: boolean;
  deletion_requested_at: string | null;
  last_activity_at: string | null;
  created_at: string;
  sort_name: string;
  search: string;
  revision: number;
};

export const customerShape: TableShape<CustomerRow> = {
  table: 'customer',
  key: ['customer_id'],
  columns: {
    customer_id: 'uuid',
    integrator_id: 'uuid',
    name: 'text',
    contact_email: 'text',
    company: 'text',
    license_digest: 'bytea',
    license_sealed: 'text',
    license_event: 'text',
    key_fragments: 'int4s',
    status: 'text',
    theme: 'text',
    theme_label: 'text',
    tier: 'text',
    developer_seats: 'int4',
    stakeholder_seats: 'int4',
    active_developer_seats: 'int4',
    active_stakeholder_seats: 'int4',
    seat_limits_enforced: 'boolean',
    has_password: 'boolean',
    machine_approval_enforced: 'boolean',
    deletion_requested_at: 'timestamptz',
    last_activity_at: 'timestamptz',
    created_at: 'timestamptz',
    sort_name: 'text',
    search: 'text',
    revision: 'int8',
  },
};

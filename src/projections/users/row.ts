import type { CustomerId, IntegratorId, UserId } from '../../domain/ids.ts';
import type { TableShape } from '../engine/sheet.ts';

/** A user of a customer as it is in memory. */
export type UserRow = {
  user_id: UserId;
  customer_id: CustomerId;
  integrator_id: IntegratorId;
  username: string;
  email: string;
  role: 'developer' | 'stakeholder' | 'admin';
  status: 'active' | 'inactive' | 'suspended';
  machine_id: string | null;
  last_login: string | null;
  created_at: string;
  sort_name: string;
  search: string;
};

export const userShape: TableShape<UserRow> = {
  table: 'portal_user',
  key: ['user_id'],
  owners: ['customer_id'],
  columns: {
    user_id: 'uuid',
    customer_id: 'uuid',
    integrator_id: 'uuid',
    username: 'text',
    email: 'text',
    role: 'text',
    status: 'text',
    machine_id: 'text',
    last_login: 'timestamptz',
    created_at: 'timestamptz',
    sort_name: 'text',
    search: 'text',
  },
};

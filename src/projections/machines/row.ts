import type { CustomerId, IntegratorId, MachineRequestId, UserId } from '../../domain/ids.ts';
import type { TableShape } from '../engine/sheet.ts';

/** A machine of a user as it is in memory: approved, waiting for approval, or refused it. Times are ISO-8601 UTC. */
export type MachineRow = {
  user_id: UserId;
  machine_id: string;
  customer_id: CustomerId;
  integrator_id: IntegratorId;
  machine_name: string | null;
  state: 'approved' | 'pending' | 'rejected';
  /** Null for a machine that needed no approval. */
  request_id: MachineRequestId | null;
  requested_at: string | null;
  /** When a request or its rejection ends. */
  expires_at: string | null;
  approved_at: string | null;
};

export const machineShape: TableShape<MachineRow> = {
  table: 'machine',
  key: ['user_id', 'machine_id'],
  owners: ['user_id', 'customer_id'],
  columns: {
    user_id: 'uuid',
    machine_id: 'text',
    customer_id: 'uuid',
    integrator_id: 'uuid',
    machine_name: 'text',
    state: 'text',
    request_id: 'uuid',
    requested_at: 'timestamptz',
    expires_at: 'timestamptz',
    approved_at: 'timestamptz',
  },
};

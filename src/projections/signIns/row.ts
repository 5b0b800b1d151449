import type { CustomerId, IntegratorId, UserId } from '../../domain/ids.ts';
import type { SignInAudience, SignInOutcome } from '../../domain/signIns/events.ts';
import type { TableShape } from '../engine/sheet.ts';

/** An event's sign-ins as they are in memory. */
export type SignInRow = {
  position: string;
  revision: string;
  id: string;
  at: string;
  first_at: string;
  audience: SignInAudience;
  outcome: SignInOutcome;
  reason: string | null;
  address: string | null;
  customer_id: CustomerId | null;
  integrator_id: IntegratorId | null;
  user_id: UserId | null;
  fingerprint: string | null;
  keys: number;
  n: number;
};

export const signInShape: TableShape<SignInRow> = {
  table: 'sign_in',
  key: ['position', 'revision'],
  owners: ['customer_id', 'integrator_id'],
  isLog: true,
  columns: {
    position: 'position',
    revision: 'position',
    id: 'uuid',
    at: 'timestamptz',
    first_at: 'timestamptz',
    audience: 'text',
    outcome: 'text',
    reason: 'text',
    address: 'text',
    customer_id: 'uuid',
    integrator_id: 'uuid',
    user_id: 'uuid',
    fingerprint: 'text',
    keys: 'int4',
    n: 'int4',
  },
};

import type { CustomerId, IntegratorId, PublicMachineId, UserId } from '../domain/ids.ts';

/** Who holds a session: an administrator, a portal customer, an integrator, or a user of the command-line tool. */
export type SessionKind = 'admin' | 'customer' | 'integrator' | 'cli';

/** Why a session ended before its time. */
export type SessionEnd =
  | 'signed_out'
  | 'key_rotated'
  | 'password_changed'
  | 'password_reset'
  | 'customer_suspended'
  | 'customer_churned'
  | 'customer_deleted'
  | 'user_deactivated'
  | 'user_suspended'
  | 'role_changed'
  | 'machine_removed'
  | 'integrator_suspended'
  | 'integrator_churned'
  | 'integrator_deleted';

export type SessionTables = {
  'auth.session': {
    /** SHA-256 of the token, hex. */
    token_hash: string;
    kind: SessionKind;
    user_id: UserId | null;
    customer_id: CustomerId | null;
    /** The integrator itself, or the one of the customer. */
    integrator_id: IntegratorId | null;
    /** The machine of a tool's session; null for those that versions without approvals opened. */
    machine: PublicMachineId | null;
    created_at: Date;
    last_seen_at: Date;
    /** The latest it can live, however much it is used. */
    expires_at: Date;
    ended_at: Date | null;
    ended_reason: SessionEnd | null;
  };
  /** Wrong keys by tier (`key 203.0.113.0/24`, `admin everybody`) and minute. */
  'auth.sign_in_failures': { bucket: string; window_start: Date; failures: number };
  /** Permits of a bucket: those held while a guess is evaluated, by when they were taken, and those spent on a wrong one. */
  'auth.sign_in_permit': { bucket: string; held: Date[]; spent: Date[]; touched_at: Date };
};

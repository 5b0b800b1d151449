import { CLOSE } from '../contracts/cli.ts';
import type { SessionEnd } from '../database/tables/sessions.ts';

/** The message that a tool shows when its session ends. */
export const revocations: Record<SessionEnd, string> = {
  signed_out: 'This session has ended',
  key_rotated: 'The license key was rotated: sign in with the new one',
  password_changed: 'The password was changed',
  password_reset: 'The password was reset',
  passkey_removed: 'A passkey was removed',
  customer_suspended: 'This license is suspended',
  customer_churned: 'This license has ended',
  customer_deleted: 'This license has ended',
  user_deactivated: 'Your user was deactivated',
  user_suspended: 'Your user was suspended',
  machine_removed: 'This machine was removed from your machines',
  role_changed: 'Your role is now stakeholder, which has portal access only',
  member_removed: 'This user was removed',
  sessions_revoked: 'This session was ended by an owner',
  key_sign_in_off: 'Sign-in with the key was turned off',
  integrator_suspended: 'The service integrator is suspended',
  integrator_churned: 'The service integrator has churned',
  integrator_deleted: 'The service integrator was deleted',
};

const SIGN_IN_AGAIN: ReadonlySet<SessionEnd> = new Set([
  'signed_out',
  'key_rotated',
  'password_changed',
  'password_reset',
  'machine_removed',
  'sessions_revoked',
]);

/** The close code of a session's end: whether its user may sign in again. */
export const codeOf = (reason: SessionEnd): number => (SIGN_IN_AGAIN.has(reason) ? CLOSE.noSession : CLOSE.forbidden);

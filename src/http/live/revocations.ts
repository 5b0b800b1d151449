import { CLOSE } from '../../contracts/cli.ts';
import type { SessionEnd } from '../../security/sessionTables.ts';

/** What a tool is told when its session ends. */
export const revocations: Record<SessionEnd, string> = {
  signed_out: 'This session has ended',
  key_rotated: 'The license key was replaced: sign in with the new one',
  password_changed: 'The password was changed',
  customer_suspended: 'This license is suspended',
  customer_churned: 'This license has ended',
  customer_deleted: 'This license has ended',
  user_deactivated: 'Your user was deactivated',
  user_suspended: 'Your user was suspended',
  integrator_suspended: 'The service integrator is suspended',
  integrator_churned: 'The service integrator has churned',
  integrator_deleted: 'The service integrator was deleted',
};

/** The close code of a session's end: whoever signed out, or whose key was replaced, may sign in again; the others may not. */
export const codeOf = (reason: SessionEnd): number =>
  reason === 'signed_out' || reason === 'key_rotated' || reason === 'password_changed' ? CLOSE.noSession : CLOSE.forbidden;

import { ownerOf } from '../commands/streams.ts';
import type { SessionEnd } from '../database/tables/sessions.ts';
import { mayUseTool } from '../domain/customer/state.ts';
import type { PublicMachineId, UserId } from '../domain/ids.ts';
import { tenantOfTeam } from '../domain/team/teamId.ts';
import type { SessionMatch } from '../security/session.ts';
import type { Sessions } from '../security/sessions.ts';
import type { Policy } from './engine/policy.ts';

type Recorded = Parameters<Policy['react']>[0];

/** How far the clocks of two nodes may be apart: a session opened this much later may still be an older one. */
const SKEW_MS = 5_000;

type Deps = Readonly<{
  sessions: Pick<Sessions, 'end'>;
  /** Names a user's machine as sessions do, without its machine id. */
  publicMachineIdOf: (userId: UserId, machineId: string) => PublicMachineId;
}>;

/** The sessions of a member: of a customer's also those of the tool that it signed in by a device code. */
const memberMatchOf = (stream: string, userId: UserId): SessionMatch => {
  const tenant = tenantOfTeam(ownerOf.team(stream));
  const match = tenant.kind === 'customer' ? ({ customerId: tenant.customerId, isByName: true } as const) : tenantMatchOf(stream);
  return { ...match, userId };
};

/** The console's sessions of the tenant of a team's stream. */
const tenantMatchOf = (stream: string): SessionMatch => {
  const tenant = tenantOfTeam(ownerOf.team(stream));
  switch (tenant.kind) {
    case 'administration':
      return { kind: 'admin' };
    case 'integrator':
      return { kind: 'integrator', integratorId: tenant.integratorId };
    case 'customer':
      return { kind: 'customer', customerId: tenant.customerId };
  }
};

/** The sessions that the key of the tenant may have opened: of a customer's also those of the tool. */
const keyMatchOf = (stream: string): SessionMatch => {
  const tenant = tenantOfTeam(ownerOf.team(stream));
  return tenant.kind === 'customer' ? { customerId: tenant.customerId } : tenantMatchOf(stream);
};

type Ended = Readonly<{ match: SessionMatch; reason: SessionEnd }>;

/** The sessions that an event ends, and the reason; null if it ends none. */
const endedBy = (
  { event, stream }: Pick<Recorded, 'event' | 'stream'>,
  { publicMachineIdOf }: Pick<Deps, 'publicMachineIdOf'>,
): Ended | null => {
  switch (event.type) {
    case 'CustomerSuspended':
      return { match: { customerId: ownerOf.customer(stream) }, reason: 'customer_suspended' };
    case 'CustomerChurned':
      return { match: { customerId: ownerOf.customer(stream) }, reason: 'customer_churned' };
    case 'CustomerDeleted':
      return { match: { customerId: ownerOf.customer(stream) }, reason: 'customer_deleted' };
    case 'PasswordReset':
      return { match: { kind: 'customer', customerId: ownerOf.customer(stream), isByKey: true }, reason: 'password_reset' };
    case 'LicenseKeyRotated':
      return { match: { customerId: ownerOf.customer(stream), isByKey: true }, reason: 'key_rotated' };
    case 'UserDeactivated':
      return { match: { customerId: ownerOf.customer(stream), userId: event.data.userId }, reason: 'user_deactivated' };
    case 'UserRemoved':
      return { match: { customerId: ownerOf.customer(stream), userId: event.data.userId }, reason: 'member_removed' };
    case 'UserSuspended':
      return { match: { customerId: ownerOf.customer(stream), userId: event.data.userId }, reason: 'user_suspended' };
    case 'UserRoleChanged':
      // A session in the portal has the permissions of its role; a tool's are the same in each role that may use it. A sign-in with OpenID
      // Connect changes the role, and opens a session with the new one.
      return {
        match: {
          customerId: ownerOf.customer(stream),
          userId: event.data.userId,
          exceptRole: event.data.role,
          ...(mayUseTool(event.data.role) && { kind: 'customer' }),
        },
        reason: 'role_changed',
      };
    case 'MachineRemoved': {
      const { userId, machineId } = event.data;
      const match = {
        kind: 'cli',
        customerId: ownerOf.customer(stream),
        userId,
        machine: publicMachineIdOf(userId, machineId),
      } as const;
      return { match, reason: 'machine_removed' };
    }
    case 'IntegratorSuspended':
      return { match: { kind: 'integrator', integratorId: ownerOf.integrator(stream) }, reason: 'integrator_suspended' };
    case 'IntegratorChurned':
      return { match: { kind: 'integrator', integratorId: ownerOf.integrator(stream) }, reason: 'integrator_churned' };
    case 'IntegratorDeleted':
      return { match: { kind: 'integrator', integratorId: ownerOf.integrator(stream) }, reason: 'integrator_deleted' };
    case 'MasterLicenseKeyRotated':
      return { match: { kind: 'integrator', integratorId: ownerOf.integrator(stream), isByKey: true }, reason: 'key_rotated' };
    case 'MemberRemoved':
      return { match: memberMatchOf(stream, event.data.userId), reason: 'member_removed' };
    case 'MemberRoleChanged':
      // In a customer's team it follows a change of the portal user, which has ended the sessions.
      if (tenantOfTeam(ownerOf.team(stream)).kind === 'customer') return null;
      // A sign-in with OpenID Connect changes the role, and opens a session with the new one.
      return { match: { userId: event.data.userId, exceptRole: event.data.role }, reason: 'role_changed' };
    case 'MemberSessionsRevoked': {
      const { userId, sessionIds: ids } = event.data;
      const match = userId === null ? tenantMatchOf(stream) : memberMatchOf(stream, userId);
      return { match: { ...match, ...(ids !== null && { ids }) }, reason: 'sessions_revoked' };
    }
    case 'SignInPolicyChanged':
      if (event.data.keySignIn === 'allowed') return null;
      return { match: { ...keyMatchOf(stream), isByKey: true }, reason: 'key_sign_in_off' };
    case 'AdminKeyRotated':
      return { match: { kind: 'admin', isByKey: true }, reason: 'key_rotated' };
    default:
      return null;
  }
};

/**
 * Ends the sessions, and with them the sockets, of users and tenants that may no longer sign in. It ends only sessions from before the
 * event: a repeated reaction must not end sessions that were opened after a reactivation.
 */
export const endSessions = ({ sessions, publicMachineIdOf }: Deps): Policy => ({
  name: 'endSessions',
  categories: ['customer', 'integrator', 'adminActivity', 'team'],
  react: async (recorded) => {
    const ended = endedBy(recorded, { publicMachineIdOf });
    if (!ended) return;
    const openedBefore = Date.parse(recorded.meta.at) + SKEW_MS;
    await sessions.end({ ...ended.match, openedBefore }, ended.reason, { isRepeatable: true });
  },
});

import type { SessionEnd } from '../database/tables/sessions.ts';
import { mayUseTool } from '../domain/customer/state.ts';
import type { AnyEvent, EventOf, EventType } from '../domain/events.ts';
import type { CustomerId, IntegratorId, PublicMachineId, TeamId, UserId } from '../domain/ids.ts';
import { tenantOfTeam } from '../domain/team/teamId.ts';
import type { SessionMatch } from './session.ts';

/** The sessions of a member: of a customer's also those of the tool that it signed in by a device code. */
const memberMatchOf = (teamId: TeamId, userId: UserId): SessionMatch => {
  const tenant = tenantOfTeam(teamId);
  const match = tenant.kind === 'customer' ? ({ customerId: tenant.customerId, isByName: true } as const) : tenantMatchOf(teamId);
  return { ...match, userId };
};

/** The console's sessions of the tenant of a team's stream. */
const tenantMatchOf = (teamId: TeamId): SessionMatch => {
  const tenant = tenantOfTeam(teamId);
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
const keyMatchOf = (teamId: TeamId): SessionMatch => {
  const tenant = tenantOfTeam(teamId);
  return tenant.kind === 'customer' ? { customerId: tenant.customerId } : tenantMatchOf(teamId);
};

/** The types of events that may end sessions. */
export const SESSION_ENDING_TYPES = [
  'CustomerSuspended',
  'CustomerChurned',
  'CustomerDeleted',
  'PasswordReset',
  'LicenseKeyRotated',
  'UserDeactivated',
  'UserRemoved',
  'UserSuspended',
  'UserRoleChanged',
  'MachineRemoved',
  'IntegratorSuspended',
  'IntegratorChurned',
  'IntegratorDeleted',
  'MasterLicenseKeyRotated',
  'MemberRemoved',
  'MemberRoleChanged',
  'MemberSessionsRevoked',
  'SignInPolicyChanged',
  'AdminKeyRotated',
] as const satisfies readonly EventType[];

type SessionEndingEvent = EventOf<(typeof SESSION_ENDING_TYPES)[number]>;

const endsSessions = (event: AnyEvent): event is SessionEndingEvent => SESSION_ENDING_TYPES.some((type) => type === event.type);

/** Which open sessions an event ends, and why. */
export type EndedSessions = Readonly<{ match: SessionMatch; reason: SessionEnd }>;

type Names = Readonly<{ publicMachineIdOf: (userId: UserId, machineId: string) => PublicMachineId }>;

/**
 * The sessions that an event ends, and the reason; null if it ends none. `owner` is the id of what the event's stream describes.
 * `publicMachineIdOf` names a user's machine as sessions do, without its machine id.
 */
export const sessionsEndedBy = (event: AnyEvent, owner: string, names: Names): EndedSessions | null =>
  endsSessions(event) ? endedBy(event, owner, names) : null;

const endedBy = (event: SessionEndingEvent, owner: string, { publicMachineIdOf }: Names): EndedSessions | null => {
  switch (event.type) {
    case 'CustomerSuspended':
      return { match: { customerId: owner as CustomerId }, reason: 'customer_suspended' };
    case 'CustomerChurned':
      return { match: { customerId: owner as CustomerId }, reason: 'customer_churned' };
    case 'CustomerDeleted':
      return { match: { customerId: owner as CustomerId }, reason: 'customer_deleted' };
    case 'PasswordReset':
      return { match: { kind: 'customer', customerId: owner as CustomerId, isByKey: true }, reason: 'password_reset' };
    case 'LicenseKeyRotated':
      return { match: { customerId: owner as CustomerId, isByKey: true }, reason: 'key_rotated' };
    case 'UserDeactivated':
      return { match: { customerId: owner as CustomerId, userId: event.data.userId }, reason: 'user_deactivated' };
    case 'UserRemoved':
      return { match: { customerId: owner as CustomerId, userId: event.data.userId }, reason: 'member_removed' };
    case 'UserSuspended':
      return { match: { customerId: owner as CustomerId, userId: event.data.userId }, reason: 'user_suspended' };
    case 'UserRoleChanged':
      // A session in the portal has the permissions of its role; a tool's are the same in each role that may use it. A sign-in with OpenID
      // Connect changes the role, and opens a session with the new one.
      return {
        match: {
          customerId: owner as CustomerId,
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
        customerId: owner as CustomerId,
        userId,
        machine: publicMachineIdOf(userId, machineId),
      } as const;
      return { match, reason: 'machine_removed' };
    }
    case 'IntegratorSuspended':
      return { match: { kind: 'integrator', integratorId: owner as IntegratorId }, reason: 'integrator_suspended' };
    case 'IntegratorChurned':
      return { match: { kind: 'integrator', integratorId: owner as IntegratorId }, reason: 'integrator_churned' };
    case 'IntegratorDeleted':
      return { match: { kind: 'integrator', integratorId: owner as IntegratorId }, reason: 'integrator_deleted' };
    case 'MasterLicenseKeyRotated':
      return { match: { kind: 'integrator', integratorId: owner as IntegratorId, isByKey: true }, reason: 'key_rotated' };
    case 'MemberRemoved':
      return { match: memberMatchOf(owner as TeamId, event.data.userId), reason: 'member_removed' };
    case 'MemberRoleChanged':
      // In a customer's team it follows a change of the portal user, which has ended the sessions.
      if (tenantOfTeam(owner as TeamId).kind === 'customer') return null;
      // A sign-in with OpenID Connect changes the role, and opens a session with the new one.
      return { match: { userId: event.data.userId, exceptRole: event.data.role }, reason: 'role_changed' };
    case 'MemberSessionsRevoked': {
      const { userId, sessionIds: ids } = event.data;
      const match = userId === null ? tenantMatchOf(owner as TeamId) : memberMatchOf(owner as TeamId, userId);
      return { match: { ...match, ...(ids !== null && { ids }) }, reason: 'sessions_revoked' };
    }
    case 'SignInPolicyChanged':
      if (event.data.keySignIn === 'allowed') return null;
      return { match: { ...keyMatchOf(owner as TeamId), isByKey: true }, reason: 'key_sign_in_off' };
    case 'AdminKeyRotated':
      return { match: { kind: 'admin', isByKey: true }, reason: 'key_rotated' };
  }
};

import type { ApiTokenRow } from '../../database/tables/apiTokens.ts';
import type { MemberRow } from '../../database/tables/team.ts';
import { caseless } from '../../domain/caseless.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { TeamId, UserId } from '../../domain/ids.ts';
import type { Projection } from '../engine/projection.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import { sortNameOf } from '../lists/search.ts';
import type { MainRows } from '../main/rows.ts';
import { eraseMemberAddresses } from '../signIns/projection.ts';
import { notices } from './notices.ts';
import { ownersOf } from './owners.ts';

type OfTeam<E extends AnyEvent = AnyEvent> = RecordedEvent<E, TeamId>;
type OfMember = OfTeam<AnyEvent & { data: { userId: UserId } }>;

const named = (name: string, email: string) => ({ name, email, email_key: caseless(email), sort_name: sortNameOf(name) });

const change =
  <E extends AnyEvent & { data: { userId: UserId } }>(
    changed: (recorded: OfTeam<E>, member: Readonly<MemberRow>) => Partial<MemberRow>,
  ) =>
  (recorded: OfTeam<E>, rows: MainRows): void => {
    const member = rows.members.get(recorded.event.data.userId);
    if (member) rows.members.change(member, changed(recorded, member));
  };

/** Who revoked a token; a system actor is a policy. */
const revokerOf = ({ actor: { kind, userId } }: OfTeam): Pick<ApiTokenRow, 'revoked_by' | 'revoked_by_user'> => ({
  revoked_by: userId ? 'user' : kind === 'system' ? 'policy' : 'key',
  revoked_by_user: userId ?? null,
});

const withoutInvitation = { invitation_id: null, invitation_expires_at: null } as const;

const removed = ({ event }: OfMember, rows: MainRows): void => {
  const member = rows.members.get(event.data.userId);
  if (member) rows.members.remove(member);
  for (const notice of rows.notices.by('user_id', event.data.userId)) rows.notices.remove(notice);
  eraseMemberAddresses(event.data.userId, rows);
};

/** One row for each named user who was invited or has joined, for each sign-in policy, API token and notice. */
export const team: Projection<MainRows> = {
  name: 'team',
  version: 3,
  on: {
    team: {
      MemberInvited: (recorded, rows) => {
        const owners = ownersOf(rows, recorded.subject);
        if (!owners) return;
        const { userId, name, email, role, invitationId, expiresAt } = recorded.event.data;
        const invited = {
          ...named(name, email),
          role,
          status: 'invited',
          invitation_id: invitationId,
          invitation_expires_at: expiresAt,
          invited_at: recorded.at,
        } as const;
        const before = rows.members.get(userId);
        if (before) rows.members.change(before, invited);
        else {
          const none = { joined_at: null, has_password: false, has_second_factor: false, has_identity: false, passkeys: [] };
          rows.members.put({ user_id: userId, team_id: recorded.subject, ...owners, ...invited, ...none });
        }
      },
      InvitationWithdrawn: change(() => withoutInvitation),
      MemberJoined: change(({ at }) => ({ status: 'joined', joined_at: at, ...withoutInvitation })),
      MemberDetailsChanged: change(({ event: { data } }) => named(data.name, data.email)),
      MemberRoleChanged: change(({ event }) => ({ role: event.data.role })),
      MemberRemoved: removed,
      MemberPasswordSet: change(() => ({ has_password: true })),
      SecondFactorEnabled: change(() => ({ has_second_factor: true })),
      SecondFactorDisabled: change(() => ({ has_second_factor: false })),
      RecoveryCodesReplaced: 'ignored',
      RecoveryCodeUsed: 'ignored',
      PasskeyAdded: change(({ event: { data }, at }, { passkeys }) => {
        const { passkeyId, name, host, isBackedUp } = data;
        return { passkeys: [...passkeys, { passkeyId, name, host, isBackedUp, addedAt: at }] };
      }),
      PasskeyRemoved: change(({ event }, { passkeys }) => ({
        passkeys: passkeys.filter(({ passkeyId }) => passkeyId !== event.data.passkeyId),
      })),
      MemberSessionsRevoked: 'ignored',
      MemberProvisioned: (recorded, rows) => {
        const owners = ownersOf(rows, recorded.subject);
        if (!owners) return;
        const { userId, name, email, role } = recorded.event.data;
        rows.members.put({
          user_id: userId,
          team_id: recorded.subject,
          ...owners,
          ...named(name, email),
          ...withoutInvitation,
          role,
          status: 'joined',
          invited_at: recorded.at,
          joined_at: recorded.at,
          has_password: false,
          has_second_factor: false,
          has_identity: false,
          passkeys: [],
        });
      },
      IdentityLinked: change(() => ({ has_identity: true })),
      IdentityUnlinked: change(() => ({ has_identity: false })),
      IdentityProviderConfigured: 'ignored',
      IdentityProviderRemoved: ({ subject }, rows) => {
        for (const member of rows.members.by('team_id', subject)) {
          if (member.has_identity) rows.members.change(member, { has_identity: false });
        }
      },
      ...notices,
      SignInPolicyChanged: (recorded, rows) => {
        const owners = ownersOf(rows, recorded.subject);
        if (!owners) return;
        const { keySignIn, secondFactorRequired } = recorded.event.data;
        const policy = { key_sign_in: keySignIn, second_factor_required: secondFactorRequired };
        const before = rows.teams.get(recorded.subject);
        if (before) rows.teams.change(before, policy);
        else rows.teams.put({ team_id: recorded.subject, ...owners, ...policy });
      },
      ApiTokenCreated: (recorded, rows) => {
        const owners = ownersOf(rows, recorded.subject);
        if (!owners) return;
        const { tokenId, name, scopes, networks, tokenHash, createdBy, expiresAt } = recorded.event.data;
        rows.apiTokens.put({
          token_id: tokenId,
          team_id: recorded.subject,
          ...owners,
          name,
          scopes,
          networks,
          token_hash: tokenHash,
          created_by: createdBy,
          created_at: recorded.at,
          expires_at: expiresAt,
          revoked_at: null,
          revoked_by: null,
          revoked_by_user: null,
        });
      },
      ApiTokenRevoked: (recorded, rows) => {
        const token = rows.apiTokens.get(recorded.event.data.tokenId);
        if (token) rows.apiTokens.change(token, { revoked_at: recorded.at, ...revokerOf(recorded) });
      },
    },
    customer: {
      CustomerRegistered: 'ignored',
      LicenseIssued: 'ignored',
      SeatsAllocated: 'ignored',
      SeatLimitsEnforced: 'ignored',
      SeatLimitsRelaxed: 'ignored',
      CustomerDetailsChanged: 'ignored',
      CustomerSuspended: 'ignored',
      CustomerReactivated: 'ignored',
      CustomerChurned: 'ignored',
      ThemeAssigned: 'ignored',
      ThemeUnassigned: 'ignored',
      LicenseKeyRotated: 'ignored',
      LicensePlanApplied: 'ignored',
      LicensePlanRemoved: 'ignored',
      CustomerRecordsChanged: 'ignored',
      LicenseTermSet: 'ignored',
      LicenseEntitlementsSet: 'ignored',
      LicenseTermRemoved: 'ignored',
      LicenseRenewed: 'ignored',
      LicenseExtended: 'ignored',
      LicenseExpiryAnnounced: 'ignored',
      LicenseEnteredGrace: 'ignored',
      LicenseExpired: 'ignored',
      UserRegistered: 'ignored',
      UserDetailsChanged: 'ignored',
      UserRoleChanged: 'ignored',
      UserMachineChanged: 'ignored',
      MachineApprovalRequested: 'ignored',
      MachineApproved: 'ignored',
      MachineRejected: 'ignored',
      MachineRenamed: 'ignored',
      MachineRemoved: 'ignored',
      OfflineLicenseIssued: 'ignored',
      MachineApprovalEnforced: 'ignored',
      MachineApprovalRelaxed: 'ignored',
      MachineLimitSet: 'ignored',
      CallQuotaSet: 'ignored',
      CallQuotaReached: 'ignored',
      CallQuotaUseLowered: 'ignored',
      ApiCallsVoided: 'ignored',
      IdleReleaseSet: 'ignored',
      FloatingSeatsSet: 'ignored',
      UserActivated: 'ignored',
      UserDeactivated: 'ignored',
      UserSuspended: 'ignored',
      UserRemoved: 'ignored',
      SeatClaimed: 'ignored',
      SeatReleased: 'ignored',
      PasswordChanged: 'ignored',
      PasswordReset: 'ignored',
      AccountDeletionRequested: 'ignored',
      AccountDeletionWithdrawn: 'ignored',
      CustomerMovedAway: 'ignored',
      CustomerMoved: ({ subject, event }, rows) => {
        const owner = { integrator_id: event.data.integratorId };
        for (const member of rows.members.by('customer_id', subject)) rows.members.change(member, owner);
        for (const row of rows.teams.by('customer_id', subject)) rows.teams.change(row, owner);
        for (const token of rows.apiTokens.by('customer_id', subject)) rows.apiTokens.change(token, owner);
        for (const notice of rows.notices.by('customer_id', subject)) rows.notices.change(notice, owner);
      },
      CustomerDeleted: (recorded, rows) => {
        for (const member of rows.members.by('customer_id', recorded.subject)) rows.members.remove(member);
        for (const row of rows.teams.by('customer_id', recorded.subject)) rows.teams.remove(row);
        for (const token of rows.apiTokens.by('customer_id', recorded.subject)) rows.apiTokens.remove(token);
        for (const notice of rows.notices.by('customer_id', recorded.subject)) rows.notices.remove(notice);
      },
    },
    integrator: {
      IntegratorRegistered: 'ignored',
      MasterLicenseIssued: 'ignored',
      IntegratorProfileChanged: 'ignored',
      IntegratorSuspended: 'ignored',
      IntegratorReactivated: 'ignored',
      IntegratorChurned: 'ignored',
      WhiteLabelEnabled: 'ignored',
      WhiteLabelDisabled: 'ignored',
      BrandingChanged: 'ignored',
      CustomerEnrolled: 'ignored',
      CustomerMoveBegun: 'ignored',
      CustomerWithdrawn: 'ignored',
      ExternalIdClaimed: 'ignored',
      ExternalIdReleased: 'ignored',
      MasterLicenseKeyRotated: 'ignored',
      IntegratorDeleted: (recorded, rows) => {
        for (const member of rows.members.by('integrator_id', recorded.subject)) rows.members.remove(member);
        for (const row of rows.teams.by('integrator_id', recorded.subject)) rows.teams.remove(row);
        for (const token of rows.apiTokens.by('integrator_id', recorded.subject)) rows.apiTokens.remove(token);
        for (const notice of rows.notices.by('integrator_id', recorded.subject)) rows.notices.remove(notice);
      },
    },
    themes: 'ignored',
    credential: 'ignored',
    userActivity: 'ignored',
    apiCalls: 'ignored',
    adminActivity: 'ignored',
    operations: 'ignored',
    plans: 'ignored',
    seatDenials: 'ignored',
    seatLeases: 'ignored',
    signIns: 'ignored',
  },
};

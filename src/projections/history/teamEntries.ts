import type { EventsByCategory } from '../../domain/events.ts';
import type { TeamId, UserId } from '../../domain/ids.ts';
import { tenantOfTeam } from '../../domain/team/teamId.ts';
import type { Projection } from '../engine/projection.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import type { MainRows } from '../main/rows.ts';
import { type Entry, record, removePersonalData } from './entries.ts';

type TeamEvent = EventsByCategory['team'];
type OfTeam<E extends TeamEvent = TeamEvent> = RecordedEvent<E, TeamId>;
type AboutMember = Exclude<TeamEvent & { data: { userId: UserId } }, { type: 'ApiTokenCreated' }>;

/** In whose history an entry is; the administration's is in that of no tenant. */
const tenantOf = (teamId: TeamId): Pick<Entry, 'customerId' | 'integratorId'> => {
  const tenant = tenantOfTeam(teamId);
  switch (tenant.kind) {
    case 'administration':
      return {};
    case 'integrator':
      return { integratorId: tenant.integratorId };
    case 'customer':
      return { customerId: tenant.customerId };
  }
};

/** An entry about a member, with the name that the member has then. */
const about =
  <E extends AboutMember>(values: (data: E['data'], rows: MainRows) => Pick<Entry, 'now' | 'before'> = () => ({})) =>
  (recorded: OfTeam<E>, rows: MainRows): void => {
    const { data } = recorded.event;
    const { now, before } = values(data, rows);
    const name = rows.members.get(data.userId)?.name ?? null;
    const entry = { ...tenantOf(recorded.subject), memberId: data.userId, now: { name, ...now }, ...(before && { before }) };
    record(recorded, rows, entry);
  };

/** What happened to the named users of a tenant. */
export const teamEntries: Projection<MainRows>['on']['team'] = {
  MemberInvited: about(({ name, email, role }) => ({ now: { name, email, role } })),
  InvitationWithdrawn: about(),
  MemberJoined: about(),
  MemberDetailsChanged: about(({ userId, name, email }, rows) => {
    const member = rows.members.get(userId);
    return { now: { name, email }, before: { name: member?.name ?? null, email: member?.email ?? null } };
  }),
  MemberRoleChanged: about(({ userId, role }, rows) => ({
    now: { role },
    before: { role: rows.members.get(userId)?.role ?? null },
  })),
  MemberRemoved: (recorded, rows) => {
    about()(recorded, rows);
    for (const row of rows.history.by('member_id', recorded.event.data.userId)) removePersonalData(row, rows);
  },
  MemberPasswordSet: about(),
  SecondFactorEnabled: about(),
  SecondFactorDisabled: about(),
  RecoveryCodesReplaced: about(),
  RecoveryCodeUsed: about(),
  PasskeyAdded: about(({ name, host }) => ({ now: { passkey: name, host } })),
  PasskeyRemoved: about(({ userId, passkeyId }, rows) => {
    const removed = rows.members.get(userId)?.passkeys.find((passkey) => passkey.passkeyId === passkeyId);
    return { now: { passkey: removed?.name ?? null } };
  }),
  MemberSessionsRevoked: (recorded, rows) => {
    const { userId, sessionIds } = recorded.event.data;
    const name = userId === null ? null : (rows.members.get(userId)?.name ?? null);
    record(recorded, rows, {
      ...tenantOf(recorded.subject),
      ...(userId !== null && { memberId: userId }),
      now: { name, everybody: userId === null && sessionIds === null, sessions: sessionIds?.length ?? null },
    });
  },
  MemberProvisioned: about(({ name, email, role }) => ({ now: { name, email, role } })),
  IdentityLinked: about(),
  IdentityUnlinked: about(),
  IdentityProviderConfigured: (recorded, rows) => {
    const { issuer, clientId, domains, roleClaim, roles, defaultRole, newUsersJoin, secondFactor } = recorded.event.data;
    const mapped = roles.map(({ value, role }) => `${value}: ${role}`).join(', ');
    const now = {
      issuer,
      clientId,
      domains: domains.join(', '),
      roleClaim,
      roles: mapped,
      defaultRole,
      newUsersJoin,
      secondFactor,
    };
    record(recorded, rows, { ...tenantOf(recorded.subject), now });
  },
  IdentityProviderRemoved: (recorded, rows) => record(recorded, rows, tenantOf(recorded.subject)),
  BreakGlassUsed: (recorded, rows) =>
    record(recorded, rows, { ...tenantOf(recorded.subject), now: { notified: recorded.event.data.owners.length } }),
  NewSignInNoticed: about(),
  WrongCodesNoticed: about(),
  NoticesDismissed: about(({ noticeIds }) => ({ now: { notices: noticeIds.length } })),
  SignInPolicyChanged: (recorded, rows) => {
    const { keySignIn, secondFactorRequired } = recorded.event.data;
    const team = rows.teams.get(recorded.subject);
    record(recorded, rows, {
      ...tenantOf(recorded.subject),
      now: { keySignIn, secondFactorRequired },
      before: {
        keySignIn: team?.key_sign_in ?? 'allowed',
        secondFactorRequired: team?.second_factor_required ?? false,
      },
    });
  },
  ApiTokenCreated: (recorded, rows) => {
    const { name, scopes, expiresAt, networks } = recorded.event.data;
    record(recorded, rows, {
      ...tenantOf(recorded.subject),
      now: { name, scopes: scopes.join(', '), expiresAt, networks },
    });
  },
  ApiTokenRevoked: (recorded, rows) => {
    const name = rows.apiTokens.get(recorded.event.data.tokenId)?.name ?? null;
    record(recorded, rows, { ...tenantOf(recorded.subject), now: { name } });
  },
};

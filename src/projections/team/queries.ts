import { sql } from 'kysely';
import type { HistoryActor } from '../../contracts/history.ts';
import type { Notice } from '../../contracts/notices.ts';
import type { TeamMember, TeamPolicy } from '../../contracts/team.ts';
import type { Database } from '../../database/database.ts';
import type { MemberRow, ShownPasskey } from '../../database/tables/team.ts';
import { caseless } from '../../domain/caseless.ts';
import type { InvitationId, TeamId, UserId } from '../../domain/ids.ts';
import { MAX_NOTICES, MAX_TEAMS_OF_ADDRESS } from '../../domain/limits.ts';
import type { TenantKind } from '../../domain/permissions.ts';
import { type HistoryOwner, isOf, teamsIn } from '../historyOwner.ts';

/** Where a member is looked up. */
export type Membership = Readonly<{ userId: UserId; teamId: TeamId }>;

type Row = Pick<
  MemberRow,
  'user_id' | 'name' | 'email' | 'role' | 'status' | 'has_password' | 'has_second_factor' | 'has_identity' | 'passkeys'
> & {
  invited_at: Date;
  joined_at: Date | null;
  invitation_expires_at: Date | null;
};

const shown = (row: Row): TeamMember => ({
  userId: row.user_id,
  name: row.name,
  email: row.email,
  role: row.role,
  status: row.status,
  invitationExpiresAt: row.invitation_expires_at?.toISOString() ?? null,
  invitedAt: row.invited_at.toISOString(),
  joinedAt: row.joined_at?.toISOString() ?? null,
  hasPassword: row.has_password,
  hasSecondFactor: row.has_second_factor,
  passkeys: row.passkeys.length,
  hasIdentity: row.has_identity,
});

const NAME_AND_ROLE = sql<string>`name || ' (' || role || ')'`;

/** Queries on the named users of tenants. */
export const teamQueries = (db: Database) => {
  const members = (teamId: TeamId) => db.selectFrom('read.member').selectAll().where('team_id', '=', teamId);
  return {
    /** The members of a team, by name. */
    members: async (teamId: TeamId): Promise<TeamMember[]> => {
      const rows = await members(teamId).orderBy('sort_name').orderBy('user_id').execute();
      return rows.map(shown);
    },

    /** A member of a team; null if there is none. */
    member: async (teamId: TeamId, userId: UserId): Promise<TeamMember | null> => {
      const row = await members(teamId).where('user_id', '=', userId).executeTakeFirst();
      return row ? shown(row) : null;
    },

    /** The newest notices of a member that were not dismissed. */
    notices: async (teamId: TeamId, userId: UserId): Promise<Notice[]> => {
      const rows = await db
        .selectFrom('read.notice')
        .select(['notice_id as noticeId', 'kind', 'at', 'address', 'browser'])
        .where('team_id', '=', teamId)
        .where('user_id', '=', userId)
        .orderBy('at', 'desc')
        .orderBy('notice_id')
        .limit(MAX_NOTICES)
        .execute();
      return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
    },

    /** The passkeys of a member, in the order in which they were added. */
    passkeys: async (teamId: TeamId, userId: UserId): Promise<readonly ShownPasskey[]> => {
      const row = await members(teamId).where('user_id', '=', userId).executeTakeFirst();
      return row?.passkeys ?? [];
    },

    /** The sign-in policy of a tenant. */
    policy: async (teamId: TeamId): Promise<TeamPolicy> => {
      const row = await db.selectFrom('read.team').selectAll().where('team_id', '=', teamId).executeTakeFirst();
      return {
        keySignIn: row?.key_sign_in ?? 'allowed',
        secondFactorRequired: row?.second_factor_required ?? false,
      };
    },

    /** The member whom an invitation is for; null if it was used, replaced or withdrawn. */
    byInvitation: async (invitationId: InvitationId): Promise<Membership | null> => {
      const row = await db
        .selectFrom('read.member')
        .select(['user_id', 'team_id'])
        .where('invitation_id', '=', invitationId)
        .executeTakeFirst();
      return row ? { userId: row.user_id, teamId: row.team_id } : null;
    },

    /** The names of members, with their roles. */
    names: async (userIds: readonly UserId[]): Promise<HistoryActor[]> =>
      userIds.length === 0
        ? []
        : db
            .selectFrom('read.member')
            .select(['user_id as id', NAME_AND_ROLE.as('name')])
            .where('user_id', 'in', userIds)
            .execute(),

    /** The members who acted in a history, by name: of the administration, the service integrator and the customer. */
    actorsIn: async (owner: HistoryOwner): Promise<HistoryActor[]> => {
      const { rows } = await sql<HistoryActor>`
        select m.user_id as id, ${NAME_AND_ROLE} as name from read.member m
        where m.team_id in (${teamsIn(owner)})
          and exists (select from read.history h where ${isOf(owner)} and h.actor_user_id = m.user_id)
        order by m.sort_name, m.user_id`.execute(db);
      return rows;
    },

    /** The joined member with an id, as passkeys name their owner. */
    byUserId: async (userId: UserId): Promise<Membership | null> => {
      const row = await db
        .selectFrom('read.member')
        .select(['user_id', 'team_id'])
        .where('user_id', '=', userId)
        .where('status', '=', 'joined')
        .executeTakeFirst();
      return row ? { userId: row.user_id, teamId: row.team_id } : null;
    },

    /**
     * The joined members of a kind of tenant with an email address. Those who joined first are looked at, so that a tenant cannot keep
     * another's member from signing in by inviting the same address.
     */
    byEmail: async (email: string, kind: TenantKind): Promise<Membership[]> => {
      const rows = await db
        .selectFrom('read.member')
        .select(['user_id', 'team_id'])
        .where('email_key', '=', caseless(email))
        .where('status', '=', 'joined')
        .where(sql<boolean>`starts_with(team_id, ${kind})`)
        .orderBy('joined_at')
        .orderBy('team_id')
        .limit(MAX_TEAMS_OF_ADDRESS)
        .execute();
      return rows.map((row) => ({ userId: row.user_id, teamId: row.team_id }));
    },
  };
};

/** The queries on named users. */
export type TeamQueries = ReturnType<typeof teamQueries>;

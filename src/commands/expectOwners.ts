import { type Customer, type CustomerState, isRegistered, memberDetailsOf } from '../domain/customer/state.ts';
import { decideInOrder } from '../domain/decider.ts';
import type { EventMeta } from '../domain/event.ts';
import type { CustomerId, TeamId, UserId } from '../domain/ids.ts';
import type { Role } from '../domain/permissions.ts';
import type { ExpectOwners, FollowUser } from '../domain/team/commands.ts';
import { type TeamRefusal, teamDecider } from '../domain/team/decider.ts';
import type { Team } from '../domain/team/evolve.ts';
import { teamIdOf } from '../domain/team/teamId.ts';
import type { RevisionRefusal } from './commandHandler.ts';
import type { Commands } from './commands.ts';

/** A change of a portal user; `role` null: no longer active, or removed. */
export type PortalUserChange = Readonly<{ customerId: CustomerId; userId: UserId; role: Role | null; isSuspension?: boolean }>;

/** The commands that make members what their portal users are now, where the policy `followUsers` has not done it yet. */
const following = (teamId: TeamId, team: Team, state: CustomerState, meta: EventMeta): FollowUser[] =>
  [...team.members.values()].flatMap(({ userId, role }) => {
    const user = memberDetailsOf(state, userId);
    return user?.role === role ? [] : [{ type: 'FollowUser', data: { teamId, userId, user }, meta }];
  });

const expecting = ({ customerId, userId, role, isSuspension = false }: PortalUserChange, meta: EventMeta): ExpectOwners => ({
  type: 'ExpectOwners',
  data: { teamId: teamIdOf({ kind: 'customer', customerId }), userId, role, isSuspension },
  meta,
});

/**
 * Why a change of a portal user would leave the customer without the admins it needs; null if it would not. `following` is the metadata of
 * commands by which members catch up with their users.
 */
export const ownersRefusalOf = async (
  { customers, teams }: Pick<Commands, 'customers' | 'teams'>,
  change: PortalUserChange,
  metas: Readonly<{ expecting: EventMeta; following: EventMeta }>,
): Promise<TeamRefusal | RevisionRefusal | null> => {
  const { customerId, userId } = change;
  const teamId = teamIdOf({ kind: 'customer', customerId });
  const [{ state: team }, { state }] = await Promise.all([teams.load(teamId), customers.load(customerId)]);
  if (!isRegistered(state) || !team.members.has(userId)) return null;
  const late = following(teamId, team, state, metas.following);
  const followed = late.length > 0 ? await teams.handle(late) : null;
  if (followed && !followed.accepted) return followed.refusal;
  const expected = await teams.handle(expecting(change, metas.expecting));
  return expected.accepted ? null : expected.refusal;
};

/** The same for a customer that may have changes which are not recorded. Records nothing. */
export const plannedOwnersRefusalOf = async (
  { teams }: Pick<Commands, 'teams'>,
  customer: Customer,
  change: PortalUserChange,
  meta: EventMeta,
): Promise<TeamRefusal | null> => {
  const teamId = teamIdOf({ kind: 'customer', customerId: customer.customerId });
  const { state: team } = await teams.load(teamId);
  if (!team.members.has(change.userId)) return null;
  const decision = decideInOrder(teamDecider, [...following(teamId, team, customer, meta), expecting(change, meta)], team);
  return decision.accepted ? null : decision.refusal;
};

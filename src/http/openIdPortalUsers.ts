import type { FastifyReply } from 'fastify';
import { username as usernameField } from '../contracts/users.ts';
import { type Customer, type CustomerState, type User, userByEmail, userByUsername } from '../domain/customer/state.ts';
import type { UserRole } from '../domain/enumerations.ts';
import type { CustomerId, UserId } from '../domain/ids.ts';
import { ROLES, type Role } from '../domain/permissions.ts';
import type { AdmitIdentity, TeamCommand } from '../domain/team/commands.ts';
import { teamDecider } from '../domain/team/decider.ts';
import type { Team } from '../domain/team/evolve.ts';
import { hasHiddenCharacters } from '../domain/username.ts';
import type { HttpDeps, Settle } from './deps.ts';
import { activeCustomer, portalMemberOf } from './portalMembers.ts';
import { actorOfTenant } from './principal.ts';
import { HttpProblem } from './problems/problems.ts';
import { accepted, found } from './replies.ts';
import { followUp } from './requests/meta.ts';

/** The portal user who is linked to the identity, or else the one with its email address; undefined for a new one. */
const portalUserOf = (customer: Customer, team: Team, { subject, email }: AdmitIdentity['data']): User | undefined => {
  const linked = team.members.find((member) => member.subject === subject);
  return linked ? customer.users.get(linked.userId) : userByEmail(customer, email);
};

/** The name of the provider where the customer's users can have it, or else the email address, which is unique. */
const usernameFor = (customer: Customer, name: string, email: string): string => {
  const { data: username } = usernameField.safeParse(name);
  const isUsable = username !== undefined && !hasHiddenCharacters(username) && !userByUsername(customer, username);
  return isUsable ? username : email;
};

const isUserRole = (role: Role): role is UserRole => ROLES.customer.some((one) => one === role);

/** The role that the sign-in gives the user; null where it stays. Throws the problem of a refused sign-in. */
const roleGiven = (command: AdmitIdentity, team: Team): UserRole | null => {
  const decision = teamDecider.decide(command, team);
  if (!decision.accepted) throw new HttpProblem(decision.refusal);
  for (const { type, data } of decision.events) {
    if ((type === 'MemberProvisioned' || type === 'MemberRoleChanged') && isUserRole(data.role)) return data.role;
  }
  return null;
};

type PortalUser = NonNullable<AdmitIdentity['data']['portalUser']>;

const shown = (state: CustomerState, userId: UserId): PortalUser => {
  const { name, email, role } = portalMemberOf(state, userId);
  return { name, email, role };
};

/** The team once its copy of the user is what the portal user is now. */
const following = (team: Team, userId: UserId, user: PortalUser | null): Team => {
  const member = team.members.get(userId);
  return member && user ? { ...team, members: team.members.set(userId, { ...member, ...user }) } : team;
};

/**
 * Registers the portal user of a customer who signs in at the identity provider for the first time, or changes the role as the claim says,
 * and returns the commands that admit this user to the team. The portal user is the source of the member, so it comes first: after a
 * crash in between, the next sign-in finds the user. Throws problems, `seat_limit_reached` among them.
 */
export const preparePortalUser = async (
  { commands, settle }: Pick<HttpDeps, 'commands'> & { settle: Settle },
  reply: FastifyReply,
  customerId: CustomerId,
  command: AdmitIdentity,
): Promise<readonly TeamCommand[]> => {
  const { data } = command;
  const { state: team } = await commands.teams.load(data.teamId);
  const customer = activeCustomer((await commands.customers.load(customerId)).state);
  const user = portalUserOf(customer, team, data);
  const userId = user?.userId ?? data.userId;
  const meta = { ...command.meta, actor: actorOfTenant({ kind: 'customer', customerId }, userId) };
  const admission = (portalUser: PortalUser | null): AdmitIdentity => ({ ...command, data: { ...data, userId, portalUser }, meta });
  const admitting = (portalUser: PortalUser): readonly TeamCommand[] => [
    { type: 'FollowUser', data: { teamId: data.teamId, userId, user: portalUser }, meta },
    admission(portalUser),
  ];

  const before = user ? shown(customer, userId) : null;
  const role = roleGiven(admission(before), following(team, userId, before));
  if (before && (role === null || role === before.role)) return admitting(before);
  const change = { customerId, userId, role: found(role, 'identity_without_role') };
  const registration = { ...change, username: usernameFor(customer, data.name, data.email), email: data.email, machineId: null };
  const outcome = await commands.customers.handle({
    ...(user ? { type: 'ChangeUserRole', data: change } : { type: 'RegisterUser', data: registration }),
    meta: followUp(meta, 'portal user'),
  });
  const { state, position } = accepted(outcome);
  await settle(reply, position);
  return admitting(shown(state, userId));
};

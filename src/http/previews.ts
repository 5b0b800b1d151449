import type { FastifyRequest } from 'fastify';
import type {
  CustomerImpact,
  CustomerImpactQuery,
  IntegratorImpact,
  IntegratorImpactQuery,
  LicenseEffects,
  MemberImpact,
  MemberImpactQuery,
  Named,
  UserImpact,
  UserImpactQuery,
} from '../contracts/impact.ts';
import { shownMachineId } from '../contracts/machines.ts';
import type { CustomerCommand } from '../domain/customer/commands.ts';
import { type Consequences, consequencesOf } from '../domain/customer/consequences.ts';
import {
  type Customer,
  type CustomerState,
  isRegistered,
  mayUseTool,
  memberDetailsOf,
  type User,
} from '../domain/customer/state.ts';
import { decideInOrder } from '../domain/decider.ts';
import type { AccountStatus } from '../domain/enumerations.ts';
import type { EventMeta } from '../domain/event.ts';
import type { CustomerId, IntegratorId, TeamId, UserId } from '../domain/ids.ts';
import type { IntegratorCommand } from '../domain/integrator/commands.ts';
import { integratorConsequencesOf } from '../domain/integrator/consequences.ts';
import { MAX_NAMED } from '../domain/limits.ts';
import { isExpired } from '../domain/team/apiTokens.ts';
import type { TeamCommand } from '../domain/team/commands.ts';
import { type TeamRefusal, teamDecider } from '../domain/team/decider.ts';
import type { TeamEvent } from '../domain/team/events.ts';
import type { ApiToken, Team } from '../domain/team/evolve.ts';
import { type TeamTenant, teamIdOf, tenantOfTeam } from '../domain/team/teamId.ts';
import { seatCommands, statusCommands } from './customerChanges.ts';
import type { HttpDeps } from './deps.ts';
import { userStatusCommand } from './portalMembers.ts';
import { HttpProblem } from './problems/problems.ts';
import { found } from './replies.ts';
import { metaOf } from './requests/meta.ts';

type Deps = Pick<HttpDeps, 'commands' | 'sessions'>;

/** How many there are, and the first by name if the reader may see names. */
const namedOf = (names: readonly string[], mayName = true): Named => ({
  count: names.length,
  names: mayName ? [...names].sort((one, other) => one.localeCompare(other)).slice(0, MAX_NAMED) : [],
});

const has = (request: FastifyRequest, permission: 'users:read' | 'tokens:read' | 'customers:read'): boolean =>
  request.session?.permissions.has(permission) === true;

const loaded = async ({ commands }: Deps, customerId: CustomerId): Promise<Customer> => {
  const { state } = await commands.customers.load(customerId);
  if (!isRegistered(state)) throw new HttpProblem('customer_not_found');
  return state;
};

/** The API tokens of a team that are valid now. */
const validTokensIn = ({ tokens }: Team, request: FastifyRequest): ApiToken[] => {
  const { at } = metaOf(request);
  return [...tokens.values()].filter((token) => !isExpired(token, at));
};

/** The API tokens of a customer that are valid now. */
const validTokens = async ({ commands }: Deps, request: FastifyRequest, customerId: CustomerId): Promise<ApiToken[]> =>
  validTokensIn((await commands.teams.load(teamIdOf({ kind: 'customer', customerId }))).state, request);

/** Whom a decision on a license affects, with names for those who may read users. */
export const effectsOf = (request: FastifyRequest, { lockedOut, overLimit, changedSeats }: Consequences): LicenseEffects => {
  const mayName = has(request, 'users:read');
  const usersOf = (users: readonly User[]): Named =>
    namedOf(
      users.map(({ username }) => username),
      mayName,
    );
  return {
    lockedOut: usersOf(lockedOut),
    overLimit: overLimit.map(({ kind, limit, holders }) => ({ kind, limit, holders: usersOf(holders) })),
    changedSeats: [...changedSeats],
  };
};

/** What a change of a customer does: what is counted now, and what the decision on its state now leads to. */
export const previewCustomer = async (
  deps: Deps,
  request: FastifyRequest,
  customerId: CustomerId,
  { status, seatLimitsEnforced, floatingDeveloperMinutes: floating, deletion, ...seats }: CustomerImpactQuery,
): Promise<CustomerImpact> => {
  const meta = metaOf(request);
  const enforced = seatLimitsEnforced === undefined ? undefined : seatLimitsEnforced === 'true';
  const commands: CustomerCommand[] = deletion
    ? [{ type: 'DeleteCustomer', data: { customerId }, meta }]
    : [
        ...seatCommands(
          customerId,
          { ...seats, seatLimitsEnforced: enforced, floatingDeveloperMinutes: floating === 'named' ? null : floating },
          meta,
        ),
        ...statusCommands(customerId, { status }, meta),
      ];
  const [counted, portalSessions, connected, tokens, state] = await Promise.all([
    request.queries.impact.ofCustomer(customerId),
    deps.sessions.count({ kind: 'customer', customerId }),
    request.queries.impact.connectedUsers(customerId),
    validTokens(deps, request, customerId),
    loaded(deps, customerId),
  ]);
  const mayName = has(request, 'users:read');
  const decided = consequencesOf(commands, state, meta.at);
  if (!decided.accepted) throw new HttpProblem(decided.refusal);
  return {
    ...found(counted, 'customer_not_found'),
    portalSessions,
    apiTokens: tokens.length,
    connected: mayName ? connected : { ...connected, names: [] },
    ...effectsOf(request, decided),
  };
};

type TeamEffect = Readonly<{ refusal: string | null; lost: readonly ApiToken[] }>;

/** What a user's account for the portal loses: the last owner must stay, and some tokens of a changed role are revoked. */
const teamEffect = (
  team: Team,
  { customerId, userId, at }: Readonly<{ customerId: CustomerId; userId: UserId; at: EventMeta }>,
  user: ReturnType<typeof memberDetailsOf>,
  isSuspension: boolean,
): TeamEffect => {
  if (!team.members.has(userId)) return { refusal: null, lost: [] };
  const teamId = teamIdOf({ kind: 'customer', customerId });
  const expect = { teamId, userId, role: user?.role ?? null, isSuspension };
  const decided = decideInOrder<TeamCommand, Team, TeamEvent, TeamRefusal>(
    teamDecider,
    [
      { type: 'ExpectOwners', data: expect, meta: at },
      { type: 'FollowUser', data: { teamId, userId, user }, meta: at },
    ],
    team,
  );
  if (!decided.accepted) return { refusal: new HttpProblem(decided.refusal).message, lost: [] };
  return { refusal: null, lost: [...team.tokens.values()].filter(({ tokenId }) => !decided.state.tokens.has(tokenId)) };
};

/** What a change of a user does: what the decision on the state now leads to, and what stops working with it. */
export const previewUser = async (
  deps: HttpDeps,
  request: FastifyRequest,
  { customerId, userId }: Readonly<{ customerId: CustomerId; userId: UserId }>,
  { status, role, removal }: UserImpactQuery,
): Promise<UserImpact> => {
  const meta = metaOf(request);
  const data = { customerId, userId };
  const commands: CustomerCommand[] = removal
    ? [{ type: 'RemoveUser', data, meta }]
    : [
        ...(role === undefined ? [] : [{ type: 'ChangeUserRole', data: { ...data, role }, meta } as const]),
        ...(status === undefined ? [] : [{ type: userStatusCommand[status], data: { ...data, reason: null }, meta } as const]),
      ];
  const [state, { state: team }, open, shown] = await Promise.all([
    loaded(deps, customerId),
    deps.commands.teams.load(teamIdOf({ kind: 'customer', customerId })),
    deps.sessions.list({ kind: 'customer', userId }),
    request.queries.users.get(userId),
  ]);
  const user = found(state.users.get(userId), 'user_not_found');
  const decided = consequencesOf(commands, state, meta.at);
  const isAnotherRole = decided.accepted && decided.events.some(({ type }) => type === 'UserRoleChanged');
  const isLockedOut = decided.accepted && decided.lockedOut.length > 0;
  const isLeaving = removal !== undefined || (status !== undefined && status !== 'active');
  const member = decided.accepted && !isLeaving ? memberDetailsOf(decided.after, userId) : null;
  const { refusal, lost } = decided.accepted
    ? teamEffect(team, { ...data, at: meta }, member, status === 'suspended' && !isAnotherRole)
    : { refusal: new HttpProblem(decided.refusal).message, lost: [] };
  // API tokens also work after the license has expired.
  const losesTokens = decided.accepted && isLeaving && user.status === 'active' && state.status === 'active';
  const unusable = losesTokens ? [...team.tokens.values()].filter(({ createdBy }) => createdBy === userId) : lost;
  const isOwnTenant = request.session?.owner.kind === 'customer';
  const worksAs = (state: CustomerState): boolean => isRegistered(state) && mayUseTool(state.users.get(userId)?.role ?? user.role);
  return {
    refusal,
    isLockedOut,
    losesTool: isLockedOut || (decided.accepted && worksAs(state) && !worksAs(decided.after)),
    endsSessions: isLockedOut || isAnotherRole,
    releasedSeat: decided.accepted ? (decided.released[0]?.kind ?? null) : null,
    claimedSeat: decided.accepted ? (decided.claimed[0]?.kind ?? null) : null,
    isConnected: shown?.user.currentlyConnected ?? false,
    portalSessions: open.length,
    machines: namedOf(user.machines.map(({ machineName, machineId }) => machineName ?? shownMachineId(machineId))),
    apiTokens: namedOf(
      unusable.filter((token) => !isExpired(token, meta.at)).map(({ name }) => name),
      isOwnTenant && has(request, 'tokens:read'),
    ),
  };
};

const consoleKind = { administration: 'admin', integrator: 'integrator', customer: 'customer' } as const;

/** The open sessions of a member, of a customer's also those of the tool that it signed in by a device code. */
const memberSessions = async ({ sessions }: Deps, tenant: TeamTenant, userId: UserId): Promise<number> => {
  const open = [
    sessions.list({ kind: consoleKind[tenant.kind], userId }),
    ...(tenant.kind === 'customer'
      ? [sessions.list({ kind: 'cli', customerId: tenant.customerId, userId, isByName: true } as const)]
      : []),
  ];
  return (await Promise.all(open)).reduce((sum, listed) => sum + listed.length, 0);
};

/** What a change of a member of the caller's own team does: what the decision on the team now leads to. `by` is the calling member. */
export const previewMember = async (
  deps: Deps,
  request: FastifyRequest,
  { teamId, userId, by }: Readonly<{ teamId: TeamId; userId: UserId; by: UserId | null }>,
  { role, removal }: MemberImpactQuery,
): Promise<MemberImpact> => {
  const meta = metaOf(request);
  const { state: team } = await deps.commands.teams.load(teamId);
  found(team.members.get(userId), 'member_not_found');
  const commands: TeamCommand[] = [
    ...(role ? [{ type: 'ChangeMemberRole', data: { teamId, userId, role, by }, meta } as const] : []),
    ...(removal ? [{ type: 'RemoveMember', data: { teamId, userId }, meta } as const] : []),
  ];
  const decided = decideInOrder<TeamCommand, Team, TeamEvent, TeamRefusal>(teamDecider, commands, team);
  if (!decided.accepted) {
    return { refusal: new HttpProblem(decided.refusal).message, sessions: 0, apiTokens: namedOf([]) };
  }
  const endsSessions = decided.events.some(({ type }) => type === 'MemberRoleChanged' || type === 'MemberRemoved');
  return {
    refusal: null,
    sessions: endsSessions ? await memberSessions(deps, tenantOfTeam(teamId), userId) : 0,
    apiTokens: namedOf(
      validTokensIn(team, request)
        .filter(({ tokenId }) => !decided.state.tokens.has(tokenId))
        .map(({ name }) => name),
      has(request, 'tokens:read'),
    ),
  };
};

const integratorStatusCommand = {
  active: 'ReactivateIntegrator',
  suspended: 'SuspendIntegrator',
  churned: 'ChurnIntegrator',
} as const satisfies Record<AccountStatus, IntegratorCommand['type']>;

/** What a change of a service integrator does: what is counted now, and what the decision on its state now leads to. */
export const previewIntegrator = async (
  deps: Deps,
  request: FastifyRequest,
  integratorId: IntegratorId,
  { status, deletion }: IntegratorImpactQuery,
): Promise<IntegratorImpact> => {
  const meta = metaOf(request);
  const commands: IntegratorCommand[] = [
    ...(deletion ? [{ type: 'DeleteIntegrator', data: { integratorId }, meta } as const] : []),
    ...(status ? [{ type: integratorStatusCommand[status], data: { integratorId, reason: null }, meta } as const] : []),
  ];
  const [counted, sessions, customerNames, { state }, { state: team }] = await Promise.all([
    request.queries.impact.ofIntegrator(integratorId),
    deps.sessions.count({ kind: 'integrator', integratorId }),
    has(request, 'customers:read') ? request.queries.impact.customerNames(integratorId) : [],
    deps.commands.integrators.load(integratorId),
    deps.commands.teams.load(teamIdOf({ kind: 'integrator', integratorId })),
  ]);
  if (!('customers' in state)) throw new HttpProblem('integrator_not_found');
  const decided = integratorConsequencesOf(commands, state);
  const isLockedOut = decided.accepted && decided.isLockedOut;
  const joined = isLockedOut ? [...team.members.values()].filter((member) => member.status === 'joined') : [];
  return {
    ...found(counted, 'integrator_not_found'),
    sessions,
    customerNames,
    refusal: decided.accepted ? null : new HttpProblem(decided.refusal).message,
    lockedOut: namedOf(
      joined.map(({ name }) => name),
      has(request, 'users:read'),
    ),
    apiTokens: isLockedOut ? validTokensIn(team, request).length : 0,
    releasedDomain: decided.accepted ? decided.releasedDomain : null,
    endsBranding: decided.accepted && decided.endsBranding,
  };
};

import type { FastifyRequest } from 'fastify';
import type {
  CustomerImpact,
  CustomerImpactQuery,
  EndedSignIns,
  IntegratorImpact,
  IntegratorImpactQuery,
  LicenseEffects,
  MemberImpact,
  MemberImpactQuery,
  Named,
  ThemeImpact,
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
import type { CustomerId, IntegratorId, TeamId, ThemeId, UserId } from '../domain/ids.ts';
import type { IntegratorCommand } from '../domain/integrator/commands.ts';
import { integratorConsequencesOf } from '../domain/integrator/consequences.ts';
import { integratorDecider } from '../domain/integrator/decider.ts';
import { isExpired } from '../domain/team/apiTokens.ts';
import type { TeamCommand } from '../domain/team/commands.ts';
import { type TeamRefusal, teamDecider } from '../domain/team/decider.ts';
import type { TeamEvent } from '../domain/team/events.ts';
import type { ApiToken, Team } from '../domain/team/evolve.ts';
import { teamIdOf, tenantOfTeam } from '../domain/team/teamId.ts';
import type { ThemeCommand } from '../domain/theme/commands.ts';
import { type ThemeRefusal, themeDecider } from '../domain/theme/decider.ts';
import type { ThemeEvent } from '../domain/theme/events.ts';
import type { ThemeCatalogue } from '../domain/theme/evolve.ts';
import { seatCommands, statusCommands } from './customerChanges.ts';
import type { HttpDeps } from './deps.ts';
import { endedSignInsOf, namedOf, validTokensIn } from './endedSignIns.ts';
import { userStatusCommand } from './portalMembers.ts';
import { HttpProblem } from './problems/problems.ts';
import { found } from './replies.ts';
import { metaOf } from './requests/meta.ts';

type Deps = Pick<HttpDeps, 'commands' | 'sessions'>;

const has = (request: FastifyRequest, permission: 'users:read' | 'tokens:read' | 'customers:read'): boolean =>
  request.session?.permissions.has(permission) === true;

const loaded = async ({ commands }: Deps, customerId: CustomerId): Promise<Customer> => {
  const { state } = await commands.customers.load(customerId);
  if (!isRegistered(state)) throw new HttpProblem('customer_not_found');
  return state;
};

/** The team after its API tokens were revoked that sessions of the former key created, as after a rotation. */
const withoutTokensOfKey = (team: Team, teamId: TeamId, meta: EventMeta): Team => {
  const command = { type: 'RevokeApiTokensOfKey', data: { teamId, createdBefore: meta.at }, meta } as const;
  const decided = decideInOrder<TeamCommand, Team, TeamEvent, TeamRefusal>(teamDecider, [command], team);
  return decided.accepted ? decided.state : team;
};

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

/** Stands for the key that a rotation generates. */
const ANOTHER_KEY = 'another key';

/** What a change of a customer does: what is counted now, and what the decision on its state now leads to. */
export const previewCustomer = async (
  deps: Deps,
  request: FastifyRequest,
  customerId: CustomerId,
  {
    status,
    seatLimitsEnforced,
    floatingDeveloperMinutes: floating,
    deletion,
    keyRotation,
    passwordReset,
    ...seats
  }: CustomerImpactQuery,
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
        ...(keyRotation ? [{ type: 'RotateLicenseKey', data: { customerId, licenseKey: ANOTHER_KEY }, meta } as const] : []),
        ...(passwordReset ? [{ type: 'ResetPassword', data: { customerId }, meta } as const] : []),
      ];
  const tenant = { kind: 'customer', customerId } as const;
  const teamId = teamIdOf(tenant);
  const [counted, portalSessions, connected, { state: team }, state] = await Promise.all([
    request.queries.impact.ofCustomer(customerId),
    deps.sessions.count({ kind: 'customer', customerId }),
    request.queries.impact.connectedUsers(customerId),
    deps.commands.teams.load(teamId),
    loaded(deps, customerId),
  ]);
  const mayName = has(request, 'users:read');
  const decided = consequencesOf(commands, state, meta.at);
  if (!decided.accepted) throw new HttpProblem(decided.refusal);
  return {
    ...found(counted, 'customer_not_found'),
    portalSessions,
    apiTokens: validTokensIn(team, request).length,
    connected: mayName ? connected : { ...connected, names: [] },
    ...effectsOf(request, decided),
    ...((keyRotation ?? passwordReset) && {
      ended: await endedSignInsOf(
        deps,
        request,
        { tenant, team, users: state.users },
        { events: decided.events, owner: customerId, teamAfter: keyRotation ? withoutTokensOfKey(team, teamId, meta) : team },
      ),
    }),
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

/** What a change of a member of the caller's own team does: what the decision on the team now leads to. `by` is the calling member. */
export const previewMember = async (
  deps: Deps,
  request: FastifyRequest,
  { teamId, userId, by }: Readonly<{ teamId: TeamId; userId: UserId; by: UserId | null }>,
  { role, removal, signOut }: MemberImpactQuery,
): Promise<MemberImpact> => {
  const meta = metaOf(request);
  const { state: team } = await deps.commands.teams.load(teamId);
  found(team.members.get(userId), 'member_not_found');
  const commands: TeamCommand[] = [
    ...(role ? [{ type: 'ChangeMemberRole', data: { teamId, userId, role, by }, meta } as const] : []),
    ...(removal ? [{ type: 'RemoveMember', data: { teamId, userId }, meta } as const] : []),
    ...(signOut ? [{ type: 'RevokeMemberSessions', data: { teamId, userId, sessionIds: null }, meta } as const] : []),
  ];
  const decided = decideInOrder<TeamCommand, Team, TeamEvent, TeamRefusal>(teamDecider, commands, team);
  if (!decided.accepted) {
    return { refusal: new HttpProblem(decided.refusal).message, sessions: 0, apiTokens: namedOf([]), ended: null };
  }
  const tenant = tenantOfTeam(teamId);
  const users = tenant.kind === 'customer' ? (await loaded(deps, tenant.customerId)).users : undefined;
  const ended = await endedSignInsOf(
    deps,
    request,
    { tenant, member: userId, team, ...(users && { users }) },
    { events: decided.events, owner: teamId, teamAfter: decided.state },
  );
  return { refusal: null, sessions: ended.console.count + ended.tools.count, apiTokens: ended.apiTokens, ended };
};

/** The sign-ins that a rotation of the master license key ends. */
export const previewMasterKeyRotation = async (
  deps: Deps,
  request: FastifyRequest,
  integratorId: IntegratorId,
): Promise<EndedSignIns> => {
  const meta = metaOf(request);
  const tenant = { kind: 'integrator', integratorId } as const;
  const teamId = teamIdOf(tenant);
  const [{ state }, { state: team }] = await Promise.all([
    deps.commands.integrators.load(integratorId),
    deps.commands.teams.load(teamId),
  ]);
  const rotation: IntegratorCommand = {
    type: 'RotateMasterLicenseKey',
    data: { integratorId, masterLicenseKey: ANOTHER_KEY },
    meta,
  };
  const decided = integratorDecider.decide(rotation, state);
  if (!decided.accepted) throw new HttpProblem(decided.refusal);
  const after = { events: decided.events, owner: integratorId, teamAfter: withoutTokensOfKey(team, teamId, meta) };
  return endedSignInsOf(deps, request, { tenant, team }, after);
};

/** What the deletion of a custom theme does: which customers have it, and what they get instead. */
export const previewThemeDeletion = async (
  deps: Pick<HttpDeps, 'commands'>,
  request: FastifyRequest,
  { integratorId, themeId }: Readonly<{ integratorId: IntegratorId; themeId: ThemeId }>,
): Promise<ThemeImpact> => {
  const [{ state: catalogue }, customers] = await Promise.all([
    deps.commands.themes.load(integratorId),
    request.queries.impact.customersWithTheme(themeId),
  ]);
  found(catalogue.themes.get(themeId), 'theme_not_found');
  const deletion = { type: 'DeleteTheme', data: { integratorId, themeId }, meta: metaOf(request) } as const;
  const decided = decideInOrder<ThemeCommand, ThemeCatalogue, ThemeEvent, ThemeRefusal>(themeDecider, [deletion], catalogue);
  const { themes, defaultThemeId } = decided.accepted ? decided.state : catalogue;
  return {
    refusal: decided.accepted ? null : new HttpProblem(decided.refusal).message,
    customers: has(request, 'customers:read') ? customers : { ...customers, names: [] },
    fallbackTheme: (defaultThemeId !== null && themes.get(defaultThemeId)?.displayName) || null,
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
  { status, deletion, keyRotation }: IntegratorImpactQuery,
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
    ...(keyRotation && { ended: await previewMasterKeyRotation(deps, request, integratorId) }),
  };
};

import type { FastifyRequest } from 'fastify';
import type { EndedSignIns, EndingSessions, Named } from '../contracts/impact.ts';
import { shownMachineId } from '../contracts/machines.ts';
import type { SessionKind } from '../database/tables/sessions.ts';
import type { Customer } from '../domain/customer/state.ts';
import type { AnyEvent } from '../domain/events.ts';
import type { CustomerId, IntegratorId, UserId } from '../domain/ids.ts';
import { MAX_NAMED } from '../domain/limits.ts';
import { isExpired } from '../domain/team/apiTokens.ts';
import type { ApiToken, Team } from '../domain/team/evolve.ts';
import type { TeamTenant } from '../domain/team/teamId.ts';
import { sessionsEndedBy } from '../security/endedSessions.ts';
import type { Session, SessionMatch } from '../security/session.ts';
import type { HttpDeps } from './deps.ts';
import { publicIdOf } from './machines.ts';
import { metaOf } from './requests/meta.ts';

/** How many there are, and the first by name if the reader may see names. */
export const namedOf = (names: readonly string[], mayName = true): Named => ({
  count: names.length,
  names: mayName ? [...names].sort((one, other) => one.localeCompare(other)).slice(0, MAX_NAMED) : [],
});

/** The API tokens of a team that are valid now. */
export const validTokensIn = ({ tokens }: Pick<Team, 'tokens'>, request: FastifyRequest): ApiToken[] => {
  const { at } = metaOf(request);
  return [...tokens.values()].filter((token) => !isExpired(token, at));
};

const CONSOLE = { administration: 'admin', integrator: 'integrator', customer: 'customer' } as const satisfies Record<
  TeamTenant['kind'],
  SessionKind
>;

/** Whose sign-ins a change may end: those of a tenant, or of one of its named users. */
type Holder = Readonly<{
  tenant: TeamTenant;
  member?: UserId;
  team: Team;
  /** The users of the customer's tool. */
  users?: Customer['users'];
}>;

const matchOf = ({ tenant, member }: Holder): SessionMatch => ({
  ...('customerId' in tenant && { customerId: tenant.customerId }),
  ...('integratorId' in tenant && { integratorId: tenant.integratorId }),
  ...(member !== undefined && { userId: member, isByName: true }),
});

/** The user and the machine of a session, by their names now. */
const namesOf = ({ owner }: Session, { users, team }: Holder): Pick<EndingSessions['sessions'][number], 'user' | 'machine'> => {
  const userId = owner.userId ?? null;
  if (userId === null) return { user: null, machine: null };
  if (owner.kind !== 'cli') return { user: team.members.get(userId)?.name ?? null, machine: null };
  const user = users?.get(userId);
  const machine = user?.machines.find(({ machineId }) => publicIdOf(userId, machineId) === owner.machine);
  return { user: user?.username ?? null, machine: machine ? (machine.machineName ?? shownMachineId(machine.machineId)) : null };
};

/** The id of what the stream of the events describes. */
type Decided = Readonly<{ events: readonly AnyEvent[]; owner: CustomerId | IntegratorId | string; teamAfter: Team }>;

/** The sign-ins that decided events end, by the rule of the policy that ends them, and what the holder keeps. */
export const endedSignInsOf = async (
  { sessions }: Pick<HttpDeps, 'sessions'>,
  request: FastifyRequest,
  holder: Holder,
  { events, owner, teamAfter }: Decided,
): Promise<EndedSignIns> => {
  const has = (permission: 'sessions:read' | 'users:read' | 'tokens:read'): boolean =>
    request.session?.permissions.has(permission) === true;
  const isOwnTenant = request.session?.owner.kind === CONSOLE[holder.tenant.kind];
  const ending = events
    .map((event) => sessionsEndedBy(event, owner, { publicMachineIdOf: publicIdOf }))
    .find((ended) => ended !== null);
  const ofHolder = matchOf(holder);

  const endingOf = async (kind: SessionKind): Promise<{ ended: EndingSessions; kept: number }> => {
    const all = await sessions.count({ ...ofHolder, kind });
    const match = ending?.match;
    if (!match || (match.kind ?? kind) !== kind) return { ended: { count: 0, sessions: [] }, kept: all };
    const selected = { ...ofHolder, ...match, kind };
    const [count, open] = await Promise.all([
      sessions.count(selected),
      has(isOwnTenant ? 'sessions:read' : 'users:read') ? sessions.list(selected) : [],
    ]);
    const shown = open.slice(0, MAX_NAMED).map(({ session, lastSeenAt }) => ({
      ...namesOf(session, holder),
      browser: session.client.browser,
      lastSeenAt: new Date(lastSeenAt).toISOString(),
    }));
    return { ended: { count, sessions: shown }, kept: Math.max(0, all - count) };
  };

  const none = { ended: { count: 0, sessions: [] }, kept: 0 };
  const [console, tools] = await Promise.all([
    endingOf(CONSOLE[holder.tenant.kind]),
    holder.tenant.kind === 'customer' ? endingOf('cli') : none,
  ]);
  const { member } = holder;
  const tokens = validTokensIn(holder.team, request).filter(({ createdBy }) => member === undefined || createdBy === member);
  const revoked = tokens.filter(({ tokenId }) => !teamAfter.tokens.has(tokenId));
  return {
    console: console.ended,
    tools: tools.ended,
    apiTokens: namedOf(
      revoked.map(({ name }) => name),
      isOwnTenant && has('tokens:read'),
    ),
    kept: { console: console.kept, tools: tools.kept, apiTokens: tokens.length - revoked.length },
  };
};

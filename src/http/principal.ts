import type { FastifyRequest } from 'fastify';
import type { Grants } from '../contracts/auth.ts';
import type { TeamMember } from '../contracts/team.ts';
import type { SessionKind } from '../database/tables/sessions.ts';
import type { Actor } from '../domain/event.ts';
import type { TeamId, UserId } from '../domain/ids.ts';
import type { Permission } from '../domain/permissions.ts';
import { type TeamTenant, teamIdOf } from '../domain/team/teamId.ts';
import type { Queries } from '../projections/queries.ts';
import { customerOwner, integratorOwner, type Owner } from '../security/owner.ts';
import type { Session, SessionOwner } from '../security/session.ts';
import { found } from './replies.ts';

/** Who may call a route; `public` needs no session. */
export type Audience = 'public' | SessionKind;

/** The field whose change asks for a recent proof of who the user is. */
export type ConditionalProof = 'contactEmail' | 'role';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route names its audience, or the server does not start. */
    audience?: readonly Audience[];
    /** What a session needs. Every route that is not public names it, or the server does not start. */
    permission?: Permission;
    /**
     * Asks for a proof within the last ten minutes of who the user is (`reauthentication_required`): always, or where the contact email
     * or a user's role changes. Tools and API tokens are not asked.
     */
    reauthentication?: true | ConditionalProof;
    /** Sign-ins and recorded calls repeat safely by themselves: their `Idempotency-Key` is ignored. */
    idempotent?: false;
    /** Skips the checks of the body's shape and for NUL, where the session is checked first, they would cost too much, and each value has its own. */
    bodyShape?: 'unchecked';
    /** The body is a CSV file (`text/csv`), not JSON. */
    body?: 'csv';
    /** Who signs in here: these calls are counted and recorded as sign-ins. */
    signIn?: SessionKind;
    /** The route signs nobody in: only its rejections are counted and recorded. */
    isSignInCheck?: true;
  }
  interface FastifyRequest {
    /** The live session, null on public routes. */
    session: Session | null;
    /** When the request arrived, ms since 1970. */
    receivedAt: number;
    /** SHA-256 of the raw body, hex; only kept where an `Idempotency-Key` was sent. */
    bodyDigest: string | null;
    /** The owner of the reply's data, if it is not the caller: its data key seals the reply stored for an `Idempotency-Key`. */
    dataOwner: Owner | null;
    /** Names the command, so that the same `Idempotency-Key` names the same one. */
    commandId: string;
  }
}

/** The session's owner as the kind that the route's audience promises. Throws where the route promised otherwise. */
export const principalAs = <Kind extends SessionKind>(
  request: FastifyRequest,
  ...kinds: readonly Kind[]
): Extract<SessionOwner, { kind: Kind }> => {
  const owner = request.session?.owner;
  if (!owner || !isOneOf(owner, kinds)) throw new Error(`${request.routeOptions.url} is not for ${owner?.kind ?? 'the public'}`);
  return owner;
};

const isOneOf = <Kind extends SessionKind>(
  owner: SessionOwner,
  kinds: readonly Kind[],
): owner is Extract<SessionOwner, { kind: Kind }> => kinds.some((kind) => kind === owner.kind);

/** What the replies to a sign-in and to the question for the session say of it. `name` is that of its named user, null for a key. */
export const grantsOf = ({ role, permissions }: Session, name: string | null): Grants => ({
  role,
  name,
  permissions: [...permissions],
});

/** The tenant that a session acts for. */
export const tenantOf = (owner: SessionOwner): TeamTenant => {
  switch (owner.kind) {
    case 'admin':
      return { kind: 'administration' };
    case 'integrator':
      return { kind: 'integrator', integratorId: owner.integratorId };
    case 'customer':
    case 'cli':
      return { kind: 'customer', customerId: owner.customerId };
  }
};

/** The actor of what a named user of a tenant does, or where there is none, the holder of its key. */
export const actorOfTenant = (tenant: TeamTenant, userId?: UserId): Actor => {
  const member = userId === undefined ? {} : { userId };
  switch (tenant.kind) {
    case 'administration':
      return { kind: 'admin', id: 'admin', ...member };
    case 'integrator':
      return { kind: 'integrator', id: tenant.integratorId, ...member };
    case 'customer':
      return { kind: 'customer', id: tenant.customerId, ...member };
  }
};

/** The actor for the events of a request; without a session, the system. */
export const actorOf = (owner: SessionOwner | undefined): Actor => {
  if (owner === undefined) return { kind: 'system', id: 'sign-in' };
  if (owner.kind === 'cli') return { kind: 'user', id: owner.userId };
  const actor = actorOfTenant(tenantOf(owner), 'userId' in owner ? owner.userId : undefined);
  return owner.tokenId === undefined ? actor : { ...actor, tokenId: owner.tokenId };
};

/** The team of the tenant that a session of the console works for. */
export const teamOf = (owner: Extract<SessionOwner, { kind: 'admin' | 'integrator' | 'customer' }>): TeamId =>
  teamIdOf(tenantOf(owner));

/** The named user of a session of the console. Throws `member_required` where a key signed in. */
export const ownMember = (request: FastifyRequest): { teamId: TeamId; userId: UserId } => {
  const owner = principalAs(request, 'admin', 'integrator', 'customer');
  return { teamId: teamOf(owner), userId: found(owner.userId, 'member_required') };
};

/** The named user of the session of a request to the console; null where a key signed in. */
export const shownMember = async (request: FastifyRequest, { team }: Pick<Queries, 'team'>): Promise<TeamMember | null> => {
  const owner = principalAs(request, 'admin', 'integrator', 'customer');
  return owner.userId === undefined ? null : team.member(teamOf(owner), owner.userId);
};

/** The owner of the data in a principal's replies; null for administrators. */
export const ownerOfPrincipal = (owner: SessionOwner): Owner | null => {
  switch (owner.kind) {
    case 'admin':
      return null;
    case 'integrator':
      return integratorOwner(owner.integratorId);
    case 'customer':
    case 'cli':
      return customerOwner(owner.customerId);
  }
};

/** A name for a principal that is the same in each of its sessions with the same role and named user, and for each API token. */
export const principalName = ({ owner, role }: Session): string => {
  const { kind, id, userId, tokenId } = actorOf(owner);
  return [kind, id, role, userId, tokenId && `token ${tokenId}`].filter((part) => part !== null && part !== undefined).join(':');
};

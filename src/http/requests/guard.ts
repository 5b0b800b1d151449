import type { FastifyContextConfig, FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { SessionEnd, SessionKind } from '../../database/tables/sessions.ts';
import { permissionsOfTenant, TOOL_PERMISSIONS } from '../../domain/permissions.ts';
import { isApiToken } from '../../security/apiTokenFormat.ts';
import type { ResolvedApiToken } from '../../security/apiTokens.ts';
import { type Session, TENANT_OF } from '../../security/session.ts';
import type { Resolved, Sessions } from '../../security/sessions.ts';
import type { Audience } from '../principal.ts';
import { HttpProblem, type ProblemCode } from '../problems/problems.ts';
import type { Origins } from './origins.ts';
import { expectRecent } from './reauthentication.ts';

const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Whether requests of a method change something. */
export const isUnsafe = (method: string): boolean => UNSAFE.has(method);

export const ADMIN_COOKIE = 'latchkey_admin';

/** A `__Host-` cookie is bound to the host and to TLS; browsers refuse it on plain http. */
export const adminCookieName = (isTls: boolean): string => (isTls ? `__Host-${ADMIN_COOKIE}` : ADMIN_COOKIE);

/** An administrator's token in a Cookie header, for connections that are not routes. */
export const adminTokenOf = (cookies: Readonly<Record<string, string | undefined>>, isTls: boolean): string | null =>
  cookies[adminCookieName(isTls)] ?? null;

const bearerOf = ({ headers: { authorization } }: FastifyRequest): string | null =>
  /^Bearer +([^ ]+) *$/i.exec(authorization ?? '')?.[1] ?? null;

/** The token by which a request would be in a session of a kind, live or not; null where it has none. */
export const tokenOf = (request: FastifyRequest, kind: SessionKind): string | null =>
  kind === 'admin' ? (adminTokenOf(request.cookies, true) ?? adminTokenOf(request.cookies, false)) : bearerOf(request);

/** After these a tool is refused with the reason, as long as it holds, instead of being asked to sign in again. */
const LOSS_OF_ACCESS: ReadonlySet<SessionEnd> = new Set([
  'customer_suspended',
  'customer_churned',
  'user_suspended',
  'user_deactivated',
  'role_changed',
]);

/** Whether a route is public, or names an audience and a permission that each kind of session in the audience can have. */
const isGuarded = ({ audience = [], permission }: FastifyContextConfig = {}): boolean =>
  audience.length > 0 &&
  audience.every((kind) => {
    if (kind === 'public' || permission === undefined) return kind === 'public' && permission === undefined;
    return (kind === 'cli' ? TOOL_PERMISSIONS : permissionsOfTenant(TENANT_OF[kind])).has(permission);
  });

/**
 * Lets in sessions of the route's audience that have its permission. 401 says that there is no live session, 403 that the session is
 * another audience's, lacks the permission, or would have to authenticate again.
 * An API token is resolved by `resolveApiToken` and has exactly its scopes. `refusalAfter` is why the user of a tool's ended session could not sign in again; null if they could.
 */
export const guardRoutes = (
  app: FastifyInstance,
  {
    sessions,
    origins,
    resolveApiToken,
    now,
    refusalAfter,
  }: {
    sessions: Sessions;
    origins: Origins;
    resolveApiToken: (request: FastifyRequest, token: string) => ResolvedApiToken | Promise<ResolvedApiToken>;
    /** ms since 1970 */
    now: () => number;
    refusalAfter: (ended: Extract<Resolved, { found: false }>) => Promise<ProblemCode | null>;
  },
): void => {
  const routes: RouteOptions[] = [];
  app.decorateRequest('session', null);
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', async () => {
    const open = routes.filter(({ config }) => !isGuarded(config)).map(({ method, url }) => `${method} ${url}`);
    if (open.length > 0) throw new Error(`These routes do not declare who may call them: ${open.join(', ')}`);
  });

  const refuse = async (refused: readonly Resolved[], audience: readonly Audience[]): Promise<never> => {
    if (refused.some(({ found }) => found)) throw new HttpProblem('forbidden');
    for (const resolved of refused) {
      if (resolved.found || resolved.ended === null || resolved.owner?.kind !== 'cli' || !audience.includes('cli')) continue;
      const code = LOSS_OF_ACCESS.has(resolved.ended) ? await refusalAfter(resolved) : null;
      if (code) throw new HttpProblem(code);
    }
    throw new HttpProblem('session_required');
  };

  const mayCall = ({ audience = [], permission }: FastifyContextConfig, { owner, permissions }: Session): boolean =>
    audience.includes(owner.kind) && permission !== undefined && permissions.has(permission);

  /** An API token is the only credential of its request: a cookie beside it does not count, so there is no origin to check. */
  const takeToken = (request: FastifyRequest, config: FastifyContextConfig, resolved: ResolvedApiToken): void => {
    if (resolved.problem !== null) throw new HttpProblem(resolved.problem);
    const { session } = resolved;
    if (!mayCall(config, session)) {
      const isMissing = config.audience?.includes(session.owner.kind) && config.permission !== undefined;
      throw new HttpProblem('forbidden', {
        text: isMissing
          ? `This API token does not have the permission ${config.permission}`
          : 'API tokens of this account cannot make this call',
      });
    }
    request.session = session;
  };

  const admitToken = async (request: FastifyRequest, config: FastifyContextConfig, token: string): Promise<void> =>
    takeToken(request, config, await resolveApiToken(request, token));

  const admit = async (
    request: FastifyRequest,
    config: FastifyContextConfig,
    bearer: Resolved | Promise<Resolved> | null,
  ): Promise<void> => {
    const cookie = adminTokenOf(request.cookies, origins.isTls(request));
    const refused: Resolved[] = [];
    for (const kind of ['bearer', 'cookie'] as const) {
      const resolved = await (kind === 'bearer' ? bearer : cookie === null ? null : sessions.resolve(cookie));
      if (resolved === null) continue;
      const isAdmin = resolved.found && resolved.session.owner.kind === 'admin';
      // Only an administrator's token is accepted as a cookie.
      if (resolved.found && isAdmin !== (kind === 'cookie')) continue;
      if (!resolved.found || !mayCall(config, resolved.session)) {
        refused.push(resolved);
        continue;
      }
      if (isAdmin && isUnsafe(request.method) && !origins.trusts(request.headers, request)) throw new HttpProblem('origin_refused');
      if (config.reauthentication === true) await expectRecent({ sessions, now }, resolved.session);
      request.session = resolved.session;
      return;
    }
    await refuse(refused, config.audience ?? []);
  };

  app.addHook('onRequest', (request, _reply, next) => {
    const { config } = request.routeOptions;
    if (config.audience?.includes('public') ?? true) return next();
    const token = bearerOf(request);
    if (token !== null && isApiToken(token)) {
      admitToken(request, config, token).then(() => next(), next);
      return;
    }
    const bearer = token === null ? null : sessions.resolve(token);
    // The session of nearly every request of a tool is remembered: then there is nothing to wait for.
    if (bearer !== null && !(bearer instanceof Promise) && bearer.found) {
      const { session } = bearer;
      if (session.owner.kind !== 'admin' && config.reauthentication !== true && mayCall(config, session)) {
        request.session = session;
        return next();
      }
    }
    admit(request, config, bearer).then(() => next(), next);
  });
};

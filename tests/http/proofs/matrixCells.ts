import { permissionsOfRole, type Role } from '../../../src/domain/permissions.ts';
import { TENANT_OF } from '../../../src/security/session.ts';
import { type Client, sendRequest } from '../../support/apiClient.ts';
import { permissionOfRoute } from './matrixPermissions.ts';
import type { Kind, Row } from './matrixTable.ts';
import { TEAM_PARAMETERS } from './teamResources.ts';
import { MISSING, parameterOf, pathIn, type TestTenant } from './testAccounts.ts';

export type Who =
  | 'anonymous'
  | 'admin'
  | 'integrator'
  | 'other integrator'
  | 'customer'
  | 'other customer'
  | 'tool'
  | 'other tool'
  | 'suspended customer'
  | 'suspended integrator'
  | 'suspended user'
  | 'user of a suspended customer'
  | RoleHolder;
/** A session of a named user with less than all permissions. */
export type RoleHolder = 'operator' | 'auditor' | 'manager' | 'auditor of the integrator' | 'developer' | 'stakeholder';
export type Target = 'own' | 'foreign' | 'missing';
export type Cell = { method: string; row: Row; name: string; who: Who; target: Target };

/** The audience that each counts as; null where the session has ended or there is none. */
export const kinds: Record<Who, Kind | null> = {
  anonymous: null,
  admin: 'admin',
  integrator: 'integrator',
  'other integrator': 'integrator',
  customer: 'customer',
  'other customer': 'customer',
  tool: 'cli',
  'other tool': 'cli',
  'suspended customer': null,
  'suspended integrator': null,
  'suspended user': null,
  'user of a suspended customer': null,
  operator: 'admin',
  auditor: 'admin',
  manager: 'integrator',
  'auditor of the integrator': 'integrator',
  developer: 'customer',
  stakeholder: 'customer',
};

const roles: Record<RoleHolder, Role> = {
  operator: 'operator',
  auditor: 'auditor',
  manager: 'manager',
  'auditor of the integrator': 'auditor',
  developer: 'developer',
  stakeholder: 'stakeholder',
};
const isRoleHolder = (who: Who): who is RoleHolder => Object.hasOwn(roles, who);

/** The role of a caller; null for a sign-in with a key. */
export const roleOf = (who: Who): Role | null => (isRoleHolder(who) ? roles[who] : null);

const everyone = Object.keys(kinds) as Who[];

/** A tool gets why it may not work on routes for tools; every other request without a session gets `session_required`. */
const whyNot: Partial<Record<Who, string>> = {
  'suspended user': 'user_suspended',
  'user of a suspended customer': 'customer_suspended',
};

/** What the table makes of a cell: its status, and the code of a refusal. */
export const expected = ({ name, row, who, target }: Cell): [status: number, code: string | null] => {
  const kind = kinds[who];
  if (!row.for.includes('public')) {
    if (kind === null) {
      const reason = row.for.includes('cli') ? whyNot[who] : undefined;
      return reason ? [403, reason] : [401, 'session_required'];
    }
    if (!row.for.includes(kind)) return [403, 'forbidden'];
    const role = roleOf(who);
    const permission = permissionOfRoute[name];
    if (kind !== 'public' && role !== null && (!permission || !permissionsOfRole(TENANT_OF[kind], role).has(permission))) {
      return [403, 'forbidden'];
    }
  }
  if (row.needsMember && roleOf(who) === null) return [403, 'member_required'];
  const isFound = target === 'own' || (target === 'foreign' && kind === 'admin' && !row.teamResource);
  return isFound ? [row.own, null] : [404, `${row.resource ?? row.teamResource}_not_found`];
};

/** `MATRIX_CELLS=all` calls each route as every caller, for each target. */
export const HAS_ALL_CELLS = process.env.MATRIX_CELLS === 'all';

/** The audience of sessions that ended. */
const endedKinds: Partial<Record<Who, Kind>> = {
  'suspended customer': 'customer',
  'suspended integrator': 'integrator',
  'suspended user': 'cli',
  'user of a suspended customer': 'cli',
};

/**
 * Whether the reply depends on the route. All routes have the same guard, which compares audience and permission before a route looks at
 * the resource: one target is enough for callers of other audiences, ended sessions and roles. What a role may call, its key may too.
 */
const dependsOnRoute = (cell: Cell): boolean => {
  const { row, who, target } = cell;
  const kind = kinds[who];
  if (who.startsWith('other ')) return false;
  if (row.for.includes('public')) return who === 'anonymous' || who === 'customer';
  if (kind === null) return target === 'own' && (who === 'anonymous' || row.for.includes(endedKinds[who] ?? 'public'));
  if (!row.for.includes(kind)) return target === 'own' && !isRoleHolder(who);
  if (!isRoleHolder(who)) return row.ends !== true || kind !== 'admin' || target !== 'foreign';
  return target === 'own' && (row.needsMember === true || expected(cell)[0] !== row.own);
};

const targetsOf = ({ resource, teamResource }: Row): readonly Target[] =>
  (resource ?? teamResource) ? ['own', 'foreign', 'missing'] : ['own'];

export const cellsOf = (name: string, row: Row): Cell[] =>
  (row.checksItself ? [] : everyone)
    .flatMap((who) => targetsOf(row).map((target) => ({ method: name.split(' ')[0] ?? '', name, row, who, target })))
    .filter((cell) => HAS_ALL_CELLS || dependsOnRoute(cell));

export const label = ({ name, who, target }: Cell): string => `${name} of ${who} on ${target}`;
export const isRefused = (cell: Cell): boolean => expected(cell)[0] !== cell.row.own || expected(cell)[1] !== null;

/** `id` is that of a resource of a team. */
export type CallContext = { client: Client; tenant: TestTenant; id?: string };
export type Answer = { status: number; code: string | null; text: string; headers: string };

/** Calls a cell's route. Headers are all but the date. */
export const ask = async (
  url: string,
  cell: Cell,
  { client, tenant, id: ofTeam = MISSING }: CallContext,
  method = cell.method,
): Promise<Answer> => {
  const { row, name, target } = cell;
  const { resource, teamResource } = row;
  const own = resource ? tenant.ids[resource] : ofTeam;
  const parameter = teamResource ? TEAM_PARAMETERS[teamResource] : resource ? parameterOf(resource) : ' ';
  const address = (row.at ?? name.replace(/^\w+ /, '')).replace(parameter, target === 'missing' ? MISSING : own);
  // What else it names is the tenant's own.
  const path = pathIn(tenant, address) + (row.query ?? '');
  const body = method === 'GET' || method === 'HEAD' ? undefined : row.body?.(tenant);
  const { status, headers, text } = await sendRequest(`${url}${path}`, {
    method,
    headers: { ...client.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return {
    status,
    code: status < 300 || !text.startsWith('{') ? null : (JSON.parse(text).code ?? null),
    text,
    headers: JSON.stringify([...headers].filter(([header]) => header !== 'date')),
  };
};

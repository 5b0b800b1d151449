/** Whose data a caller works with. Users, sessions and API tokens belong to one tenant of one kind. */
export type TenantKind = 'administration' | 'integrator' | 'customer';

/** The roles of the users of each kind of tenant, from the most to the fewest permissions. */
export const ROLES = {
  administration: ['owner', 'operator', 'auditor'],
  integrator: ['owner', 'manager', 'auditor'],
  customer: ['admin', 'developer', 'stakeholder'],
} as const satisfies Record<TenantKind, readonly string[]>;

/** A role of one kind of tenant. */
export type RoleOf<Kind extends TenantKind> = (typeof ROLES)[Kind][number];
/** A role of any kind of tenant. */
export type Role = RoleOf<TenantKind>;

/** The role that has every permission of its kind of tenant. A sign-in with the tenant's key has the same permissions. */
export const FULL_ROLE = { administration: 'owner', integrator: 'owner', customer: 'admin' } as const satisfies {
  [Kind in TenantKind]: RoleOf<Kind>;
};

/** A kind of tenant without an entry does not have the permission; an entry lists the roles beside the full role that have it. */
type Grant = Readonly<{ allows: string } & { [Kind in TenantKind]?: readonly Exclude<RoleOf<Kind>, (typeof FULL_ROLE)[Kind]>[] }>;

const table = {
  'integrators:read': { allows: 'read service integrators', administration: ['operator', 'auditor'] },
  'integrators:write': { allows: 'create and change service integrators', administration: ['operator'] },
  'integrators:delete': { allows: 'delete service integrators', administration: [] },
  'customers:read': { allows: 'read customers', administration: ['operator', 'auditor'], integrator: ['manager', 'auditor'] },
  'customers:write': { allows: 'create and change customers', administration: ['operator'], integrator: ['manager'] },
  'customers:delete': { allows: 'delete customers', administration: [] },
  'keys:read': { allows: 'see license keys in replies', administration: ['operator'], integrator: ['manager'], customer: [] },
  'keys:rotate': { allows: 'rotate the keys of others', administration: ['operator'], integrator: ['manager'] },
  'masterKey:read': { allows: 'see master license keys in replies', administration: ['operator'], integrator: [] },
  'masterKey:rotate': { allows: 'rotate master license keys', administration: ['operator'], integrator: [] },
  'passwords:reset': { allows: 'reset portal passwords', administration: ['operator'], integrator: ['manager'] },
  'password:change': { allows: 'change the portal password', customer: [] },
  'users:read': {
    allows: 'read users of the tool',
    administration: ['operator', 'auditor'],
    integrator: ['manager', 'auditor'],
    customer: [],
  },
  'users:write': { allows: 'change users of the tool', administration: ['operator'], integrator: ['manager'], customer: [] },
  'users:delete': {
    allows: 'remove users of the tool, with name and email address',
    administration: ['operator'],
    integrator: ['manager'],
    customer: [],
  },
  'machines:read': {
    allows: 'read the machines of all users',
    administration: ['operator', 'auditor'],
    integrator: ['manager', 'auditor'],
    customer: [],
  },
  'machines:approve': {
    allows: 'approve, reject, rename and remove the machines of all users, and issue offline licenses for them',
    administration: ['operator'],
    integrator: ['manager'],
    customer: [],
  },
  'ownMachines:read': { allows: 'read the own machines', customer: ['developer'] },
  'ownMachines:approve': {
    allows: 'approve, reject, rename and remove the own machines, and issue offline licenses for them',
    customer: ['developer'],
  },
  'themes:read': {
    allows: 'read themes',
    administration: ['operator', 'auditor'],
    integrator: ['manager', 'auditor'],
    customer: ['developer', 'stakeholder'],
  },
  'themes:write': { allows: 'create, change and delete custom themes', integrator: ['manager'] },
  'themes:assign': { allows: 'choose the themes of customers', administration: ['operator'], integrator: ['manager'] },
  'credentials:read': { allows: 'read credentials without their secrets', customer: [] },
  'credentials:write': { allows: 'store, test and delete credentials', customer: [] },
  'history:read': {
    allows: 'read and export the history',
    administration: ['operator', 'auditor'],
    integrator: ['manager', 'auditor'],
    customer: [],
  },
  'usage:read': {
    allows: 'read usage and dashboards',
    administration: ['operator', 'auditor'],
    integrator: ['manager', 'auditor'],
    customer: ['stakeholder'],
  },
  'calls:read': {
    allows: 'read single recorded calls of all users',
    administration: ['operator', 'auditor'],
    integrator: ['manager', 'auditor'],
    customer: [],
  },
  'calls:void': {
    allows: 'void recorded calls',
    administration: ['operator'],
    integrator: ['manager'],
    customer: [],
  },
  'ownUsage:read': { allows: 'read the own usage and the own recorded calls', customer: ['developer'] },
  'calls:record': { allows: 'record API calls', customer: ['developer'] },
  'monitoring:read': { allows: 'read health checks and metrics', administration: ['operator', 'auditor'] },
  'alerts:write': { allows: 'create, change and remove alert rules', administration: ['operator'] },
  'plans:write': { allows: 'create, change and retire plans', administration: ['operator'] },
  'signIns:read': { allows: 'read sign-ins', administration: ['operator', 'auditor'], integrator: ['auditor'], customer: [] },
  'profile:read': { allows: 'read the own profile', integrator: ['manager', 'auditor'], customer: ['developer', 'stakeholder'] },
  'settings:write': { allows: 'change the own profile and settings', integrator: [], customer: [] },
  'account:delete': { allows: 'request the deletion of the account', customer: [] },
  'members:read': {
    allows: 'read named users',
    administration: ['operator', 'auditor'],
    integrator: ['manager', 'auditor'],
    customer: [],
  },
  'members:write': {
    allows: 'invite and remove named users, and change their roles',
    administration: [],
    integrator: [],
    customer: [],
  },
  'tokens:read': {
    allows: 'read API tokens',
    administration: ['operator', 'auditor'],
    integrator: ['manager', 'auditor'],
    customer: [],
  },
  'tokens:write': { allows: 'create and revoke API tokens', administration: [], integrator: [], customer: [] },
  'policy:write': { allows: 'change the sign-in policy', administration: [], integrator: [], customer: [] },
  'sessions:read': { allows: 'read the sessions of all users', administration: ['auditor'], integrator: ['auditor'], customer: [] },
  'sessions:revoke': { allows: 'revoke the sessions of all users', administration: [], integrator: [], customer: [] },
  'ownSession:read': {
    allows: 'read the own session',
    administration: ['operator', 'auditor'],
    integrator: ['manager', 'auditor'],
    customer: ['developer', 'stakeholder'],
  },
  'ownSession:end': {
    allows: 'sign out',
    administration: ['operator', 'auditor'],
    integrator: ['manager', 'auditor'],
    customer: ['developer', 'stakeholder'],
  },
} as const satisfies Record<`${string}:${string}`, Grant>;

/** The right to do one kind of thing: `resource:action`. */
export type Permission = keyof typeof table;

/** All permissions, in the order in which documents and dialogs list them. */
export const PERMISSIONS = Object.keys(table) as readonly Permission[];

/** What a permission allows, as the end of "may …". */
export const allowedBy = (permission: Permission): string => table[permission].allows;

/** The permissions of a session of the command-line tool, whatever the role of its user. */
export const TOOL_PERMISSIONS: ReadonlySet<Permission> = new Set([
  'calls:record',
  'ownUsage:read',
  'ownMachines:read',
  'ownMachines:approve',
  'themes:read',
  'ownSession:read',
  'ownSession:end',
]);

const permissionsOf = (tenant: TenantKind, role: Role): ReadonlySet<Permission> =>
  new Set(
    PERMISSIONS.filter((permission) => {
      const grant: Grant = table[permission];
      const roles: readonly Role[] | undefined = grant[tenant];
      return roles !== undefined && (role === FULL_ROLE[tenant] || roles.includes(role));
    }),
  );

const byRole = (tenant: TenantKind): ReadonlyMap<Role, ReadonlySet<Permission>> =>
  new Map(ROLES[tenant].map((role) => [role, permissionsOf(tenant, role)]));

const roles: Record<TenantKind, ReadonlyMap<Role, ReadonlySet<Permission>>> = {
  administration: byRole('administration'),
  integrator: byRole('integrator'),
  customer: byRole('customer'),
};

/** The permissions of a role. Throws for a role of another kind of tenant. */
export const permissionsOfRole = (tenant: TenantKind, role: Role): ReadonlySet<Permission> => {
  const permissions = roles[tenant].get(role);
  if (!permissions) throw new Error(`A tenant of the kind ${tenant} has no role ${role}`);
  return permissions;
};

/**
 * What an API token never has: by these it could create further access, read a key that signs in with every permission, or end what it
 * does not hold, a session.
 */
const NOT_FOR_TOKENS: ReadonlySet<Permission> = new Set([
  'tokens:write',
  'members:write',
  'policy:write',
  'keys:read',
  'masterKey:read',
  'masterKey:rotate',
  'ownSession:end',
]);

/** The permissions that exist for a kind of tenant: those of its full role. */
export const permissionsOfTenant = (tenant: TenantKind): ReadonlySet<Permission> => permissionsOfRole(tenant, FULL_ROLE[tenant]);

/** The permissions that an API token of a kind of tenant may have, as its scopes. */
export const tokenScopesOf = (tenant: TenantKind): ReadonlySet<Permission> =>
  new Set([...permissionsOfTenant(tenant)].filter((permission) => !NOT_FOR_TOKENS.has(permission)));

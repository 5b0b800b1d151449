import {
  allowedBy,
  PERMISSIONS,
  type Permission,
  permissionsOfRole,
  permissionsOfTenant,
  ROLES,
  type TenantKind,
  TOOL_PERMISSIONS,
} from '../../src/domain/permissions.ts';

/** A call of the API: its method and path, the permission that it needs, and who can have it. */
export type AuthorizedCall = Readonly<{
  call: string;
  permission: Permission;
  /** When it asks for a recent authentication. */
  recent: 'always' | 'contactEmail' | 'role' | undefined;
  sessions: readonly string[];
}>;

const HEAD = `# Authorization

This document is generated from \`src/domain/permissions.ts\` and the routes:
\`npx vitest run tests/http/guards.test.ts --update\`.

A caller works for one tenant: the administration, a service integrator or a customer. Its role, or
the scopes of its API token, decide which permissions it has. A sign-in with the admin key, a master
license key or a license key has all permissions of its tenant. Each call of the API needs one
permission. A call without it gets the status 403 and the code \`forbidden\`.

Calls marked *recent* also need an authentication within the last 10 minutes, for which
\`POST /api/auth/reauthenticate\` takes what signs in. Those marked *contact email* or *role* need it
if the request changes the contact email, or the role of a user. Without it the reply has the status
403 and the code \`reauthentication_required\`.

Sessions of the command-line tool have a fixed set of permissions, whatever the role of the user.

License keys in replies are masked for callers without \`keys:read\`, master license keys for
callers without \`masterKey:read\`: with a key they could sign in with all permissions.
`;

const RECENT = { always: 'recent', contactEmail: 'contact email', role: 'role' } as const;

const titles: Record<TenantKind, string> = {
  administration: 'Administration',
  integrator: 'Service integrator',
  customer: 'Customer',
};

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), `|${head.map(() => '---|').join('')}`, ...rows.map(row)].join('\n');

const mark = (isGranted: boolean): string => (isGranted ? 'yes' : '');

const sectionOf = (tenant: TenantKind): string => {
  const ofTool = tenant === 'customer';
  const rows = PERMISSIONS.filter((permission) => permissionsOfTenant(tenant).has(permission)).map((permission) => [
    `\`${permission}\``,
    allowedBy(permission),
    ...ROLES[tenant].map((role) => mark(permissionsOfRole(tenant, role).has(permission))),
    ...(ofTool ? [mark(TOOL_PERMISSIONS.has(permission))] : []),
  ]);
  return `## ${titles[tenant]}\n\n${tableOf(['Permission', 'May', ...ROLES[tenant], ...(ofTool ? ['session of the tool'] : [])], rows)}\n`;
};

/** The text of `docs/authorization.md`. */
export const authorizationDocument = (calls: readonly AuthorizedCall[]): string =>
  [
    HEAD,
    ...(['administration', 'integrator', 'customer'] as const).map(sectionOf),
    `## Calls\n\n${tableOf(
      ['Call', 'Permission', 'Sessions', 'Authentication'],
      calls.map(({ call, permission, sessions, recent }) => [
        `\`${call}\``,
        `\`${permission}\``,
        sessions.join(', '),
        recent ? RECENT[recent] : '',
      ]),
    )}\n`,
  ].join('\n');

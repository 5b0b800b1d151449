import type { UserRoleName, UserStatus } from '../../../../src/contracts/fields.ts';
import type { UserAudience } from './api/users.ts';

export const userTexts = {
  title: 'Users',
  sub: {
    portal: 'Everybody who works with your license',
    integrator: 'Manage users across all your customers',
  } satisfies Record<UserAudience, string>,
  search: 'Search users',
  searchHint: 'Search username or e-mail',
  filter: 'Filter by status',
  all: 'All',
  list: 'Users',
  noun: 'users',
  loading: 'Loading users',
  loadFailed: 'Failed to load users',
  none: 'No users',
  noneHint: 'Users will appear here when they authenticate with the command-line tool.',
  noneFound: 'No users found',
  noneFoundHint: 'Try another username or e-mail, or clear the filters.',
  clearFilters: 'Clear filters',
  statuses: { active: 'Active', inactive: 'Inactive', suspended: 'Suspended' } satisfies Record<UserStatus, string>,
  roles: { developer: 'Developer', stakeholder: 'Stakeholder', admin: 'Admin' } satisfies Record<UserRoleName, string>,
  roleHints: {
    developer: 'full MCP access',
    stakeholder: 'portal-only access',
    admin: 'full administrative access',
  } satisfies Record<UserRoleName, string>,
  connected: 'Connected',
  facts: { customer: 'Customer', lastLogin: 'Last login', machineId: 'Machine ID', created: 'Created' },
  never: 'Never',
  noMachine: 'None',

  edit: 'Edit',
  editTitle: 'Edit User',
  fields: { username: 'Username', email: 'Email', role: 'Role' },
  save: 'Save Changes',
  saving: 'Saving…',
  updated: 'User updated successfully!',
  updateFailed: 'Failed to update user',

  actions: { active: 'Activate', inactive: 'Deactivate', suspended: 'Suspend' } satisfies Record<UserStatus, string>,
  changing: { active: 'Activating…', inactive: 'Deactivating…', suspended: 'Suspending…' } satisfies Record<UserStatus, string>,
  changed: {
    active: (username: string): string => `${username} is active`,
    inactive: (username: string): string => `${username} is inactive`,
    suspended: (username: string): string => `${username} is suspended`,
  } satisfies Record<UserStatus, (username: string) => string>,
  statusFailed: 'Failed to update user status',
  actionsOf: (action: string, username: string): string => `${action} ${username}`,
} as const;

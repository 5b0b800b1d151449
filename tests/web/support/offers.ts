import type { Page } from 'playwright-core';
import { type Permission, permissionsOfRole, type RoleOf, type TenantKind } from '../../../src/domain/permissions.ts';
import { buttonNames, loaded, navigate } from './pages.ts';

/** The buttons of a screen by their names, and the screens that the navigation lists, each with the permission that it needs. */
type Offers = Readonly<Record<string, Permission>>;
type Screen = Readonly<{ path: string; buttons: Offers }>;
type AreaOffers = Readonly<{ links: Offers; screens: readonly Screen[] }>;

const TEAM = { Invite: 'members:write' } as const satisfies Offers;
const TOKENS = { 'Create API token': 'tokens:write' } as const satisfies Offers;
const CUSTOMER = {
  'Rotate license key': 'keys:rotate',
  'Copy license key': 'keys:read',
} as const satisfies Offers;

/** What the console offers in each area. `:customer`, `:integrator` and `:user` stand for those of the story. */
const OFFERS: Record<TenantKind, AreaOffers> = {
  administration: {
    links: {
      Customers: 'customers:read',
      'Service Integrators': 'integrators:read',
      Users: 'users:read',
      Themes: 'themes:read',
      Monitoring: 'monitoring:read',
      Security: 'members:read',
    },
    screens: [
      {
        path: '/admin/customers/:customer',
        buttons: { ...CUSTOMER, 'Edit customer': 'customers:write', Delete: 'customers:delete' },
      },
      {
        path: '/admin/service-integrators/:integrator',
        buttons: {
          'Edit service integrator': 'integrators:write',
          Delete: 'integrators:delete',
          'Rotate master license key': 'masterKey:rotate',
          'Copy master license key': 'masterKey:read',
        },
      },
      { path: '/admin/monitoring/alerts', buttons: { 'Create rule': 'alerts:write', 'Edit Error rate': 'alerts:write' } },
      { path: '/admin/plans', buttons: { 'Create plan': 'plans:write', 'Edit Professional': 'plans:write' } },
      { path: '/admin/team', buttons: TEAM },
      { path: '/admin/team/tokens', buttons: TOKENS },
    ],
  },
  integrator: {
    links: {
      Customers: 'customers:read',
      Users: 'users:read',
      Themes: 'themes:read',
      'White-Label': 'settings:write',
      Settings: 'profile:read',
      Security: 'members:read',
    },
    screens: [
      { path: '/service-integrator/customers/:customer', buttons: { ...CUSTOMER, 'Edit Customer': 'customers:write' } },
      {
        path: '/service-integrator/users',
        buttons: {
          'Edit :user': 'users:write',
          'Invite to sign in :user': 'members:write',
          'Machines :user': 'machines:read',
          'Remove :user': 'users:delete',
        },
      },
      { path: '/service-integrator/themes', buttons: { 'Create theme': 'themes:write' } },
      { path: '/service-integrator/team', buttons: TEAM },
      { path: '/service-integrator/team/tokens', buttons: TOKENS },
    ],
  },
  customer: {
    links: {
      Credentials: 'credentials:read',
      Usage: 'usage:read',
      'My usage': 'ownUsage:read',
      'My machines': 'ownMachines:read',
      Users: 'users:read',
      Security: 'members:read',
      Profile: 'settings:write',
    },
    screens: [
      { path: '/portal/dashboard', buttons: { 'Copy license key': 'keys:read' } },
      { path: '/portal/credentials', buttons: { 'Add credential': 'credentials:write' } },
      {
        path: '/portal/users',
        buttons: { 'Edit :user': 'users:write', 'Machines :user': 'machines:read', 'Remove :user': 'users:delete' },
      },
      {
        path: '/portal/profile',
        buttons: {
          'Save changes': 'settings:write',
          'Change password': 'password:change',
          'Request account deletion': 'account:delete',
        },
      },
    ],
  },
};

const PLACES = ['customer', 'integrator', 'user'] as const;
/** The ids in addresses, and the name of the user in names of buttons. */
export type StoryPlaces = Readonly<Record<(typeof PLACES)[number], string>>;

/** What a page offers otherwise than the permission table says, by screen: nothing, if each role is offered what it may do. */
export const wrongOffers = async <Kind extends TenantKind>(
  page: Page,
  kind: Kind,
  role: RoleOf<Kind>,
  places: StoryPlaces,
): Promise<string[]> => {
  const permissions = permissionsOfRole(kind, role);
  const placed = (text: string): string => PLACES.reduce((before, place) => before.replace(`:${place}`, places[place]), text);
  const found: string[] = [];
  const compare = (what: string, offered: readonly string[], offers: Offers): void => {
    for (const [name, permission] of Object.entries(offers)) {
      const isOffered = offered.includes(placed(name));
      if (isOffered !== permissions.has(permission)) {
        found.push(`${what}: ${placed(name)} is ${isOffered ? '' : 'not '}offered to ${role}; there are ${offered.join(', ')}`);
      }
    }
  };
  const { links, screens } = OFFERS[kind];
  compare('navigation', await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts(), links);
  for (const { path, buttons } of screens) {
    await navigate(page, placed(path));
    await loaded(page);
    compare(path, await buttonNames(page), buttons);
  }
  return found;
};

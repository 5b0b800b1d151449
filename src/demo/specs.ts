import type { AccountStatus, Service, UserRole, UserStatus } from '../domain/enumerations.ts';
import type { Random } from './random.ts';

/** What the demo creates for a service integrator. */
export type IntegratorSpec = Readonly<{ companyName: string; domain: string; sinceDaysAgo: number }>;

/** What the demo creates for a user. */
export type UserSpec = Readonly<{
  username: string;
  email: string;
  /** Null for a user of the portal only. */
  machineId: string | null;
  machineName: string | null;
  role: UserRole;
  status: UserStatus;
  /** Why the user is not active; null while active. */
  statusReason: string | null;
  /** A further machine of the user, which needs approval. */
  secondMachine: Readonly<{ name: string; isApproved: boolean }> | null;
}>;

/** An instance of a service that a customer calls. `share` weighs it against the others; `medianMs` is its median response time. */
export type InstanceSpec = Readonly<{
  service: Service;
  instanceUrl: string;
  share: number;
  medianMs: number;
}>;

/** When a customer requested the deletion of its account, and whether it withdrew the request an hour and a half later. */
type DeletionRequest = Readonly<{ daysAgo: number; isWithdrawn: boolean }>;

/** The plans of the demo beside the built-in one. */
export type DemoPlan = 'PRO' | 'TEA' | 'TRY';
/** The plan of a license. An expiry in the past has a negative number of days. */
type LicenseSpec = Readonly<{ plan: DemoPlan; expiresInDays: number }>;

/** What the demo creates for a customer. */
export type CustomerSpec = Readonly<{
  name: string;
  domain: string;
  /** Index of its integrator in `integratorSpecs`. */
  integrator: number;
  sinceDaysAgo: number;
  status: AccountStatus;
  /** Why it is suspended or churned; null while it is active. */
  endReason: string | null;
  deletionRequest: DeletionRequest | null;
  /** Null for a perpetual license of the built-in plan. */
  license: LicenseSpec | null;
  tags: readonly string[];
  theme: string | null;
  /** The theme of its integrator that it has, by name. */
  brand: (typeof themeSpecs)[number]['themeName'] | null;
  developerSeats: number;
  stakeholderSeats: number;
  users: readonly UserSpec[];
  instances: readonly [InstanceSpec, ...InstanceSpec[]];
  /** API calls on a normal working day. */
  callsPerDay: number;
  errorRate: number;
}>;

/** The service integrators of the demo. */
export const integratorSpecs: readonly IntegratorSpec[] = [
  { companyName: 'Contour Partners', domain: 'contour-partners.example', sinceDaysAgo: 392 },
  { companyName: 'Stratus Consulting', domain: 'stratus-consulting.example', sinceDaysAgo: 340 },
  { companyName: 'Bright Path Systems', domain: 'brightpath.example', sinceDaysAgo: 221 },
  { companyName: 'Octave Services', domain: 'octave.example', sinceDaysAgo: 19 },
];

/** The themes that each service integrator of the demo has. */
export const themeSpecs = [
  {
    themeName: 'harbor',
    displayName: 'Harbor',
    description: 'Deep blue with a sand accent',
    primaryColor: '#0B4F8A',
    secondaryColor: '#2FA8D5',
    accentColor: '#E8B04A',
    makeDefault: true,
  },
  {
    themeName: 'orchid',
    displayName: 'Orchid',
    description: 'Violet for the evening shift',
    primaryColor: '#6B3FA0',
    secondaryColor: '#B07CE8',
    accentColor: '#F2C14E',
    makeDefault: false,
  },
  {
    themeName: 'fern',
    displayName: 'Fern',
    description: 'Calm green',
    primaryColor: '#1E7F4F',
    secondaryColor: '#6CC58F',
    accentColor: '#D8E36A',
    makeDefault: false,
  },
] as const;

/** Why customers are suspended or churned, by slug. */
const END_REASONS: Readonly<Record<string, string>> = {
  deltafreight: 'Invoice overdue',
  ironwood: 'Contract ended',
  nimbus: 'License key found in a public repository',
  willow: 'Merged with another customer',
};

/** Requests to delete an account, by slug. */
const DELETION_REQUESTS: Readonly<Record<string, DeletionRequest>> = {
  blueharbor: { daysAgo: 1.6, isWithdrawn: false },
  cobalt: { daysAgo: 4.2, isWithdrawn: false },
  evergreen: { daysAgo: 12.4, isWithdrawn: true },
};

/** Licenses of plans, by slug: in the middle of their term, expiring, in grace, expired and on trial. */
const LICENSES: Readonly<Record<string, LicenseSpec>> = {
  northwind: { plan: 'PRO', expiresInDays: 204 },
  aperture: { plan: 'TEA', expiresInDays: 96 },
  cobalt: { plan: 'PRO', expiresInDays: 12 },
  deltafreight: { plan: 'TEA', expiresInDays: -19 },
  evergreen: { plan: 'PRO', expiresInDays: 171 },
  granite: { plan: 'TEA', expiresInDays: -3 },
  helix: { plan: 'PRO', expiresInDays: 26 },
  kestrel: { plan: 'TEA', expiresInDays: 233 },
  meadow: { plan: 'TEA', expiresInDays: 5 },
  vertex: { plan: 'TRY', expiresInDays: 9 },
  zephyr: { plan: 'TRY', expiresInDays: 4 },
};

/** What service integrators keep about customers, by slug. */
const TAGS: Readonly<Record<string, readonly string[]>> = {
  northwind: ['key account', 'retail'],
  aperture: ['pilot'],
  blueharbor: ['finance', 'key account'],
  deltafreight: ['overdue'],
  evergreen: ['healthcare'],
  falcon: ['key account'],
  granite: ['finance'],
  riverbend: ['public sector'],
  vertex: ['trial'],
  zephyr: ['trial'],
};

const USER_REASONS = {
  inactive: ['On parental leave', 'Moved to another team', 'Contract ended'],
  suspended: ['Laptop reported lost', 'Shared the license key', 'Access review pending'],
} as const;

const companies: readonly [name: string, slug: string, status?: AccountStatus][] = [
  ['Northwind Traders', 'northwind'],
  ['Aperture Robotics', 'aperture'],
  ['Blue Harbor Bank', 'blueharbor'],
  ['Cobalt Systems', 'cobalt'],
  ['Delta Freight', 'deltafreight', 'suspended'],
  ['Evergreen Health', 'evergreen'],
  ['Falcon Aerospace', 'falcon'],
  ['Granite Insurance', 'granite'],
  ['Helix Biotech', 'helix'],
  ['Ironwood Energy', 'ironwood', 'churned'],
  ['Juniper Retail', 'juniper'],
  ['Kestrel Media', 'kestrel'],
  ['Lumen Optics', 'lumen'],
  ['Meadow Labs', 'meadow'],
  ['Nimbus Cloud', 'nimbus', 'suspended'],
  ['Orchard Foods', 'orchard'],
  ['Pinnacle Legal', 'pinnacle'],
  ['Quarry Mining', 'quarry'],
  ['Riverbend Schools', 'riverbend'],
  ['Tidewater Shipping', 'tidewater'],
  ['Umbra Security', 'umbra'],
  ['Vertex Motors', 'vertex'],
  ['Willow Housing', 'willow', 'churned'],
  ['Zephyr Airlines', 'zephyr'],
];

const usernames: readonly string[] = [
  'ada.brandt',
  'ben.okafor',
  'chloe.marsh',
  'dmitri.volkov',
  'elena.rossi',
  'felix.hansen',
  'grace.liu',
  'hugo.almeida',
  'ines.moreau',
  'jonas.weber',
  'kira.tanaka',
  'liam.oconnor',
  'maya.patel',
  'noah.kim',
  'olga.novak',
  'pedro.silva',
  'quinn.harper',
  'rosa.jimenez',
  'samir.haddad',
  'tessa.bakker',
  'umar.farouk',
  'vera.lindqvist',
  'will.turner',
  'xenia.petrou',
  'yusuf.demir',
  'zoe.carter',
];

const hex = (random: Random, length: number): string => Array.from({ length }, () => random.between(0, 15).toString(16)).join('');

export const newMachineId = (random: Random): string => hex(random, 32);

const usersOf = (random: Random, domain: string, seats: number): UserSpec[] => {
  const first = random.between(0, usernames.length - 1);
  const count = Math.min(usernames.length, Math.max(3, Math.round(seats * random.pick([0.3, 0.55, 0.72, 0.8, 0.93, 1]))));
  return Array.from({ length: count }, (_, index) => {
    const username = usernames[(first + index) % usernames.length] ?? 'ada.brandt';
    const role = index === 0 ? 'admin' : index % 6 === 5 ? 'stakeholder' : 'developer';
    const machineId = newMachineId(random);
    const status = index > 2 && index % 11 === 7 ? 'suspended' : index > 2 && index % 9 === 4 ? 'inactive' : 'active';
    return {
      username,
      email: `${username}@${domain}`,
      machineId: role === 'stakeholder' ? null : machineId,
      machineName: role === 'stakeholder' ? null : `${username.replace('.', '-')}-desktop`,
      role,
      status,
      statusReason: status === 'active' ? null : random.pick(USER_REASONS[status]),
      secondMachine:
        role === 'developer' && index % 3 === 1
          ? { name: `${username.replace('.', '-')}-laptop`, isApproved: index % 2 === 1 }
          : null,
    };
  });
};

const instancesOf = (random: Random, slug: string): CustomerSpec['instances'] => {
  const jira: InstanceSpec = {
    service: 'jira',
    instanceUrl: `https://${slug}.atlassian.example`,
    share: 6,
    medianMs: random.between(90, 190),
  };
  const more: InstanceSpec[] = [
    { service: 'azdo', instanceUrl: `https://dev.azure.example/${slug}`, share: 4, medianMs: random.between(120, 260) },
    { service: 'confluence', instanceUrl: `https://${slug}.atlassian.example/wiki`, share: 2, medianMs: random.between(140, 300) },
  ];
  return [jira, ...more.slice(0, random.between(0, 2))];
};

/** The customers have these in turn. */
const BRANDS = ['harbor', null, 'harbor', 'orchid', null, 'fern', null] as const;

/** The customers of the demo, newest last. */
export const customerSpecs = (random: Random): CustomerSpec[] =>
  companies.map(([name, slug, status = 'active'], index) => {
    const domain = `${slug}.example`;
    const seats = random.pick([10, 10, 12, 18, 20, 25]);
    const integrator = index % 7 === 6 ? 2 : index % 2;
    return {
      name,
      domain,
      integrator,
      // No customer is older than its integrator.
      sinceDaysAgo: Math.min(
        Math.max(2, 360 - index * 15 - random.between(0, 9)),
        (integratorSpecs[integrator]?.sinceDaysAgo ?? 0) - 3,
      ),
      status,
      endReason: END_REASONS[slug] ?? null,
      deletionRequest: DELETION_REQUESTS[slug] ?? null,
      license: LICENSES[slug] ?? null,
      tags: TAGS[slug] ?? [],
      theme: random.pick([null, null, 'aurora', 'meridian', 'summit']),
      brand: BRANDS[index % BRANDS.length] ?? null,
      developerSeats: index % 8 === 2 ? -1 : seats,
      stakeholderSeats: random.pick([5, 5, 10, -1]),
      users: usersOf(random, domain, seats),
      instances: instancesOf(random, slug),
      callsPerDay: random.pick([60, 110, 160, 240]),
      errorRate: random.pick([0.004, 0.01, 0.018, 0.035]),
    };
  });

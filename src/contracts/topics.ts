import type { CustomerId, IntegratorId, TeamId, UserId } from '../domain/ids.ts';

/** The words of a topic. It covers every topic that begins with them. */
export type Topic = readonly string[];

/** What can change on a screen. A topic is the prefix of the query keys that show it. */
export const topic = {
  customers: (): Topic => ['customers'],
  customer: (id: CustomerId): Topic => ['customer', id],
  integrators: (): Topic => ['integrators'],
  integrator: (id: IntegratorId): Topic => ['integrator', id],
  users: (): Topic => ['users'],
  usage: (id: CustomerId): Topic => ['usage', id],
  /** The recorded calls of several customers. */
  calls: (): Topic => ['calls'],
  credentials: (id: CustomerId): Topic => ['credentials', id],
  /** Of a customer, or of a service integrator. */
  history: (id: CustomerId | IntegratorId): Topic => ['history', id],
  /** The histories of all customers and of the administration. */
  audit: (): Topic => ['audit'],
  themes: (id: IntegratorId): Topic => ['themes', id],
  /** The custom themes of all service integrators. */
  allThemes: (): Topic => ['allThemes'],
  stats: (): Topic => ['stats'],
  monitoring: (): Topic => ['monitoring'],
  /** Alert rules and alerts. */
  alerts: (): Topic => ['alerts'],
  /** The plans of licenses. */
  plans: (): Topic => ['plans'],
  signIns: (): Topic => ['sign-ins'],
  /** The named users of a tenant, and its sign-in policy. */
  team: (id: TeamId): Topic => ['team', id],
} as const;

/** Rooms of the live feed. The server alone puts a socket into one. */
export const room = {
  admin: 'admin',
  integrator: (id: IntegratorId): string => `integrator:${id}`,
  /** The portal's sessions that see all of a customer: those of the key and of admins. */
  customer: (id: CustomerId): string => `customer:${id}`,
  /** The portal's sessions of other roles. They are notified of the license and the theme, not of other users. */
  portal: (id: CustomerId): string => `customer:${id} portal`,
  /** The portal's sessions of other roles that see the usage of the whole customer. */
  dashboards: (id: CustomerId): string => `customer:${id} dashboards`,
  /** The sessions of one portal user, for changes of this user. */
  user: (id: UserId): string => `user:${id}`,
} as const;

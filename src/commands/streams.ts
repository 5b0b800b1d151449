import { callStreamOf } from '../domain/apiCalls/events.ts';
import type { CredentialId, CustomerId, IntegratorId, TeamId, UserId } from '../domain/ids.ts';
import type { StreamName } from '../eventstore/port.ts';

/** The name of every stream. */
export const streams = {
  customer: (customerId: CustomerId): StreamName => `customer-${customerId}`,
  integrator: (integratorId: IntegratorId): StreamName => `integrator-${integratorId}`,
  /** One catalogue of custom themes per integrator. */
  themes: (integratorId: IntegratorId): StreamName => `themes-${integratorId}`,
  credential: (credentialId: CredentialId): StreamName => `credential-${credentialId}`,
  userActivity: (userId: UserId): StreamName => `userActivity-${userId}`,
  /** `day` is yyyy-mm-dd, UTC. */
  apiCalls: (customerId: CustomerId, day: string): StreamName => callStreamOf(customerId, day),
  /** Refused seats of a customer. */
  seatDenials: (customerId: CustomerId): StreamName => `seatDenials-${customerId}`,
  /** Who holds a floating seat of a customer. */
  seatLeases: (customerId: CustomerId): StreamName => `seatLeases-${customerId}`,
  adminActivity: 'adminActivity' as StreamName,
  /** `day` is yyyy-mm-dd, UTC. */
  signIns: (day: string): StreamName => `signIns-${day.replaceAll('-', '')}`,
  /** The named users of a tenant, and its sign-in policy. */
  team: (teamId: TeamId): StreamName => `team-${teamId}`,
  /** Starts of servers, and rebuilds of read models. */
  servers: 'operations-servers' as StreamName,
  /** The plans of the installation. */
  plans: 'plans-all' as StreamName,
  /** Imports of files, and bulk actions. */
  imports: 'operations-imports' as StreamName,
  /** Alert rules, and what they fired. */
  alerts: 'operations-alerts' as StreamName,
} as const;

/** The id of what a stream describes. */
export const ownerIdIn = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

/** The owner in a stream's name; the caller knows the category. */
export const ownerOf = {
  customer: (stream: string): CustomerId => ownerIdIn(stream) as CustomerId,
  seatLeases: (stream: string): CustomerId => ownerIdIn(stream) as CustomerId,
  integrator: (stream: string): IntegratorId => ownerIdIn(stream) as IntegratorId,
  themes: (stream: string): IntegratorId => ownerIdIn(stream) as IntegratorId,
  credential: (stream: string): CredentialId => ownerIdIn(stream) as CredentialId,
  /** The day, yyyymmdd. */
  signIns: (stream: string): string => ownerIdIn(stream),
  team: (stream: string): TeamId => ownerIdIn(stream) as TeamId,
} as const;

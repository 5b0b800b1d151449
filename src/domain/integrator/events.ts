import type { DomainEvent } from '../event.ts';
import type { CustomerId, IntegratorId } from '../ids.ts';

/** What becomes of the records of a customer that moves. */
export type MovedRecords = 'keep' | 'clear';

export type IntegratorRegistered = DomainEvent<
  'IntegratorRegistered',
  { integratorId: IntegratorId; companyName: string; contactEmail: string; billingEmail: string }
>;
export type MasterLicenseIssued = DomainEvent<'MasterLicenseIssued', { masterLicenseKey: string }>;
export type IntegratorProfileChanged = DomainEvent<
  'IntegratorProfileChanged',
  { companyName: string; contactEmail: string; billingEmail: string }
>;
export type IntegratorSuspended = DomainEvent<'IntegratorSuspended', { reason: string | null }>;
export type IntegratorReactivated = DomainEvent<'IntegratorReactivated', { reason: string | null }>;
export type IntegratorChurned = DomainEvent<'IntegratorChurned', { reason: string | null }>;
export type WhiteLabelEnabled = DomainEvent<'WhiteLabelEnabled'>;
export type WhiteLabelDisabled = DomainEvent<'WhiteLabelDisabled'>;
export type BrandingChanged = DomainEvent<'BrandingChanged', { customDomain: string | null; logoUrl: string | null }>;
export type CustomerEnrolled = DomainEvent<'CustomerEnrolled', { customerId: CustomerId }>;
/**
 * A customer of another service integrator is about to move here, and counts as enrolled. `move` numbers the moves of the customer; with
 * `clear` it comes without tags, notes, custom fields and external id.
 */
export type CustomerMoveBegun = DomainEvent<
  'CustomerMoveBegun',
  /** `commandId` of the command that began the move, which recognizes a repetition of it; null in events of version 1. */
  { customerId: CustomerId; move: number; records: MovedRecords; commandId: string | null }
>;
export type CustomerWithdrawn = DomainEvent<'CustomerWithdrawn', { customerId: CustomerId }>;
export type MasterLicenseKeyRotated = DomainEvent<'MasterLicenseKeyRotated', { masterLicenseKey: string }>;
/** A customer has an external id that no other customer of the service integrator may have. */
export type ExternalIdClaimed = DomainEvent<'ExternalIdClaimed', { customerId: CustomerId; externalId: string }>;
export type ExternalIdReleased = DomainEvent<'ExternalIdReleased', { customerId: CustomerId; externalId: string }>;
export type IntegratorDeleted = DomainEvent<'IntegratorDeleted'>;

/** The events of a service integrator's stream. */
export type IntegratorEvent =
  | IntegratorRegistered
  | MasterLicenseIssued
  | IntegratorProfileChanged
  | IntegratorSuspended
  | IntegratorReactivated
  | IntegratorChurned
  | WhiteLabelEnabled
  | WhiteLabelDisabled
  | BrandingChanged
  | CustomerEnrolled
  | CustomerMoveBegun
  | CustomerWithdrawn
  | ExternalIdClaimed
  | ExternalIdReleased
  | MasterLicenseKeyRotated
  | IntegratorDeleted;

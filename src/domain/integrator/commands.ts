import type { Command } from '../decider.ts';
import type { CustomerId, IntegratorId } from '../ids.ts';
import type { MovedRecords } from './events.ts';

type OfIntegrator<Data extends object = object> = Data & { integratorId: IntegratorId };

export type RegisterIntegrator = Command<
  'RegisterIntegrator',
  OfIntegrator<{ companyName: string; contactEmail: string; billingEmail: string; masterLicenseKey: string }>
>;
/** Absent fields stay unchanged. */
export type ChangeIntegratorProfile = Command<
  'ChangeIntegratorProfile',
  OfIntegrator<{ companyName?: string | undefined; contactEmail?: string | undefined; billingEmail?: string | undefined }>
>;
type SuspendIntegrator = Command<'SuspendIntegrator', OfIntegrator<{ reason: string | null }>>;
type ReactivateIntegrator = Command<'ReactivateIntegrator', OfIntegrator<{ reason: string | null }>>;
type ChurnIntegrator = Command<'ChurnIntegrator', OfIntegrator<{ reason: string | null }>>;
type EnableWhiteLabel = Command<'EnableWhiteLabel', OfIntegrator>;
type DisableWhiteLabel = Command<'DisableWhiteLabel', OfIntegrator>;
/** Absent fields stay unchanged; null clears one. */
export type ChangeBranding = Command<
  'ChangeBranding',
  OfIntegrator<{ customDomain?: string | null | undefined; logoUrl?: string | null | undefined }>
>;
/** The first half of an enrolment; see `enrolCustomer`. */
export type EnrolCustomer = Command<'EnrolCustomer', OfIntegrator<{ customerId: CustomerId; externalId?: string | undefined }>>;
export type ClaimExternalId = Command<'ClaimExternalId', OfIntegrator<{ customerId: CustomerId; externalId: string }>>;
/** Does nothing if the external id was claimed again since the sender read `claims`. */
export type ReleaseExternalId = Command<
  'ReleaseExternalId',
  OfIntegrator<{ customerId: CustomerId; externalId: string; claims: number }>
>;
/** The first step of a move; see `moveCustomer`. `move` is the number of the move, `externalId` the one that the customer keeps. */
export type BeginCustomerMove = Command<
  'BeginCustomerMove',
  OfIntegrator<{ customerId: CustomerId; move: number; records: MovedRecords; externalId: string | null }>
>;
/** With `move` it does nothing if the customer came here by a later move, or is about to. */
type WithdrawCustomer = Command<'WithdrawCustomer', OfIntegrator<{ customerId: CustomerId; move?: number | undefined }>>;
export type RotateMasterLicenseKey = Command<'RotateMasterLicenseKey', OfIntegrator<{ masterLicenseKey: string }>>;
type DeleteIntegrator = Command<'DeleteIntegrator', OfIntegrator>;

/** All commands to a service integrator. */
export type IntegratorCommand =
  | RegisterIntegrator
  | ChangeIntegratorProfile
  | SuspendIntegrator
  | ReactivateIntegrator
  | ChurnIntegrator
  | EnableWhiteLabel
  | DisableWhiteLabel
  | ChangeBranding
  | ClaimExternalId
  | ReleaseExternalId
  | EnrolCustomer
  | BeginCustomerMove
  | WithdrawCustomer
  | RotateMasterLicenseKey
  | DeleteIntegrator;

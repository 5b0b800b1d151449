import type {
  BeginCustomerMove,
  ChangeBranding,
  ChangeIntegratorProfile,
  RegisterIntegrator,
} from '../../../src/domain/integrator/commands.ts';
import { commandOf } from './command.ts';
import { customerIdOf, integratorIdOf } from './ids.ts';

const integratorId = integratorIdOf();

export const registerIntegrator = (overrides: Partial<RegisterIntegrator['data']> = {}) =>
  commandOf('RegisterIntegrator', {
    integratorId,
    companyName: 'Partner',
    contactEmail: 'tech@partner.example',
    billingEmail: 'bills@partner.example',
    masterLicenseKey: 'LK-SI-AAAA-BBBBB',
    ...overrides,
  });
export const changeIntegratorProfile = (change: Omit<ChangeIntegratorProfile['data'], 'integratorId'>) =>
  commandOf('ChangeIntegratorProfile', { integratorId, ...change });
export const suspendIntegrator = (reason: string | null = null) => commandOf('SuspendIntegrator', { integratorId, reason });
export const reactivateIntegrator = (reason: string | null = null) => commandOf('ReactivateIntegrator', { integratorId, reason });
export const churnIntegrator = (reason: string | null = null) => commandOf('ChurnIntegrator', { integratorId, reason });
export const enableWhiteLabel = () => commandOf('EnableWhiteLabel', { integratorId });
export const disableWhiteLabel = () => commandOf('DisableWhiteLabel', { integratorId });
export const changeBranding = (change: Omit<ChangeBranding['data'], 'integratorId'>) =>
  commandOf('ChangeBranding', { integratorId, ...change });
export const enrolCustomer = (customer = 'acme', externalId?: string) =>
  commandOf('EnrolCustomer', { integratorId, customerId: customerIdOf(customer), externalId });
export const claimExternalId = (customer = 'acme', externalId = 'crm-17') =>
  commandOf('ClaimExternalId', { integratorId, customerId: customerIdOf(customer), externalId });
export const releaseExternalId = (claims: number, customer = 'acme', externalId = 'crm-17') =>
  commandOf('ReleaseExternalId', { integratorId, customerId: customerIdOf(customer), externalId, claims });
export const beginCustomerMove = (overrides: Partial<BeginCustomerMove['data']> = {}) =>
  commandOf('BeginCustomerMove', {
    ...{ integratorId, customerId: customerIdOf(), move: 1, records: 'keep', externalId: null },
    ...overrides,
  });
export const withdrawCustomer = (customer = 'acme', move?: number) =>
  commandOf('WithdrawCustomer', { integratorId, customerId: customerIdOf(customer), move });
export const rotateMasterLicenseKey = (masterLicenseKey: string) =>
  commandOf('RotateMasterLicenseKey', { integratorId, masterLicenseKey });
export const deleteIntegrator = () => commandOf('DeleteIntegrator', { integratorId });

import { accept, type Decision, refuse } from '../decider.ts';
import { refusalOfTerm, type TermRefusal } from '../license/term.ts';
import { DEFAULT_PLAN, MAX_VOIDS } from '../limits.ts';
import { planCopyOf } from '../plan/terms.ts';
import type {
  AllocateSeats,
  AssignTheme,
  ChangeCustomerDetails,
  ChangeCustomerRecords,
  ChangePassword,
  FallBackFromTheme,
  LicenseCommand,
  RegisterCustomer,
  RotateLicenseKey,
  VoidApiCalls,
} from './commands.ts';
import { callQuotaChanged, decideCallQuota } from './decideCallQuota.ts';
import { type MoveRefusal, moveCustomer } from './decideMove.ts';
import { applyPlan, entitlementsChanged, floatingChanged, moveToPlan, type PlanOfferRefusal } from './decidePlan.ts';
import { decideTerm, termSet } from './decideTerm.ts';
import type {
  ApiCallsVoided,
  CustomerDetailsChanged,
  CustomerEvent,
  CustomerRecordsChanged,
  SeatsAllocated,
  ThemeAssigned,
  ThemeUnassigned,
} from './events.ts';
import { type CustomerRecords, isSameRecords, NO_RECORDS, orderedTags } from './records.ts';
import type { Customer } from './state.ts';

export type LicenseRefusal = 'wrong_current_password' | 'void_limit_reached' | 'no_calls_to_void' | MoveRefusal | PlanOfferRefusal;

export const register = ({ data, meta }: RegisterCustomer): Decision<CustomerEvent, TermRefusal> => {
  const refusal = data.term ? refusalOfTerm(data.term, meta.at) : null;
  if (refusal) return refuse(refusal);
  return accept<CustomerEvent>(
    {
      type: 'CustomerRegistered',
      data: {
        customerId: data.customerId,
        integratorId: data.integratorId,
        name: data.name,
        contactEmail: data.contactEmail,
        company: data.company,
      },
    },
    { type: 'LicenseIssued', data: { licenseKey: data.licenseKey, tier: data.plan?.code ?? DEFAULT_PLAN } },
    ...(data.plan ? [{ type: 'LicensePlanApplied' as const, data: planCopyOf(data.plan) }] : []),
    { type: 'SeatsAllocated', data: { developerSeats: data.developerSeats, stakeholderSeats: data.stakeholderSeats } },
    { type: data.seatLimitsEnforced ? 'SeatLimitsEnforced' : 'SeatLimitsRelaxed', data: {} },
    ...(data.theme ? [themeAssigned(data.theme)] : []),
    ...(data.term ? [termSet(data.term)] : []),
    ...entitlementsChanged(data.entitlements ?? null, null),
    ...callQuotaChanged(data.callQuota ?? null, null),
    ...floatingChanged(data.floatingDeveloperMinutes ?? null, null),
    ...recordsChanged(data.records ?? NO_RECORDS, NO_RECORDS),
  );
};

const recordsChanged = (wanted: CustomerRecords, records: CustomerRecords): CustomerRecordsChanged[] => {
  const { externalId, notes, customFields } = wanted;
  const data = { externalId, tags: orderedTags(wanted.tags), notes, customFields };
  return isSameRecords(data, records) ? [] : [{ type: 'CustomerRecordsChanged', data }];
};

const themeAssigned = ({ theme, source }: ThemeAssigned['data']): ThemeAssigned => ({
  type: 'ThemeAssigned',
  data: { theme, source },
});

const changeDetails = ({ data }: ChangeCustomerDetails, customer: Customer): Decision<CustomerDetailsChanged, never> => {
  const name = data.name ?? customer.name;
  const contactEmail = data.contactEmail ?? customer.contactEmail;
  const company = data.company === undefined ? customer.company : data.company;
  const same = name === customer.name && contactEmail === customer.contactEmail && company === customer.company;
  return same ? accept() : accept({ type: 'CustomerDetailsChanged', data: { name, contactEmail, company } });
};

const changeRecords = ({ data }: ChangeCustomerRecords, { records }: Customer): Decision<CustomerRecordsChanged, never> => {
  const { externalId = records.externalId, tags = records.tags, notes = records.notes } = data;
  const { customFields = records.customFields } = data;
  return accept(...recordsChanged({ externalId, tags, notes, customFields }, records));
};

/** Fewer seats than are claimed are accepted: no user loses a seat, new claims are refused. */
const allocateSeats = ({ data }: AllocateSeats, { seats }: Customer): Decision<SeatsAllocated, never> => {
  const developerSeats = data.developerSeats ?? seats.developer.allocated;
  const stakeholderSeats = data.stakeholderSeats ?? seats.stakeholder.allocated;
  const same = developerSeats === seats.developer.allocated && stakeholderSeats === seats.stakeholder.allocated;
  return same ? accept() : accept({ type: 'SeatsAllocated', data: { developerSeats, stakeholderSeats } });
};

const assignTheme = ({ data }: AssignTheme, { theme }: Customer): Decision<ThemeAssigned, never> =>
  theme?.theme === data.theme && theme.source === data.source ? accept() : accept(themeAssigned(data));

const fallBack = ({ data }: FallBackFromTheme, { theme }: Customer): Decision<ThemeAssigned | ThemeUnassigned, never> => {
  if (theme?.theme !== data.from) return accept();
  return data.to === null
    ? accept({ type: 'ThemeUnassigned', data: {} })
    : accept(themeAssigned({ theme: data.to, source: 'default' }));
};

const rotateKey = ({ data: { licenseKey } }: RotateLicenseKey, customer: Customer): Decision<CustomerEvent, never> =>
  licenseKey === customer.licenseKey ? accept() : accept({ type: 'LicenseKeyRotated', data: { licenseKey } });

/** Refused if the verified password is no longer the current one: of two concurrent changes, one wins. */
const changePassword = ({ data }: ChangePassword, { passwordHash }: Customer): Decision<CustomerEvent, LicenseRefusal> => {
  if (data.passwordHash === passwordHash) return accept();
  if (data.verifiedAgainst !== passwordHash) return refuse('wrong_current_password');
  return accept({ type: 'PasswordChanged', data: { passwordHash: data.passwordHash } });
};

const voidCalls = ({ data }: VoidApiCalls, { voids }: Customer): Decision<ApiCallsVoided, LicenseRefusal> => {
  if (voids >= MAX_VOIDS) return refuse('void_limit_reached');
  if (!data.isRecorded) return refuse('no_calls_to_void');
  const { voidId, sourceId, firstSequence, lastSequence, from, until, reason } = data;
  return accept({
    type: 'ApiCallsVoided',
    data: { voidId, sourceId, firstSequence, lastSequence, from, until, reason },
  });
};

export const decideLicense = (command: LicenseCommand, customer: Customer): Decision<CustomerEvent, LicenseRefusal> => {
  switch (command.type) {
    case 'ChangeCustomerDetails':
      return changeDetails(command, customer);
    case 'MoveCustomer':
      return moveCustomer(command, customer);
    case 'ChangeCustomerRecords':
      return changeRecords(command, customer);
    case 'AllocateSeats':
      return allocateSeats(command, customer);
    case 'EnforceSeatLimits':
      return customer.seatLimitsEnforced ? accept() : accept({ type: 'SeatLimitsEnforced', data: {} });
    case 'RelaxSeatLimits':
      return customer.seatLimitsEnforced ? accept({ type: 'SeatLimitsRelaxed', data: {} }) : accept();
    case 'EnforceMachineApproval':
      return customer.machineApprovalEnforced ? accept() : accept({ type: 'MachineApprovalEnforced', data: {} });
    case 'RelaxMachineApproval':
      return customer.machineApprovalEnforced ? accept({ type: 'MachineApprovalRelaxed', data: {} }) : accept();
    case 'SetMachineLimit': {
      const { limit } = command.data;
      return limit === customer.machineLimit ? accept() : accept({ type: 'MachineLimitSet', data: { limit } });
    }
    case 'SetCallQuota':
    case 'AnnounceCallQuota':
      return decideCallQuota(command, customer);
    case 'SetIdleRelease': {
      const { days } = command.data;
      return days === customer.idleReleaseDays ? accept() : accept({ type: 'IdleReleaseSet', data: { days } });
    }
    case 'SetFloatingSeats': {
      const { kind, minutes } = command.data;
      return minutes === customer.floatingMinutes[kind] ? accept() : accept({ type: 'FloatingSeatsSet', data: { kind, minutes } });
    }
    case 'SuspendCustomer':
      if (customer.status === 'suspended') return accept();
      return accept({ type: 'CustomerSuspended', data: { reason: command.data.reason } });
    case 'ReactivateCustomer':
      if (customer.status === 'active') return accept();
      return accept({ type: 'CustomerReactivated', data: { reason: command.data.reason } });
    case 'ChurnCustomer':
      if (customer.status === 'churned') return accept();
      return accept({ type: 'CustomerChurned', data: { reason: command.data.reason } });
    case 'AssignTheme':
      return assignTheme(command, customer);
    case 'UnassignTheme':
      return customer.theme ? accept({ type: 'ThemeUnassigned', data: {} }) : accept();
    case 'FallBackFromTheme':
      return fallBack(command, customer);
    case 'RotateLicenseKey':
      return rotateKey(command, customer);
    case 'ApplyPlan':
      return applyPlan(command, customer);
    case 'MoveToPlan':
      return moveToPlan(command, customer);
    case 'SetLicenseEntitlements':
      return accept(...entitlementsChanged(command.data.entitlements, customer.entitlements));
    case 'SetLicenseTerm':
    case 'RemoveLicenseTerm':
    case 'RenewLicense':
    case 'ExtendLicense':
    case 'AdvanceLicenseTerm':
      return decideTerm(command, customer);
    case 'VoidApiCalls':
      return voidCalls(command, customer);
    case 'ChangePassword':
      return changePassword(command, customer);
    case 'ResetPassword':
      return customer.passwordHash === null ? accept() : accept({ type: 'PasswordReset', data: {} });
    case 'RequestAccountDeletion':
      return customer.deletionRequested ? accept() : accept({ type: 'AccountDeletionRequested', data: {} });
    case 'WithdrawAccountDeletion':
      return customer.deletionRequested ? accept({ type: 'AccountDeletionWithdrawn', data: {} }) : accept();
  }
};

import type { LicensePlanApplied, LicensePlanRemoved } from '../../../src/domain/customer/events.ts';
import type { PlanCode } from '../../../src/domain/ids.ts';
import type { PlanChanged, PlanCopy, PlanCreated, PlanRetired, PlanTerms } from '../../../src/domain/plan/events.ts';

export const planCodeOf = (code = 'PRO'): PlanCode => code as PlanCode;

/** A year with two weeks of grace. */
export const planTerms = (overrides: Partial<PlanTerms> = {}): PlanTerms => ({
  name: 'Professional',
  developerSeats: 20,
  stakeholderSeats: -1,
  seatLimitsEnforced: true,
  termMonths: 12,
  termDays: null,
  graceDays: 14,
  isTrial: false,
  offlineDays: 30,
  entitlements: null,
  callQuota: null,
  floatingDeveloperMinutes: null,
  ...overrides,
});
export const planCopy = (overrides: Partial<PlanCopy> = {}): PlanCopy => ({
  code: planCodeOf(),
  version: 1,
  ...planTerms(),
  ...overrides,
});
export const planCreated = (overrides: Partial<PlanCreated['data']> = {}): PlanCreated => ({
  type: 'PlanCreated',
  data: { code: planCodeOf(), ...planTerms(), ...overrides },
});
export const planChanged = (overrides: Partial<PlanChanged['data']> = {}): PlanChanged => ({
  type: 'PlanChanged',
  data: { code: planCodeOf(), ...planTerms(), ...overrides },
});
export const planRetired = (): PlanRetired => ({ type: 'PlanRetired', data: { code: planCodeOf() } });
export const licensePlanApplied = (overrides: Partial<PlanCopy> = {}): LicensePlanApplied => ({
  type: 'LicensePlanApplied',
  data: planCopy(overrides),
});
export const licensePlanRemoved = (): LicensePlanRemoved => ({ type: 'LicensePlanRemoved', data: {} });

import { accept, type Decision, refuse } from '../decider.ts';
import type { PlanCopy, PlanTerms } from '../plan/events.ts';
import { planCopyOf } from '../plan/terms.ts';
import type { ApplyPlan } from './commands.ts';
import { termSet } from './decideTerm.ts';
import { type Entitlements, isSameEntitlements, orderedEntitlements } from './entitlements.ts';
import type { CustomerEvent, LicenseEntitlementsSet } from './events.ts';
import type { Customer } from './state.ts';
import { refusalOfTerm, type TermRefusal } from './term.ts';

export type PlanOfferRefusal = 'license_without_plan' | TermRefusal;

/** The event if the license includes something else than before. */
export const entitlementsChanged = (wanted: Entitlements, before: Entitlements): LicenseEntitlementsSet[] => {
  const entitlements = orderedEntitlements(wanted);
  return isSameEntitlements(entitlements, before) ? [] : [{ type: 'LicenseEntitlementsSet', data: { entitlements } }];
};

/** What the plan says of a field if that changed since the license copied it, else what the license has. */
const fieldsFrom =
  (copied: PlanCopy, plan: PlanCopy) =>
  <Field extends Exclude<keyof PlanTerms, 'entitlements'>>(field: Field, current: PlanTerms[Field]): PlanTerms[Field] =>
    copied[field] === plan[field] ? current : plan[field];

/**
 * Copies the plan of the license again. Only what the plan changed since the last copy replaces what the license has, so that seats and terms
 * that were agreed for this license stay. The expiry stays too: a changed number of months is for new licenses.
 */
export const applyPlan = (
  { data: { plan }, meta: { at } }: ApplyPlan,
  { plan: copied, seats, seatLimitsEnforced, term, entitlements }: Customer,
): Decision<CustomerEvent, PlanOfferRefusal> => {
  if (copied === null || copied.code !== plan.code) return refuse('license_without_plan');
  if (copied.version >= plan.version) return accept();
  const given = fieldsFrom(copied, plan);
  const events: CustomerEvent[] = [{ type: 'LicensePlanApplied', data: planCopyOf(plan) }];
  const developerSeats = given('developerSeats', seats.developer.allocated);
  const stakeholderSeats = given('stakeholderSeats', seats.stakeholder.allocated);
  if (developerSeats !== seats.developer.allocated || stakeholderSeats !== seats.stakeholder.allocated) {
    events.push({ type: 'SeatsAllocated', data: { developerSeats, stakeholderSeats } });
  }
  const isEnforced = given('seatLimitsEnforced', seatLimitsEnforced);
  if (isEnforced !== seatLimitsEnforced) events.push({ type: isEnforced ? 'SeatLimitsEnforced' : 'SeatLimitsRelaxed', data: {} });
  if (!isSameEntitlements(copied.entitlements, plan.entitlements)) {
    events.push(...entitlementsChanged(plan.entitlements, entitlements));
  }
  if (term === null) return accept(...events);
  const next = { ...term, graceDays: given('graceDays', term.graceDays), isTrial: given('isTrial', term.isTrial) };
  if (next.graceDays === term.graceDays && next.isTrial === term.isTrial) return accept(...events);
  const refusal = refusalOfTerm(next, at);
  return refusal ? refuse(refusal) : accept(...events, termSet(next));
};

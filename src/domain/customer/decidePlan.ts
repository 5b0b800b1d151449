import { accept, type Decision, refuse } from '../decider.ts';
import { isSameCallQuota } from '../license/callQuota.ts';
import { type Entitlements, isSameEntitlements, orderedEntitlements } from '../license/entitlements.ts';
import { refusalOfTerm, type Term, type TermRefusal } from '../license/term.ts';
import type { PlanCopy, PlanTerms } from '../plan/events.ts';
import { BUILT_IN_PLAN, planCopyOf, termOfPlan } from '../plan/terms.ts';
import type { ApplyPlan, MoveToPlan } from './commands.ts';
import { callQuotaChanged } from './decideCallQuota.ts';
import { isSameTerm, termSet } from './decideTerm.ts';
import type { CustomerEvent, FloatingSeatsSet, LicenseEntitlementsSet } from './events.ts';
import type { Customer } from './state.ts';

/** Why an offer of a plan cannot be accepted: the license has no plan, or the new term is not valid. */
export type PlanOfferRefusal = 'license_without_plan' | TermRefusal;

/** The event if the license includes something else than before. */
export const entitlementsChanged = (wanted: Entitlements, before: Entitlements): LicenseEntitlementsSet[] => {
  const entitlements = orderedEntitlements(wanted);
  return isSameEntitlements(entitlements, before) ? [] : [{ type: 'LicenseEntitlementsSet', data: { entitlements } }];
};

/** What the plan says of a field if that changed since the license copied it, else what the license has. */
const fieldsFrom =
  (copied: PlanCopy, plan: PlanCopy) =>
  <Field extends Exclude<keyof PlanTerms, 'entitlements' | 'callQuota'>>(
    field: Field,
    current: PlanTerms[Field],
  ): PlanTerms[Field] =>
    copied[field] === plan[field] ? current : plan[field];

type LicenseValues = Pick<
  PlanTerms,
  'developerSeats' | 'stakeholderSeats' | 'seatLimitsEnforced' | 'entitlements' | 'callQuota' | 'floatingDeveloperMinutes'
>;

/** The event if developer seats become floating, named, or free after other minutes than before. */
export const floatingChanged = (minutes: number | null, before: number | null): FloatingSeatsSet[] =>
  minutes === before ? [] : [{ type: 'FloatingSeatsSet', data: { kind: 'developer', minutes } }];

/** The events for what a license gets that it does not have. */
const valuesSet = (
  { developerSeats, stakeholderSeats, seatLimitsEnforced, entitlements, callQuota, floatingDeveloperMinutes }: LicenseValues,
  { seats, ...customer }: Customer,
): CustomerEvent[] => {
  const hasSeats = developerSeats === seats.developer.allocated && stakeholderSeats === seats.stakeholder.allocated;
  const isSameLimit = seatLimitsEnforced === customer.seatLimitsEnforced;
  return [
    ...(hasSeats ? [] : [{ type: 'SeatsAllocated' as const, data: { developerSeats, stakeholderSeats } }]),
    ...(isSameLimit
      ? []
      : [{ type: seatLimitsEnforced ? ('SeatLimitsEnforced' as const) : ('SeatLimitsRelaxed' as const), data: {} }]),
    ...entitlementsChanged(entitlements, customer.entitlements),
    ...callQuotaChanged(callQuota, customer.callQuota),
    ...floatingChanged(floatingDeveloperMinutes, customer.floatingMinutes.developer),
  ];
};

/** The events if the license gets another term: undefined makes it perpetual. Refused where the license could not have the term. */
const withTermOf = (
  term: Term | undefined,
  customer: Customer,
  at: string,
  events: readonly CustomerEvent[],
): Decision<CustomerEvent, TermRefusal> => {
  if (!term) return customer.term === null ? accept(...events) : accept(...events, { type: 'LicenseTermRemoved', data: {} });
  if (customer.term && isSameTerm(customer.term, term)) return accept(...events);
  const refusal = refusalOfTerm(term, at);
  return refusal ? refuse(refusal) : accept(...events, termSet(term));
};

/**
 * Copies the plan of the license again. Only what the plan changed since the last copy replaces what the license has, so that seats and terms
 * that were agreed for this license stay. The expiry stays too: a changed term is for new licenses.
 */
export const applyPlan = (
  { data: { plan }, meta: { at } }: ApplyPlan,
  customer: Customer,
): Decision<CustomerEvent, PlanOfferRefusal> => {
  const { plan: copied, seats, term } = customer;
  if (copied === null || copied.code !== plan.code) return refuse('license_without_plan');
  if (copied.version >= plan.version) return accept();
  const given = fieldsFrom(copied, plan);
  const events: CustomerEvent[] = [
    { type: 'LicensePlanApplied', data: planCopyOf(plan) },
    ...valuesSet(
      {
        developerSeats: given('developerSeats', seats.developer.allocated),
        stakeholderSeats: given('stakeholderSeats', seats.stakeholder.allocated),
        seatLimitsEnforced: given('seatLimitsEnforced', customer.seatLimitsEnforced),
        entitlements: isSameEntitlements(copied.entitlements, plan.entitlements) ? customer.entitlements : plan.entitlements,
        callQuota: isSameCallQuota(copied.callQuota, plan.callQuota) ? customer.callQuota : plan.callQuota,
        floatingDeveloperMinutes: given('floatingDeveloperMinutes', customer.floatingMinutes.developer),
      },
      customer,
    ),
  ];
  const next = term && { ...term, graceDays: given('graceDays', term.graceDays), isTrial: given('isTrial', term.isTrial) };
  return withTermOf(next ?? undefined, customer, at, events);
};

/**
 * Gives the license another plan with all of its values: another plan is another agreement, so that what was agreed for the license under
 * the former one does not stay. The key stays. Does nothing if the license has the plan, so that clients may retry.
 */
export const moveToPlan = (
  { data: { plan, term: choice }, meta: { at } }: MoveToPlan,
  customer: Customer,
): Decision<CustomerEvent, TermRefusal> => {
  if (plan?.code === customer.plan?.code) return accept();
  const { graceDays, isTrial, ...values } = plan ?? BUILT_IN_PLAN;
  const kept = customer.term ? { ...customer.term, graceDays, isTrial } : undefined;
  const term = choice === 'keep' ? kept : termOfPlan(plan ?? BUILT_IN_PLAN, at);
  return withTermOf(term, customer, at, [
    plan ? { type: 'LicensePlanApplied', data: planCopyOf(plan) } : { type: 'LicensePlanRemoved', data: {} },
    ...valuesSet(values, customer),
  ]);
};

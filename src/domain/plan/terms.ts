import { addDays, addMonths } from '../calendar.ts';
import type { PlanCode } from '../ids.ts';
import { orderedEntitlements } from '../license/entitlements.ts';
import type { Term } from '../license/term.ts';
import {
  DEFAULT_DEVELOPER_SEATS,
  DEFAULT_PLAN,
  DEFAULT_PLAN_NAME,
  DEFAULT_SEAT_LIMITS_ENFORCED,
  DEFAULT_STAKEHOLDER_SEATS,
  OFFLINE_LICENSE_DAYS,
} from '../limits.ts';
import type { PlanCopy, PlanTerms } from './events.ts';

/** The plan of a license that is created without another one. It is in no stream. */
export const BUILT_IN_PLAN: PlanTerms & Readonly<{ code: PlanCode }> = {
  code: DEFAULT_PLAN as PlanCode,
  name: DEFAULT_PLAN_NAME,
  developerSeats: DEFAULT_DEVELOPER_SEATS,
  stakeholderSeats: DEFAULT_STAKEHOLDER_SEATS,
  seatLimitsEnforced: DEFAULT_SEAT_LIMITS_ENFORCED,
  termMonths: null,
  termDays: null,
  graceDays: 0,
  isTrial: false,
  offlineDays: OFFLINE_LICENSE_DAYS,
  entitlements: null,
  callQuota: null,
  floatingDeveloperMinutes: null,
};

/** The built-in plan has never changed. */
export const BUILT_IN_VERSION = 1;

/** Only the terms of a plan, of a value that may have further fields. */
export const planTermsOf = ({
  name,
  developerSeats,
  stakeholderSeats,
  seatLimitsEnforced,
  termMonths,
  termDays,
  graceDays,
  isTrial,
  offlineDays,
  entitlements,
  callQuota,
  floatingDeveloperMinutes,
}: PlanTerms): PlanTerms => ({
  name,
  developerSeats,
  stakeholderSeats,
  seatLimitsEnforced,
  termMonths,
  termDays,
  graceDays,
  isTrial,
  offlineDays,
  entitlements: orderedEntitlements(entitlements),
  callQuota: callQuota && { limit: callQuota.limit, kind: callQuota.kind },
  floatingDeveloperMinutes,
});

/** What a license copies of a plan. */
export const planCopyOf = (plan: PlanCopy): PlanCopy => ({ code: plan.code, version: plan.version, ...planTermsOf(plan) });

/** Whether licenses of the plan get a term. Without one they are perpetual. */
export const hasTerm = ({ termMonths, termDays }: Pick<PlanTerms, 'termMonths' | 'termDays'>): boolean =>
  termMonths !== null || termDays !== null;

const expiryOfPlan = ({ termMonths, termDays }: PlanTerms, at: string): string | undefined => {
  if (termMonths !== null) return addMonths(at, termMonths);
  return termDays === null ? undefined : addDays(at, termDays);
};

/** The term that a plan gives to a license at an instant (ISO-8601 UTC); undefined for a perpetual one. */
export const termOfPlan = (plan: PlanTerms, at: string): Term | undefined => {
  const expiresAt = expiryOfPlan(plan, at);
  return expiresAt === undefined ? undefined : { startsAt: at, expiresAt, graceDays: plan.graceDays, isTrial: plan.isTrial };
};

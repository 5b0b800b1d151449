import { type NoInverse, restored } from '../inverse.ts';
import type { Plans } from './decider.ts';
import type { PlanCopy, PlanEvent, PlanTerms } from './events.ts';
import { planTermsOf } from './terms.ts';

/** The terms of a plan that take an event back. */
export type PlanInverse = Readonly<{ plan: PlanCopy; changes: Partial<PlanTerms> }>;

/** Each term as a text, so that entitlements and quotas can be compared too. */
const textsOf = (terms: PlanTerms): Record<string, string> =>
  Object.fromEntries(Object.entries(planTermsOf(terms)).map(([field, value]) => [field, JSON.stringify(value)]));

/** What takes an event of the plans back, from the state before it and the state now. A retired plan is not changed. */
export const inverseOf = (event: PlanEvent, before: Plans, now: Plans): PlanInverse | NoInverse | 'plan_retired' => {
  if (event.type !== 'PlanChanged') return 'revert_unsupported';
  const former = before.get(event.data.code);
  const plan = now.get(event.data.code);
  if (!former || !plan) return 'revert_outdated';
  if (plan.isRetired) return 'plan_retired';
  const texts = restored(textsOf(former), textsOf(event.data), textsOf(plan));
  if (!texts) return 'revert_outdated';
  const changes = Object.fromEntries(Object.entries(planTermsOf(former)).filter(([field]) => Object.hasOwn(texts, field)));
  return { plan, changes };
};

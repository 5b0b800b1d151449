import { planTermsOf } from '../../domain/plan/terms.ts';
import type { Projection } from '../engine/projection.ts';
import type { MainRows } from '../main/rows.ts';

/** One row for each plan. */
export const plans: Projection<MainRows> = {
  name: 'plans',
  version: 6,
  on: {
    customer: 'ignored',
    integrator: 'ignored',
    themes: 'ignored',
    credential: 'ignored',
    userActivity: 'ignored',
    apiCalls: 'ignored',
    adminActivity: 'ignored',
    seatDenials: 'ignored',
    seatLeases: 'ignored',
    signIns: 'ignored',
    team: 'ignored',
    operations: 'ignored',
    plans: {
      PlanCreated: ({ event: { data }, at }, rows) =>
        rows.plans.put({ code: data.code, terms: planTermsOf(data), version: 1, changed_at: at, retired_at: null }),
      PlanChanged: ({ event: { data }, at }, rows) => {
        const plan = rows.plans.get(data.code);
        if (plan) rows.plans.change(plan, { terms: planTermsOf(data), version: plan.version + 1, changed_at: at });
      },
      PlanRetired: ({ event: { data }, at }, rows) => {
        const plan = rows.plans.get(data.code);
        if (plan) rows.plans.change(plan, { retired_at: at });
      },
    },
  },
};

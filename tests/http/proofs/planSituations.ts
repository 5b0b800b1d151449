import { newCustomer } from '../../support/apiClient.ts';
import { planTerms } from '../../support/builders/plan.ts';
import type { Caused, Situation } from './situation.ts';

const PLANS = '/api/admin/plans';
const codeOf = (index: number): string =>
  [676, 26, 1].map((divisor) => String.fromCharCode(65 + (Math.floor(index / divisor) % 26))).join('');

/** What is refused about plans. */
export const planSituations = {
  plan_not_found: {
    cause: ({ admin }) => admin.put(`${PLANS}/ZZZ`, planTerms()),
    status: 404,
    error: 'Plan not found',
  },
  plan_exists: {
    cause: async ({ admin }) => {
      await admin.post(PLANS, { code: 'TWO', ...planTerms() });
      return admin.post(PLANS, { code: 'TWO', ...planTerms(), name: 'Another plan' });
    },
    status: 409,
    error: 'A plan with this code exists, or was retired. Choose another code.',
  },
  plan_built_in: {
    cause: ({ admin }) => admin.post(`${PLANS}/ENT/retire`),
    status: 409,
    error: 'The plan ENT is built in. Create another plan instead.',
  },
  plan_retired: {
    cause: async ({ admin }) => {
      await admin.post(PLANS, { code: 'OLD', ...planTerms() });
      await admin.post(`${PLANS}/OLD/retire`);
      return admin.put(`${PLANS}/OLD`, planTerms());
    },
    status: 409,
    error: 'This plan is retired. Choose another plan.',
  },
  plan_term_missing: {
    cause: ({ admin }) => admin.post(PLANS, { code: 'NOT', ...planTerms({ termMonths: null }) }),
    status: 400,
    error: 'Days of grace and a trial need a term. Enter a term, or remove both.',
  },
  license_without_plan: {
    cause: ({ mine }) => mine.partner.post(`/api/service-integrator/customers/${mine.ids.customer}/plan-offer`, { version: 1 }),
    status: 409,
    error: 'This license has the built-in plan, which does not change.',
  },
  plan_offer_outdated: {
    cause: async ({ admin, mine }) => {
      await admin.post(PLANS, { code: 'OFR', ...planTerms() });
      const { id } = await newCustomer(admin, mine.ids.integrator, { plan: 'OFR' });
      return admin.post(`/api/admin/customers/${id}/plan-offer`, { version: 2 });
    },
    status: 409,
    error: 'The plan has changed since then. Check its changes again.',
  },
  plan_unknown: {
    cause: ({ mine }) =>
      mine.partner.post('/api/service-integrator/customers', {
        name: 'Acme',
        contactEmail: 'it@acme.example',
        company: 'Acme',
        plan: 'ZZZ',
      }),
    status: 400,
    error: 'Unknown plan. Choose another one.',
  },
  // The last one: no further plan can be created after it.
  plan_limit_reached: {
    cause: async ({ admin }) => {
      for (let index = 0; ; index++) {
        const reply = await admin.post(PLANS, { code: codeOf(index), ...planTerms() });
        if (reply.status !== 201) return reply;
      }
    },
    status: 409,
    error: 'There are 100 plans with those that are retired, the maximum. Change a plan instead.',
  },
} satisfies { readonly [Code in Caused]?: Situation };

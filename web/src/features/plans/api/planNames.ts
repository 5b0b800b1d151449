import { queryOptions } from '@tanstack/react-query';
import type { PlanChoice, PlanChoicesReply, PlansReply } from '../../../../../src/contracts/plans.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { api } from '../../../api/client.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { planFilterTexts as texts } from '../filterTexts.ts';

/** The path of the plans, for who manages customers. */
export const plansPath = { admin: '/api/admin/plans', integrator: '/api/service-integrator/plans' } as const satisfies Record<
  CustomerManager,
  string
>;

/** The plans that licenses may have, with those that are retired. */
export const planNamesQuery = (manager: CustomerManager) =>
  queryOptions({
    queryKey: [...topic.plans(), 'names', manager],
    queryFn: async ({ signal }): Promise<readonly Pick<PlanChoice, 'code' | 'name'>[]> =>
      (
        await api.get<PlansReply | PlanChoicesReply>(plansPath[manager], {
          signal,
          fallback: texts.loadFailed,
          ...(manager === 'integrator' && { query: { retired: 'true' } }),
        })
      ).plans,
  });

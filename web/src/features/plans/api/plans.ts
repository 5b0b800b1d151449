import { queryOptions } from '@tanstack/react-query';
import type { CreatePlan, Plan, PlanChoice, PlanChoicesReply, PlansReply } from '../../../../../src/contracts/plans.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { api } from '../../../api/client.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { useChange } from '../../../api/useChange.ts';
import { planTexts as texts } from '../texts.ts';
import { plansPath } from './planNames.ts';

/** Where the plans are, with those that are retired. */
export const PLANS = plansPath.admin;

/** All plans, as administrators see them. */
export const plansQuery = () =>
  queryOptions({
    queryKey: [...topic.plans(), 'list'],
    queryFn: ({ signal }) => api.get<PlansReply>(PLANS, { signal, fallback: texts.loadFailed }),
  });

const isChoice = ({ retiredAt }: Plan): boolean => retiredAt === null;

/** The plans that a new customer can have. */
export const planChoicesQuery = (manager: CustomerManager) =>
  queryOptions({
    queryKey: [...topic.plans(), 'choices', manager],
    queryFn: async ({ signal }): Promise<PlanChoice[]> => {
      if (manager === 'admin') {
        return (await api.get<PlansReply>(PLANS, { signal, fallback: texts.loadFailed })).plans.filter(isChoice);
      }
      const reply = await api.get<PlanChoicesReply>(plansPath.integrator, { signal, fallback: texts.loadFailed });
      return reply.plans;
    },
  });

const changed = () => [topic.plans()];

/** `POST /api/admin/plans`. */
export const useCreatePlan = () =>
  useChange((body: CreatePlan) => api.post(PLANS, body, { fallback: texts.createFailed }), changed);

/** `PUT /api/admin/plans/:code`. */
export const useChangePlan = () =>
  useChange(({ code, ...terms }: CreatePlan) => api.put(`${PLANS}/${code}`, terms, { fallback: texts.saveFailed }), changed);

/** `POST /api/admin/plans/:code/retire`. */
export const useRetirePlan = () =>
  useChange((code: string) => api.post(`${PLANS}/${code}/retire`, undefined, { fallback: texts.retireFailed }), changed);

import { queryOptions } from '@tanstack/react-query';
import type { CustomerReply } from '../../../../../src/contracts/customers.ts';
import type { PlanOfferReply } from '../../../../../src/contracts/plans.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { type CustomerManager, customersPath } from '../../../api/customersPath.ts';
import { useChange } from '../../../api/useChange.ts';
import { planOfferTexts as texts } from '../offerTexts.ts';

const pathOf = (manager: CustomerManager, id: CustomerId): string => `${customersPath[manager]}/${id}/plan-offer`;

/** What the plan of a license changed since the license copied it. */
export const planOfferQuery = (manager: CustomerManager, id: CustomerId) =>
  queryOptions({
    queryKey: [...topic.plans(), 'offer', manager, id],
    queryFn: ({ signal }) => api.get<PlanOfferReply>(pathOf(manager, id), { signal, fallback: texts.loadFailed }),
  });

/** `POST …/customers/:customerId/plan-offer`, with the version that was shown. */
export const useAcceptPlanOffer = (manager: CustomerManager, id: CustomerId) =>
  useChange(
    (version: number) => api.post<CustomerReply>(pathOf(manager, id), { version }, { fallback: texts.applyFailed }),
    () => [topic.plans(), topic.customer(id), topic.customers(), topic.history(id)],
  );

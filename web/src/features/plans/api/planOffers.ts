import { queryOptions } from '@tanstack/react-query';
import type { CustomerReply } from '../../../../../src/contracts/customers.ts';
import type { PlanMoveReply, PlanOffer, PlanOfferReply } from '../../../../../src/contracts/planOffers.ts';
import type { MoveToPlan } from '../../../../../src/contracts/plans.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { api, type BulkKeys } from '../../../api/client.ts';
import { type CustomerManager, customersPath } from '../../../api/customersPath.ts';
import { useChange } from '../../../api/useChange.ts';
import { planMoveTexts as moveTexts } from '../moveTexts.ts';
import { planOfferTexts as texts } from '../offerTexts.ts';

const pathOf = (manager: CustomerManager, id: CustomerId): string => `${customersPath[manager]}/${id}/plan-offer`;

/** What the plan of a license changed since the license copied it. */
export const planOfferQuery = (manager: CustomerManager, id: CustomerId) =>
  queryOptions({
    queryKey: [...topic.plans(), 'offer', manager, id],
    queryFn: ({ signal }) => api.get<PlanOfferReply>(pathOf(manager, id), { signal, fallback: texts.loadFailed }),
  });

type MoveTerm = MoveToPlan['term'];
const moveFallback = { fallback: moveTexts.loadFailed };
const movePath = (id: CustomerId): string => `${customersPath.admin}/${id}/plan-move`;

/** What a plan changes in a license, with the version of the customer that was read; null if it changes nothing. */
export type Preview = Readonly<{ offer: PlanOffer | null; etag: string | null }>;

/** What the plan of a license offers to it. */
export const offerPreview = async (manager: CustomerManager, id: CustomerId, signal: AbortSignal): Promise<Preview> => {
  const { reply, etag } = await api.getTagged<PlanOfferReply>(pathOf(manager, id), { signal, fallback: texts.loadFailed });
  return { offer: reply.offer, etag };
};

/** What another plan makes of a license. */
export const movePreview = async (id: CustomerId, plan: string, term: MoveTerm, signal: AbortSignal): Promise<Preview> => {
  const query = { plan, term };
  const { reply, etag } = await api.getTagged<PlanMoveReply>(movePath(id), { ...moveFallback, query, signal });
  return { offer: reply.move, etag };
};

/** The preview of a move, for the dialog of one license. */
export const planMoveQuery = (id: CustomerId, plan: string, term: MoveTerm) =>
  queryOptions({
    queryKey: [...topic.customer(id), 'plan-move', plan, term],
    queryFn: ({ signal }) => movePreview(id, plan, term, signal),
    enabled: plan !== '',
  });

/** `POST …/customers/:customerId/plan-offer` for a preview that was shown. */
export const acceptOffer = (manager: CustomerManager, id: CustomerId, { offer, etag }: Preview, keys: BulkKeys) =>
  api.post<CustomerReply>(
    pathOf(manager, id),
    { version: offer?.version },
    { ifMatch: etag, ...keys, fallback: texts.applyFailed },
  );

type Move = Readonly<{ preview: Preview; term: MoveTerm }>;

/** `POST /api/admin/customers/:customerId/plan-move` for a preview that was shown. */
export const moveLicense = (id: CustomerId, { preview: { offer, etag }, term }: Move, keys?: BulkKeys) =>
  api.post<CustomerReply>(
    movePath(id),
    { plan: offer?.code, version: offer?.version, term },
    { ifMatch: etag, fallback: moveTexts.moveFailed, ...keys },
  );

/** Moves one license to another plan. */
export const useMoveLicense = (id: CustomerId) =>
  useChange(
    (move: Move) => moveLicense(id, move),
    () => [topic.plans(), topic.customer(id), topic.customers(), topic.history(id)],
  );

/** `POST …/customers/:customerId/plan-offer`, with the version that was shown. */
export const useAcceptPlanOffer = (manager: CustomerManager, id: CustomerId) =>
  useChange(
    (version: number) => api.post<CustomerReply>(pathOf(manager, id), { version }, { fallback: texts.applyFailed }),
    () => [topic.plans(), topic.customer(id), topic.customers(), topic.history(id)],
  );

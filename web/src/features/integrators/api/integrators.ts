import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CreateIntegrator, IntegratorReply, IntegratorsReply } from '../../../../../src/contracts/integrators.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { AccountStatus } from '../../../../../src/domain/enumerations.ts';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/useChange.ts';
import { integratorTexts } from '../texts.ts';

export const INTEGRATOR_SORTS = ['companyName', '-companyName', 'createdAt', '-createdAt'] as const;
type IntegratorSort = (typeof INTEGRATOR_SORTS)[number];

type IntegratorFilter = {
  search?: string;
  status?: AccountStatus | undefined;
  sort?: IntegratorSort;
  limit?: number;
  cursor?: string;
};

/** The path of the calls on service integrators. */
export const INTEGRATORS_ROOT = '/api/admin/service-integrators';
/** Number of suggestions; a search finds the others. */
const MAX_CHOICES = 20;

/** A page of the service integrators, as administrators see them. */
export const integratorsQuery = (filter: IntegratorFilter) =>
  queryOptions({
    queryKey: [...topic.integrators(), filter],
    queryFn: ({ signal }) =>
      api.get<IntegratorsReply>(INTEGRATORS_ROOT, { query: filter, signal, fallback: integratorTexts.loadFailed }),
    placeholderData: keepPreviousData,
  });

/** Service integrators to choose from when creating a customer, by name. */
export const integratorChoicesQuery = (search: string) => integratorsQuery({ search, sort: 'companyName', limit: MAX_CHOICES });

/** `POST /api/admin/service-integrators`. The reply contains the master license key. */
export const useCreateIntegrator = () =>
  useChange(
    (body: CreateIntegrator) => api.post<IntegratorReply>(INTEGRATORS_ROOT, body, { fallback: integratorTexts.createFailed }),
    () => [topic.integrators(), topic.stats()],
  );

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  CreateIntegrator,
  IntegratorReply,
  IntegratorsReply,
  UpdateIntegrator,
} from '../../../../../src/contracts/integrators.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { AccountStatus } from '../../../../../src/domain/enumerations.ts';
import type { IntegratorId } from '../../../../../src/domain/ids.ts';
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

/** One service integrator, with the version to send along when changing it. */
export const integratorQuery = (id: IntegratorId) =>
  queryOptions({
    queryKey: [...topic.integrator(id), 'detail'],
    queryFn: async ({ signal }) => {
      const { reply, etag } = await api.getTagged<IntegratorReply>(`${INTEGRATORS_ROOT}/${id}`, {
        signal,
        fallback: integratorTexts.loadOneFailed,
      });
      return { integrator: reply.service_integrator, etag };
    },
  });

/** `POST /api/admin/service-integrators`. The reply contains the master license key. */
export const useCreateIntegrator = () =>
  useChange(
    (body: CreateIntegrator) => api.post<IntegratorReply>(INTEGRATORS_ROOT, body, { fallback: integratorTexts.createFailed }),
    () => [topic.integrators(), topic.stats()],
  );

/** `PUT /api/admin/service-integrators/:integratorId`. `etag` is that of the read which the form shows. */
export const useUpdateIntegrator = (id: IntegratorId) =>
  useChange(
    ({ body, etag }: { body: UpdateIntegrator; etag: string | null }) =>
      api.put<IntegratorReply>(`${INTEGRATORS_ROOT}/${id}`, body, { ifMatch: etag, fallback: integratorTexts.updateFailed }),
    () => [topic.integrator(id), topic.integrators(), topic.customers()],
  );

/** `DELETE /api/admin/service-integrators/:integratorId`; refused while it has customers. */
export const useDeleteIntegrator = (id: IntegratorId) =>
  useChange(
    () => api.delete(`${INTEGRATORS_ROOT}/${id}`, { fallback: integratorTexts.deleteFailed }),
    () => [topic.integrators(), topic.stats()],
  );

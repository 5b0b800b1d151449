import { queryOptions } from '@tanstack/react-query';
import type { IntegratorReply, UpdateIntegrator } from '../../../../../src/contracts/integrators.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { IntegratorId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/useChange.ts';
import { INTEGRATORS_ROOT, integratorTexts } from '../../integrators/index.ts';

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

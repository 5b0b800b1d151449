import { queryOptions } from '@tanstack/react-query';
import type { OwnIntegratorReply, UpdateIntegratorProfile } from '../../../../../src/contracts/integrators.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { IntegratorId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { sessionKey } from '../../../api/sessionKey.ts';
import { useChange } from '../../../api/useChange.ts';
import { accountTexts } from '../texts.ts';

const ROOT = '/api/service-integrator';

/** An integrator's own account, with the version to send along when changing it; `id` is its own. */
export const ownIntegratorQuery = (id: IntegratorId) =>
  queryOptions({
    queryKey: [...topic.integrator(id), 'profile'],
    queryFn: async ({ signal }) => {
      const { reply, etag } = await api.getTagged<OwnIntegratorReply>(`${ROOT}/profile`, {
        signal,
        fallback: accountTexts.loadFailed,
      });
      return { integrator: reply.serviceIntegrator, etag };
    },
  });

/** `PUT /api/service-integrator/profile`. `etag` is that of the read which the form shows. */
export const useUpdateAccount = (id: IntegratorId) =>
  useChange(
    ({ body, etag }: { body: UpdateIntegratorProfile; etag: string | null }) =>
      api.put<OwnIntegratorReply>(`${ROOT}/profile`, body, { ifMatch: etag, fallback: accountTexts.saveFailed }),
    () => [topic.integrator(id), sessionKey],
  );

import { queryOptions } from '@tanstack/react-query';
import type {
  OwnIntegratorReply,
  UpdateIntegratorProfile,
  UpdateWhiteLabel,
  VerifyDomainReply,
} from '../../../../../src/contracts/integrators.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { IntegratorId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { sessionKey } from '../../../api/sessionKey.ts';
import { useChange } from '../../../api/useChange.ts';
import { whiteLabelTexts } from '../../whiteLabel/texts.ts';
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

type Versioned<Body> = { body: Body; etag: string | null };

const touched = (id: IntegratorId) => () => [topic.integrator(id), sessionKey];

export const useUpdateAccount = (id: IntegratorId) =>
  useChange(
    ({ body, etag }: Versioned<UpdateIntegratorProfile>) =>
      api.put<OwnIntegratorReply>(`${ROOT}/profile`, body, { ifMatch: etag, fallback: accountTexts.saveFailed }),
    touched(id),
  );

export const useUpdateWhiteLabel = (id: IntegratorId) =>
  useChange(
    ({ body, etag }: Versioned<UpdateWhiteLabel>) =>
      api.put<OwnIntegratorReply>(`${ROOT}/white-label`, body, { ifMatch: etag, fallback: whiteLabelTexts.saveFailed }),
    touched(id),
  );

/** Looks for the TXT record of the custom domain. One that is not there is no failed call: `success` is false then, and `error` says why. */
export const useVerifyDomain = (id: IntegratorId) =>
  useChange(
    () => api.post<VerifyDomainReply>(`${ROOT}/white-label/verify`, undefined, { fallback: whiteLabelTexts.verifyFailed }),
    touched(id),
  );

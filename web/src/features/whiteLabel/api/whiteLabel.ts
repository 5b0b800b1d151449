import type { OwnIntegratorReply, UpdateWhiteLabel, VerifyDomainReply } from '../../../../../src/contracts/integrators.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { IntegratorId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { sessionKey } from '../../../api/sessionKey.ts';
import { useChange } from '../../../api/useChange.ts';
import { whiteLabelTexts } from '../texts.ts';

const ROOT = '/api/service-integrator/white-label';

const touched = (id: IntegratorId) => () => [topic.integrator(id), sessionKey];

/** `PUT /api/service-integrator/white-label`. `etag` is that of the read which the form shows. */
export const useUpdateWhiteLabel = (id: IntegratorId) =>
  useChange(
    ({ body, etag }: { body: UpdateWhiteLabel; etag: string | null }) =>
      api.put<OwnIntegratorReply>(ROOT, body, { ifMatch: etag, fallback: whiteLabelTexts.saveFailed }),
    touched(id),
  );

/**
 * Looks up the TXT record of the custom domain. The call succeeds even without the record: `success` is false then, and `error`
 * is the reason.
 */
export const useVerifyDomain = (id: IntegratorId) =>
  useChange(
    () => api.post<VerifyDomainReply>(`${ROOT}/verify`, undefined, { fallback: whiteLabelTexts.verifyFailed }),
    touched(id),
  );

import { queryOptions } from '@tanstack/react-query';
import type { OwnIntegratorImpactReply, ThemeImpactReply } from '../../../../../src/contracts/impact.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { IntegratorId, ThemeId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { impactTexts } from '../texts.ts';
import { live } from './impact.ts';

/** What replacing the own master license key affects. */
export const ownKeyImpactQuery = () =>
  queryOptions({
    ...live,
    queryKey: ['own key', 'impact'],
    queryFn: async ({ signal }) => {
      // The rotation may end the session before the reply: the sign-in must not open, for it would hide the new key.
      const options = { signal, unauthorized: 'throw', fallback: impactTexts.loadFailed } as const;
      return (await api.get<OwnIntegratorImpactReply>('/api/service-integrator/impact', options)).impact;
    },
  });

/** What the deletion of a custom theme affects; `owner` is the service integrator. */
export const themeImpactQuery = (owner: IntegratorId, id: ThemeId) =>
  queryOptions({
    ...live,
    queryKey: [...topic.themes(owner), 'impact', id],
    queryFn: async ({ signal }) => {
      const options = { signal, fallback: impactTexts.loadFailed };
      return (await api.get<ThemeImpactReply>(`/api/service-integrator/themes/${id}/impact`, options)).impact;
    },
  });

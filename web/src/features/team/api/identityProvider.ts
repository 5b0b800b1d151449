import { queryOptions } from '@tanstack/react-query';
import type {
  ConfigureIdentityProviderBody,
  EmailDomainsReply,
  IdentityProviderReply,
  IdentityProviderTestReply,
} from '../../../../../src/contracts/identityProvider.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/useChange.ts';
import { openIdTexts as texts } from '../openIdTexts.ts';
import type { OwnTeam } from '../ownTeam.ts';

const PATH = '/api/team/identity-provider';

/** Where the members of the session's own team sign in with OpenID Connect. */
export const identityProviderQuery = ({ id }: OwnTeam) =>
  queryOptions({
    queryKey: [...topic.team(id), 'identity provider'],
    queryFn: ({ signal }) => api.get<IdentityProviderReply>(PATH, { signal, fallback: texts.loadFailed }),
  });

const touched =
  ({ id }: OwnTeam) =>
  () => [topic.team(id)];

/** `PUT /api/team/identity-provider`. Without a secret the stored one is kept. */
export const useConfigureProvider = (team: OwnTeam) =>
  useChange(
    (body: ConfigureIdentityProviderBody) => api.put<IdentityProviderReply>(PATH, body, { fallback: texts.saveFailed }),
    touched(team),
  );

/** `POST /api/team/identity-provider/test`. Changes nothing. */
export const useTestProvider = () =>
  useChange(
    (body: ConfigureIdentityProviderBody) =>
      api.post<IdentityProviderTestReply>(`${PATH}/test`, body, { fallback: texts.testFailed }),
    () => [],
  );

/** `POST /api/team/identity-provider/verify`. Looks the TXT records up. */
export const useVerifyDomains = (team: OwnTeam) =>
  useChange(
    (_nothing: null) => api.post<EmailDomainsReply>(`${PATH}/verify`, undefined, { fallback: texts.verifyFailed }),
    touched(team),
  );

/** `DELETE /api/team/identity-provider`. */
export const useRemoveProvider = (team: OwnTeam) =>
  useChange((_nothing: null) => api.delete(PATH, { fallback: texts.removeFailed }), touched(team));

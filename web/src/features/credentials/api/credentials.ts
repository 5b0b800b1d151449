import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  Credential,
  CredentialsReply,
  CredentialTestReply,
  StoreCredential,
  UpdateCredential,
} from '../../../../../src/contracts/credentials.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { CredentialId, CustomerId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/useChange.ts';
import { credentialTexts } from '../texts.ts';

const ROOT = '/api/credentials';
/** Where the list of credentials is. */
export const CREDENTIALS_LIST = `${ROOT}/list`;

type OneReply = { success: true; credential: Credential };

/** A page of a customer's credentials, oldest first; `owner` is its own id. */
export const credentialsQuery = (owner: CustomerId, page: { limit: number; cursor: string }) =>
  queryOptions({
    queryKey: [...topic.credentials(owner), 'list', page],
    queryFn: ({ signal }) =>
      api.get<CredentialsReply>(CREDENTIALS_LIST, { query: page, signal, fallback: credentialTexts.loadFailed }),
    placeholderData: keepPreviousData,
  });

const touched = (owner: CustomerId) => () => [topic.credentials(owner)];

/** The first credentials, as a dashboard shows them. */
export const firstCredentialsQuery = (owner: CustomerId) => credentialsQuery(owner, { limit: 5, cursor: '' });

/** `POST /api/credentials/store`. The server tests the credential; a failed test is a success with `status` error. */
export const useStoreCredential = (owner: CustomerId) =>
  useChange(
    (body: StoreCredential) => api.post<OneReply>(`${ROOT}/store`, body, { fallback: credentialTexts.addFailed }),
    touched(owner),
  );

/** `PUT /api/credentials/:credentialId`. Absent secrets are kept. */
export const useUpdateCredential = (owner: CustomerId) =>
  useChange(
    ({ id, body }: { id: CredentialId; body: UpdateCredential }) =>
      api.put<OneReply>(`${ROOT}/${id}`, body, { fallback: credentialTexts.updateFailed }),
    touched(owner),
  );

/** `DELETE /api/credentials/:credentialId`. */
export const useDeleteCredential = (owner: CustomerId) =>
  useChange((id: CredentialId) => api.delete(`${ROOT}/${id}`, { fallback: credentialTexts.deleteFailed }), touched(owner));

/** Tests a credential. The call succeeds even if the test fails: `success` is false then, and `error` is the reason. */
export const useTestCredential = (owner: CustomerId) =>
  useChange(
    (id: CredentialId) =>
      api.post<CredentialTestReply>(`${ROOT}/${id}/test`, undefined, { fallback: credentialTexts.testCallFailed }),
    touched(owner),
  );

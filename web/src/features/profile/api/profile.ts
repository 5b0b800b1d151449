import { queryOptions } from '@tanstack/react-query';
import type { ProfileReply } from '../../../../../src/contracts/customers.ts';
import type { UpdateProfile } from '../../../../../src/contracts/profile.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { sessionKey } from '../../../api/sessionKey.ts';
import { useChange } from '../../../api/useChange.ts';
import { profileTexts } from '../texts.ts';

const ROOT = '/api/customer';
const DELETION = `${ROOT}/request-deletion`;

/** A customer's own account, with the version to send along when changing it; `id` is its own. */
export const profileQuery = (id: CustomerId) =>
  queryOptions({
    queryKey: [...topic.customer(id), 'profile'],
    queryFn: async ({ signal }) => {
      const { reply, etag } = await api.getTagged<ProfileReply>(`${ROOT}/profile`, { signal, fallback: profileTexts.loadFailed });
      return { profile: reply.profile, etag };
    },
  });

const touched = (id: CustomerId) => () => [topic.customer(id), sessionKey];

/** `PUT /api/customer/profile`. `etag` is that of the read which the form shows. */
export const useUpdateProfile = (id: CustomerId) =>
  useChange(
    ({ body, etag }: { body: UpdateProfile; etag: string | null }) =>
      api.put<ProfileReply>(`${ROOT}/profile`, body, { ifMatch: etag, fallback: profileTexts.updateFailed }),
    touched(id),
  );

/** `POST /api/customer/change-password`. It ends all other sessions of the customer's portal. */
export const useChangePassword = () =>
  useChange(
    (body: { currentPassword: string; newPassword: string }) =>
      api.post(`${ROOT}/change-password`, body, { fallback: profileTexts.changeFailed }),
    () => [],
  );

/** Requests the deletion of the account, which administrators and the service integrator see. */
export const useRequestDeletion = (id: CustomerId) =>
  useChange(() => api.post<ProfileReply>(DELETION, undefined, { fallback: profileTexts.requestFailed }), touched(id));

/** Withdraws the request for deletion. */
export const useWithdrawDeletion = (id: CustomerId) =>
  useChange(() => api.delete<ProfileReply>(DELETION, { fallback: profileTexts.withdrawFailed }), touched(id));

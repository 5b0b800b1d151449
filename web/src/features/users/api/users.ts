import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import type { InvitationReply } from '../../../../../src/contracts/team.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { ChangeUserStatus, UpdateUser, User, UserReply, UsersReply } from '../../../../../src/contracts/users.ts';
import type { UserStatus } from '../../../../../src/domain/enumerations.ts';
import type { UserId } from '../../../../../src/domain/ids.ts';
import { api, type BulkKeys } from '../../../api/client.ts';
import { sessionKey } from '../../../api/sessionKey.ts';
import { useChange } from '../../../api/useChange.ts';
import { usersPath } from '../../../api/usersPath.ts';
import { type Area, areaOf } from '../../../areas.ts';
import { seatTexts } from '../seatTexts.ts';
import { userTexts } from '../texts.ts';

export const USER_SORTS = ['username', '-username', 'createdAt', '-createdAt', 'lastLogin', '-lastLogin'] as const;

/** The query of the lists of users; absent fields do not filter. */
export type UserFilter = {
  search?: string;
  /** Empty for the users of all customers; a portal has its own only. */
  customerId?: string;
  sort?: (typeof USER_SORTS)[number];
  status?: UserStatus | undefined;
  limit?: number;
  cursor?: string;
};

/** The path of the calls on users in an area. */
export const usersRootOf = (area: Area): '/api/admin/users' | '/api/users' =>
  area === 'admin' ? '/api/admin/users' : '/api/users';

/** The area that the browser shows. */
export const useArea = (): Area => areaOf(useLocation().pathname) ?? 'portal';

/** The path of the calls on users, in the area that the browser shows. */
export const useUsersRoot = (): string => usersRootOf(useArea());

/** A page of users, the newest first by default. The live feed updates which of them are connected. */
export const usersQuery = (area: Area, filter: UserFilter) =>
  queryOptions({
    queryKey: [...topic.users(), filter],
    queryFn: ({ signal }) => api.get<UsersReply>(usersPath[area], { query: filter, signal, fallback: userTexts.loadFailed }),
    placeholderData: keepPreviousData,
  });

/** A status or a role takes or frees a seat, so everything that counts seats is fetched again. */
export const TOUCHED_BY_SEATS = [topic.users(), topic.customers(), ['customer'], sessionKey] as const;
const touched = () => TOUCHED_BY_SEATS;

/** Changes a user's name, email, role and status. */
export const useUpdateUser = (id: UserId) => {
  const root = useUsersRoot();
  return useChange((body: UpdateUser) => api.put<UserReply>(`${root}/${id}`, body, { fallback: userTexts.updateFailed }), touched);
};

/** Changes the status of a user as the list shows it; a user that was changed since is refused. */
export const putUserStatus = (
  root: string,
  { id, username, email, role, status }: User,
  change: Omit<ChangeUserStatus, 'expected'>,
  options: BulkKeys & { fallback: string },
): Promise<UserReply> =>
  api.put<UserReply>(`${root}/${id}/status`, { ...change, expected: { username, email, role, status } }, options);

/** Changes a user's status. `expected` in the body is the user as shown; another one is refused. */
export const useChangeUserStatus = (id: UserId) => {
  const root = useUsersRoot();
  return useChange(
    (body: ChangeUserStatus) => api.put<UserReply>(`${root}/${id}/status`, body, { fallback: userTexts.statusFailed }),
    touched,
  );
};

/** Releases the floating seat of a user, who stays active and may take one again. */
export const releaseFloatingSeat = (root: string, id: UserId, keys: BulkKeys = {}): Promise<{ success: true }> =>
  api.post<{ success: true }>(`${root}/${id}/seat/release`, undefined, { ...keys, fallback: seatTexts.releaseFailed });

/** Releases the floating seat of one user. */
export const useReleaseFloatingSeat = (id: UserId) => {
  const root = useUsersRoot();
  return useChange(() => releaseFloatingSeat(root, id), touched);
};

/** Removes a user, with name and email address. */
export const useRemoveUser = (id: UserId) => {
  const root = useUsersRoot();
  return useChange(() => api.delete<{ success: true }>(`${root}/${id}`, { fallback: userTexts.removeFailed }), touched);
};

/** Invites a user to sign in to the portal by name. The reply has the path of the link, which is shown once. */
export const useInviteUser = ({ id, customerId }: Pick<User, 'id' | 'customerId'>) => {
  const root = useUsersRoot();
  return useChange(
    () => api.post<InvitationReply>(`${root}/${id}/invitation`, undefined, { fallback: userTexts.inviteFailed }),
    () => [['team', `customer.${customerId}`]],
  );
};

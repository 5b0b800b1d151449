import { queryOptions } from '@tanstack/react-query';
import type {
  ChangeMemberBody,
  ChangePolicyBody,
  InvitationReply,
  InviteMemberBody,
  MemberReply,
  TeamReply,
} from '../../../../../src/contracts/team.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { UserId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/useChange.ts';
import type { OwnTeam } from '../ownTeam.ts';
import { teamTexts as texts } from '../texts.ts';

/** The path of the calls on the session's own team. */
export const TEAM_ROOT = '/api/team';

/** How often a list with an email under way is fetched again: no event says that it was delivered. */
const EMAIL_REFETCH_MS = 5_000;

const hasEmailUnderWay = ({ members }: TeamReply): boolean =>
  members.some(({ invitationEmail }) => invitationEmail === 'waiting' || invitationEmail === 'delayed');

/** The named users of the session's own team, and its sign-in policy. */
export const teamQuery = ({ id }: OwnTeam) =>
  queryOptions({
    queryKey: [...topic.team(id), 'members'],
    queryFn: ({ signal }) => api.get<TeamReply>(TEAM_ROOT, { signal, fallback: texts.loadFailed }),
    refetchInterval: ({ state: { data } }) => data !== undefined && hasEmailUnderWay(data) && EMAIL_REFETCH_MS,
  });

const touched =
  ({ id }: OwnTeam) =>
  () => [topic.team(id)];

const pathOf = (userId: UserId): string => `${TEAM_ROOT}/members/${userId}`;

/** `POST /api/team/members`. The reply has the path of the link, which is shown once. */
export const useInviteMember = (team: OwnTeam) =>
  useChange(
    (body: InviteMemberBody) => api.post<InvitationReply>(`${TEAM_ROOT}/members`, body, { fallback: texts.inviteFailed }),
    touched(team),
  );

/** The path of the calls that invite a member: those of a customer are its portal users. */
const invitationPathOf = ({ kind }: OwnTeam, userId: UserId): string =>
  `${kind === 'customer' ? `/api/users/${userId}` : pathOf(userId)}/invitation`;

/** `POST /api/team/members/:userId/invitation`. The former link stops working. */
export const useNewLink = (team: OwnTeam) =>
  useChange(
    (userId: UserId) => api.post<InvitationReply>(invitationPathOf(team, userId), undefined, { fallback: texts.newLinkFailed }),
    touched(team),
  );

/** `DELETE /api/team/members/:userId/invitation`. */
export const useWithdrawInvitation = (team: OwnTeam) =>
  useChange((userId: UserId) => api.delete(`${pathOf(userId)}/invitation`, { fallback: texts.withdrawFailed }), touched(team));

/** `PUT /api/team/members/:userId`. */
export const useChangeMember = (team: OwnTeam, userId: UserId) =>
  useChange((body: ChangeMemberBody) => api.put<MemberReply>(pathOf(userId), body, { fallback: texts.saveFailed }), touched(team));

/** `DELETE /api/team/members/:userId`. */
export const useRemoveMember = (team: OwnTeam) =>
  useChange((userId: UserId) => api.delete(pathOf(userId), { fallback: texts.removeFailed }), touched(team));

/** `POST /api/team/members/:userId/revoke-sessions`. */
export const useSignMemberOut = (team: OwnTeam) =>
  useChange(
    (userId: UserId) => api.post(`${pathOf(userId)}/revoke-sessions`, undefined, { fallback: texts.signOutFailed }),
    touched(team),
  );

/** `PUT /api/team/policy`. Absent fields stay unchanged. */
export const useChangePolicy = (team: OwnTeam) =>
  useChange((body: ChangePolicyBody) => api.put(`${TEAM_ROOT}/policy`, body, { fallback: texts.policyFailed }), touched(team));

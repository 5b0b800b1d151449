import type { AcceptInvitationBody, AcceptInvitationReply, OpenInvitationReply } from '../../../../../src/contracts/team.ts';
import { api } from '../../../api/client.ts';
import { joinTexts } from '../texts.ts';

/** What the invitation with this token offers. Throws an `ApiError`, as for a used or expired one. */
export const openInvitation = (token: string): Promise<OpenInvitationReply> =>
  api.post<OpenInvitationReply>('/api/auth/invitation', { token }, { fallback: joinTexts.openFailed, unauthorized: 'throw' });

/** Accepts an invitation. Throws an `ApiError`. */
export const acceptInvitation = (body: AcceptInvitationBody): Promise<AcceptInvitationReply> =>
  api.post<AcceptInvitationReply>('/api/auth/join', body, { fallback: joinTexts.joinFailed, unauthorized: 'throw' });

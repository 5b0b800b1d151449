import type { PasskeyCreationReply } from '../../../../../src/contracts/passkeys.ts';
import type { AcceptInvitationBody, AcceptInvitationReply, OpenInvitationReply } from '../../../../../src/contracts/team.ts';
import { api } from '../../../api/client.ts';
import { createPasskey, nameOfThisDevice } from '../../passkeys/index.ts';
import { joinTexts } from '../texts.ts';

/** What the invitation with this token offers. Throws an `ApiError`, as for a used or expired one. */
export const openInvitation = (token: string): Promise<OpenInvitationReply> =>
  api.post<OpenInvitationReply>('/api/auth/invitation', { token }, { fallback: joinTexts.openFailed, unauthorized: 'throw' });

/** Accepts an invitation. Throws an `ApiError`. */
export const acceptInvitation = (body: AcceptInvitationBody): Promise<AcceptInvitationReply> =>
  api.post<AcceptInvitationReply>('/api/auth/join', body, { fallback: joinTexts.joinFailed, unauthorized: 'throw' });

/** Accepts an invitation with a passkey that the browser creates. Throws an `ApiError`. */
export const joinByPasskey = async (token: string): Promise<AcceptInvitationReply> => {
  const options = { fallback: joinTexts.joinFailed, unauthorized: 'throw' } as const;
  const creation = await api.post<PasskeyCreationReply>('/api/auth/join/passkey-options', { token }, options);
  return acceptInvitation({ token, passkey: { name: nameOfThisDevice(), registration: await createPasskey(creation) } });
};

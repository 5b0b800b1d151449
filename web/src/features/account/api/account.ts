import { queryOptions } from '@tanstack/react-query';
import type { PasskeyCreationReply, PasskeyRequestReply } from '../../../../../src/contracts/passkeys.ts';
import type {
  AccountReply,
  AddPasskeyBody,
  ChangeOwnPasswordBody,
  ConfirmChangeBody,
  EnableSecondFactorBody,
  NewSecondFactorReply,
  RecoveryCodesReply,
} from '../../../../../src/contracts/team.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { PasskeyId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/useChange.ts';
import { createPasskey } from '../../passkeys/index.ts';
import type { OwnTeam } from '../../team/index.ts';
import { accountTexts as texts } from '../texts.ts';

const ROOT = '/api/account';

/** The named user of the session, who is a member of the team; null where a key signed in. */
export const accountQuery = ({ id }: OwnTeam) =>
  queryOptions({
    queryKey: [...topic.team(id), 'account'],
    queryFn: ({ signal }) => api.get<AccountReply>(ROOT, { signal, fallback: texts.loadFailed }),
  });

const touched =
  ({ id }: OwnTeam) =>
  () => [topic.team(id)];

/** `PUT /api/account/password`. Other sessions end. */
export const useChangeOwnPassword = (team: OwnTeam) =>
  useChange((body: ChangeOwnPasswordBody) => api.put(`${ROOT}/password`, body, { fallback: texts.changeFailed }), touched(team));

/** `POST /api/account/second-factor`: a secret that is not in use yet. */
export const newSecret = (): Promise<NewSecondFactorReply> =>
  api.post<NewSecondFactorReply>(`${ROOT}/second-factor`, undefined, { fallback: texts.prepareFailed });

/** `PUT /api/account/second-factor`. The reply has the recovery codes, which are shown once. */
export const useEnableSecondFactor = (team: OwnTeam) =>
  useChange(
    (body: EnableSecondFactorBody) => api.put<RecoveryCodesReply>(`${ROOT}/second-factor`, body, { fallback: texts.turnOnFailed }),
    touched(team),
  );

/** `POST /api/account/second-factor/disable`. */
export const useDisableSecondFactor = (team: OwnTeam) =>
  useChange(
    (body: ConfirmChangeBody) => api.post(`${ROOT}/second-factor/disable`, body, { fallback: texts.turnOffFailed }),
    touched(team),
  );

/** `POST /api/account/identity/unlink`. Other sessions end. */
export const useUnlinkIdentity = (team: OwnTeam) =>
  useChange(
    (body: ConfirmChangeBody) => api.post(`${ROOT}/identity/unlink`, body, { fallback: texts.unlinkFailed }),
    touched(team),
  );

/** `POST /api/account/recovery-codes`. The previous codes stop working. */
export const useNewRecoveryCodes = (team: OwnTeam) =>
  useChange(
    (body: ConfirmChangeBody) => api.post<RecoveryCodesReply>(`${ROOT}/recovery-codes`, body, { fallback: texts.createFailed }),
    touched(team),
  );

const PASSKEYS = `${ROOT}/passkeys`;

/** `POST /api/account/passkeys/confirmation-options`. */
export const confirmationOptions = (): Promise<PasskeyRequestReply> =>
  api.post<PasskeyRequestReply>(`${PASSKEYS}/confirmation-options`, undefined, { fallback: texts.confirmFailed });

type NewPasskey = Omit<AddPasskeyBody, 'passkey'> & { name: string };

/** `POST /api/account/passkeys`, with a passkey that the browser creates. */
export const useAddPasskey = (team: OwnTeam) =>
  useChange(async ({ name, ...confirmation }: NewPasskey) => {
    const options = { fallback: texts.addFailed };
    const creation = await api.post<PasskeyCreationReply>(`${PASSKEYS}/creation-options`, undefined, options);
    const passkey = { name, registration: await createPasskey(creation) };
    return api.post(PASSKEYS, { ...confirmation, passkey } satisfies AddPasskeyBody, options);
  }, touched(team));

/** `POST /api/account/passkeys/:passkeyId/remove`. Other sessions end. */
export const useRemovePasskey = (team: OwnTeam, passkeyId: PasskeyId) =>
  useChange(
    (body: ConfirmChangeBody) => api.post(`${PASSKEYS}/${passkeyId}/remove`, body, { fallback: texts.removeFailed }),
    touched(team),
  );

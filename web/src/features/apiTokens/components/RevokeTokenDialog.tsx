import type { ApiToken } from '../../../../../src/contracts/apiTokens.ts';
import type { TeamId } from '../../../../../src/domain/ids.ts';
import { messageOf } from '../../../api/error.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { useRevokeApiToken } from '../api/apiTokens.ts';
import { apiTokenTexts as texts } from '../texts.ts';

type RevokeTokenDialogProps = { dialog: DialogState; teamId: TeamId; token: ApiToken };

/** Asks before the programs that use a token lose access. */
export const RevokeTokenDialog = ({ dialog, teamId, token }: RevokeTokenDialogProps) => {
  const revoke = useRevokeApiToken(teamId);
  return (
    <ConfirmDialog
      dialog={dialog}
      title={texts.revokeTitle}
      confirmLabel={texts.revoke}
      busyLabel={texts.revoking}
      isBusy={revoke.isPending}
      error={revoke.error ? messageOf(revoke.error, texts.revokeFailed) : undefined}
      onConfirm={() =>
        revoke.mutate(token.tokenId, {
          onSuccess: () => {
            notify.success(texts.revoked);
            dialog.close();
          },
        })
      }
    >
      {texts.revokeQuestion(token.name)}
    </ConfirmDialog>
  );
};

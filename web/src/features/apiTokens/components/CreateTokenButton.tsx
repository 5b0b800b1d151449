import type { ApiTokensReply } from '../../../../../src/contracts/apiTokens.ts';
import type { TeamId } from '../../../../../src/domain/ids.ts';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Plus } from '../../../ui/icons.ts';
import { apiTokenTexts as texts } from '../texts.ts';

const CreateTokenModal = lazyDialog(async () => (await import('./CreateTokenModal.tsx')).CreateTokenModal);

/** Opens the form that creates an API token. */
export const CreateTokenButton = ({ teamId, scopes }: { teamId: TeamId; scopes: ApiTokensReply['scopes'] }) => {
  const dialog = useDialog();
  return (
    <>
      <OpenDialogButton dialog={dialog} preload={CreateTokenModal.preload} size="sm">
        <Plus aria-hidden />
        {texts.create}
      </OpenDialogButton>
      <CreateTokenModal dialog={dialog} teamId={teamId} scopes={scopes} />
    </>
  );
};

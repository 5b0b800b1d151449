import { Button } from '@chakra-ui/react';
import type { ApiTokensReply } from '../../../../../src/contracts/apiTokens.ts';
import type { TeamId } from '../../../../../src/domain/ids.ts';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { Plus } from '../../../ui/icons.ts';
import { apiTokenTexts as texts } from '../texts.ts';

const CreateTokenModal = lazyDialog(async () => (await import('./CreateTokenModal.tsx')).CreateTokenModal);

/** Opens the form that creates an API token. */
export const CreateTokenButton = ({ teamId, scopes }: { teamId: TeamId; scopes: ApiTokensReply['scopes'] }) => {
  const dialog = useDialog();
  return (
    <>
      <Button
        size="sm"
        variant="outline"
        aria-haspopup="dialog"
        onClick={dialog.open}
        onPointerEnter={CreateTokenModal.preload}
        onFocus={CreateTokenModal.preload}
      >
        <Plus aria-hidden />
        {texts.create}
      </Button>
      <CreateTokenModal dialog={dialog} teamId={teamId} scopes={scopes} />
    </>
  );
};

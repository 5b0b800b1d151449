import { Button } from '@chakra-ui/react';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { Plus } from '../../../ui/icons.ts';
import { integratorTexts } from '../texts.ts';

const CreateIntegratorModal = lazyDialog(async () => (await import('./CreateIntegratorModal.tsx')).CreateIntegratorModal);

/** Opens the form; `isInitiallyOpen` for a link that leads right into it. */
export const CreateIntegratorButton = ({ isInitiallyOpen = false }: { isInitiallyOpen?: boolean }) => {
  const dialog = useDialog(isInitiallyOpen);
  return (
    <>
      <Button
        colorPalette="brand"
        aria-haspopup="dialog"
        onClick={dialog.open}
        onPointerEnter={CreateIntegratorModal.preload}
        onFocus={CreateIntegratorModal.preload}
      >
        <Plus aria-hidden />
        {integratorTexts.create}
      </Button>
      <CreateIntegratorModal dialog={dialog} />
    </>
  );
};

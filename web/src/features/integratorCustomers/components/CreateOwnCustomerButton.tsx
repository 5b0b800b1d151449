import { Button } from '@chakra-ui/react';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { Plus } from '../../../ui/icons.ts';
import { integratorCustomerTexts as texts } from '../texts.ts';

const CreateOwnCustomerModal = lazyDialog(async () => (await import('./CreateOwnCustomerModal.tsx')).CreateOwnCustomerModal);

/** Opens the form; `isInitiallyOpen` for a link that leads right into it. */
export const CreateOwnCustomerButton = ({ isInitiallyOpen = false }: { isInitiallyOpen?: boolean }) => {
  const dialog = useDialog(isInitiallyOpen);
  return (
    <>
      <Button
        colorPalette="brand"
        aria-haspopup="dialog"
        onClick={dialog.open}
        onPointerEnter={CreateOwnCustomerModal.preload}
        onFocus={CreateOwnCustomerModal.preload}
      >
        <Plus aria-hidden />
        {texts.create}
      </Button>
      <CreateOwnCustomerModal dialog={dialog} />
    </>
  );
};

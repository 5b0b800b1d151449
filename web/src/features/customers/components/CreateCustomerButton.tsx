import { Button } from '@chakra-ui/react';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { Plus } from '../../../ui/icons.ts';
import { customerTexts } from '../texts.ts';

const CreateCustomerModal = lazyDialog(async () => (await import('./CreateCustomerModal.tsx')).CreateCustomerModal);

/** Opens the form; `isInitiallyOpen` for a link that leads right into it. */
export const CreateCustomerButton = ({ isInitiallyOpen = false }: { isInitiallyOpen?: boolean }) => {
  const dialog = useDialog(isInitiallyOpen);
  return (
    <>
      <Button
        colorPalette="brand"
        aria-haspopup="dialog"
        onClick={dialog.open}
        onPointerEnter={CreateCustomerModal.preload}
        onFocus={CreateCustomerModal.preload}
      >
        <Plus aria-hidden />
        {customerTexts.create}
      </Button>
      <CreateCustomerModal dialog={dialog} />
    </>
  );
};

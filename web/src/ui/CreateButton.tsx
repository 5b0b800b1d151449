import { Button } from '@chakra-ui/react';
import type { ComponentType } from 'react';
import { type DialogState, useDialog } from './dialogs.tsx';
import { Plus } from './icons.ts';

type CreateButtonProps = {
  children: string;
  /** A `lazyDialog` with the form. */
  form: ComponentType<{ dialog: DialogState }> & { preload: () => void };
  /** For a link that leads to the open form. */
  isInitiallyOpen?: boolean;
};

/** A screen's main button: opens the form that creates an entry. */
export const CreateButton = ({ children, form: Form, isInitiallyOpen = false }: CreateButtonProps) => {
  const dialog = useDialog(isInitiallyOpen);
  return (
    <>
      <Button
        colorPalette="brand"
        aria-haspopup="dialog"
        onClick={dialog.open}
        onPointerEnter={Form.preload}
        onFocus={Form.preload}
      >
        <Plus aria-hidden />
        {children}
      </Button>
      <Form dialog={dialog} />
    </>
  );
};

import { type ComponentType, useEffect } from 'react';
import { type DialogState, OpenDialogButton, useDialog } from './dialogs.tsx';
import { Plus } from './icons.ts';

type CreateButtonProps = {
  children: string;
  /** A `lazyDialog` with the form. */
  form: ComponentType<{ dialog: DialogState }> & { preload: () => void };
  /** How often a link asked to open the form. */
  openings?: number;
};

/** A screen's main button: opens the form that creates an entry. */
export const CreateButton = ({ children, form: Form, openings = 0 }: CreateButtonProps) => {
  const dialog = useDialog();
  const { open } = dialog;
  useEffect(() => {
    if (openings > 0) open();
  }, [openings, open]);
  return (
    <>
      <OpenDialogButton dialog={dialog} preload={Form.preload} variant="solid" colorPalette="brand">
        <Plus aria-hidden />
        {children}
      </OpenDialogButton>
      <Form dialog={dialog} />
    </>
  );
};

import { Button, Dialog } from '@chakra-ui/react';
import { type FormEvent, useRef, useState } from 'react';
import { FieldFrame, Input } from '../../../ui/controls.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { auditTexts as texts } from '../texts.ts';

type SaveViewModalProps = { dialog: DialogState; onSave: (name: string) => void };

/** Asks for the name of a view. */
export const SaveViewModal = ({ dialog, onSave }: SaveViewModalProps) => {
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') {
      setError(texts.viewNameMissing);
      field.current?.focus();
      return;
    }
    onSave(name.trim());
    dialog.close();
  };
  return (
    <Modal dialog={dialog} title={texts.saveViewTitle} description={texts.saveViewDescription} size="sm" initialFocus={field}>
      <form onSubmit={submit} noValidate>
        <Dialog.Body>
          <FieldFrame label={texts.viewName} isRequired error={error}>
            <Input ref={field} value={name} maxLength={60} autoComplete="off" onChange={(event) => setName(event.target.value)} />
          </FieldFrame>
        </Dialog.Body>
        <Dialog.Footer>
          <Button variant="outline" onClick={dialog.close}>
            {texts.cancel}
          </Button>
          <Button type="submit" colorPalette="brand">
            {texts.save}
          </Button>
        </Dialog.Footer>
      </form>
    </Modal>
  );
};

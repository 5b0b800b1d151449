import { updateCustomer } from '../../../../../src/contracts/customers.ts';
import { type ManagedCustomer, useChangeCustomer } from '../../../api/changeCustomer.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { TextAreaField, TextField } from '../../../forms/fields.tsx';
import { useModalForm } from '../../../forms/useModalForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { recordsBody, recordsOf } from '../recordsForm.ts';
import { recordsTexts as texts } from '../texts.ts';

const { fields, hints } = texts;

/** Changes what a company keeps about a customer. */
export const RecordsModal = ({ dialog, owner }: { dialog: DialogState; owner: ManagedCustomer }) => {
  const save = useChangeCustomer(owner, texts.saveFailed);
  const { control, modal } = useModalForm({
    dialog,
    schema: updateCustomer,
    defaults: recordsOf(owner.customer),
    toBody: recordsBody(owner.customer),
    labels: fields,
    change: save,
    done: texts.saved,
    failed: texts.saveFailed,
  });
  return (
    <FormModal {...modal} title={texts.edit} description={texts.hint} submitLabel={texts.save} busyLabel={texts.saving}>
      <TextField control={control} name="externalId" label={fields.externalId} hint={hints.externalId} />
      <TextField control={control} name="tags" label={fields.tags} hint={hints.tags} />
      <TextAreaField control={control} name="notes" label={fields.notes} rows={4} />
      <TextAreaField control={control} name="customFields" label={fields.customFields} hint={hints.customFields} rows={5} />
    </FormModal>
  );
};

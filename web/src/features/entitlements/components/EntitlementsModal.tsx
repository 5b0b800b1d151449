import { updateCustomer } from '../../../../../src/contracts/customers.ts';
import { type ManagedCustomer, useChangeCustomer } from '../../../api/changeCustomer.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { useModalForm } from '../../../forms/useModalForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { entitlementsOf, rowsOf } from '../entitlementRows.ts';
import { entitlementTexts as texts } from '../texts.ts';
import { EntitlementsField } from './EntitlementsField.tsx';

/** Changes what a license includes. */
export const EntitlementsModal = ({ dialog, owner }: { dialog: DialogState; owner: ManagedCustomer }) => {
  const { name, contactEmail, entitlements = [] } = owner.customer;
  const change = useChangeCustomer(owner, texts.saveFailed);
  const { control, modal } = useModalForm({
    dialog,
    schema: updateCustomer,
    defaults: { entitlements: rowsOf(entitlements) },
    toBody: (typed) => ({ name, contactEmail, entitlements: entitlementsOf(typed.entitlements) }),
    labels: { entitlements: texts.field },
    change,
    done: texts.saved,
    failed: texts.saveFailed,
  });
  return (
    <FormModal {...modal} title={texts.title} submitLabel={texts.save} busyLabel={texts.saving}>
      <EntitlementsField control={control} />
    </FormModal>
  );
};

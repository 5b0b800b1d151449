import { updateCustomer } from '../../../../../src/contracts/customers.ts';
import { entitlementLines, entitlementsIn } from '../../../../../src/contracts/entitlementLines.ts';
import { type ManagedCustomer, useChangeCustomer } from '../../../api/changeCustomer.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { TextAreaField } from '../../../forms/fields.tsx';
import { useModalForm } from '../../../forms/useModalForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { entitlementTexts as texts } from '../texts.ts';

const ROWS = 6;

/** Changes what a license includes. */
export const EntitlementsModal = ({ dialog, owner }: { dialog: DialogState; owner: ManagedCustomer }) => {
  const { name, contactEmail, entitlements = [] } = owner.customer;
  const change = useChangeCustomer(owner, texts.saveFailed);
  const { control, modal } = useModalForm({
    dialog,
    schema: updateCustomer,
    defaults: { entitlements: entitlementLines(entitlements) },
    toBody: (typed) => ({ name, contactEmail, entitlements: entitlementsIn(typed.entitlements) }),
    labels: { entitlements: texts.field },
    change,
    done: texts.saved,
    failed: texts.saveFailed,
  });
  return (
    <FormModal {...modal} title={texts.title} submitLabel={texts.save} busyLabel={texts.saving}>
      <TextAreaField
        control={control}
        name="entitlements"
        label={texts.field}
        hint={texts.hint}
        placeholder={texts.placeholder}
        rows={ROWS}
      />
    </FormModal>
  );
};

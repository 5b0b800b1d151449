import { SimpleGrid } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { type Customer, type UpdateCustomer, updateCustomer } from '../../../../../src/contracts/customers.ts';
import { name } from '../../../../../src/contracts/fields.ts';
import { useUpdateCustomer } from '../../../api/changeCustomer.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { SelectField, TextField } from '../../../forms/fields.tsx';
import { ReasonField, reasonLabel } from '../../../forms/ReasonField.tsx';
import { useConfirmation } from '../../../forms/useConfirmation.ts';
import { useContractForm } from '../../../forms/useContractForm.ts';
import { isConflict, useVersion } from '../../../forms/useVersion.ts';
import { AccountStatusOptions } from '../../../ui/accountStatus.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { ConfirmCustomerChange, consequenceOf } from '../../impact/index.ts';
import { ownCustomerQuery } from '../api/integratorCustomers.ts';
import { integratorCustomerTexts as texts } from '../texts.ts';
import { ThemeField } from './ThemeField.tsx';

const { fields } = texts;
/** In the list a company is required. */
const schema = updateCustomer.extend({ company: name });

const valuesOf = ({ name, contactEmail, company, status }: Customer, theme: string) => ({
  name,
  contactEmail,
  company: company ?? '',
  theme,
  status,
  reason: '',
});

type EditListedCustomerModalProps = {
  dialog: DialogState;
  customer: Customer;
  etag: string | null;
  /** The name of its theme; the customer itself may hold the theme's id. */
  themeName: string;
};

/** The form of the list: details, theme and status. */
export const EditListedCustomerModal = ({ dialog, customer, etag, themeName }: EditListedCustomerModalProps) => {
  const queries = useQueryClient();
  const update = useUpdateCustomer('integrator', customer.id, texts.updateFailed);
  const confirmation = useConfirmation<UpdateCustomer>();
  const defaults = valuesOf(customer, themeName);
  const { control, handleSubmit, refuse, refuseConflict, takeOver, banner } = useContractForm({
    schema,
    defaults,
    // An unchanged theme is not sent: the server would record it as chosen again.
    toBody: ({ theme, ...typed }) => (theme.trim() === themeName ? typed : { ...typed, theme }),
    labels: { ...fields, reason: reasonLabel },
  });
  const save = useVersion(
    { etag, shown: { ...defaults, theme: customer.theme } },
    {
      fetchNewest: async () => {
        const newest = await queries.fetchQuery({ ...ownCustomerQuery(customer.id), staleTime: 0 });
        return { etag: newest.etag, shown: { ...valuesOf(newest.customer, ''), theme: newest.customer.theme } };
      },
      // The theme is left out: it is shown by its name, and sent only when it was typed.
      takeOver: ({ theme: _theme, ...newest }, { theme: _before, ...before }) => takeOver(newest, before),
    },
  );
  const submit = handleSubmit(async (body) => {
    if (consequenceOf(customer, body) !== null && !(await confirmation.ask(body))) return;
    try {
      await save((version) => update.mutateAsync({ body, etag: version }));
      notify.success(texts.updated);
      dialog.close();
    } catch (error) {
      if (isConflict(error)) refuseConflict('this customer');
      else refuse(error, texts.updateFailed);
    }
  });
  return (
    <FormModal
      dialog={dialog}
      title={texts.editTitle}
      submitLabel={texts.save}
      busyLabel={texts.saving}
      isBusy={update.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <TextField control={control} name="name" label={fields.name} isRequired />
      <TextField control={control} name="contactEmail" type="email" label={fields.contactEmail} isRequired />
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        <TextField control={control} name="company" label={fields.company} isRequired />
        <SelectField control={control} name="status" label={fields.status} isRequired>
          <AccountStatusOptions />
        </SelectField>
      </SimpleGrid>
      <ReasonField control={control} saved={customer.status} />
      <ThemeField control={control} name="theme" />
      <ConfirmCustomerChange confirmation={confirmation} customer={customer} manager="integrator" />
    </FormModal>
  );
};

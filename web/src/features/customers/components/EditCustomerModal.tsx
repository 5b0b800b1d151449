import { SimpleGrid } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { type Customer, updateCustomer } from '../../../../../src/contracts/customers.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { CheckboxField, SelectField, TextField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import { changedMeanwhile, isConflict, useVersion } from '../../../forms/useVersion.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { customerQuery, useUpdateCustomer } from '../api/customers.ts';
import { customerTexts } from '../texts.ts';
import { bodyOf, valuesOf } from './customerForm.ts';
import { StatusOptions } from './StatusOptions.tsx';
import { ThemeOptions } from './ThemeOptions.tsx';

const { fields } = customerTexts;

const formValuesOf = (customer: Customer) => ({ ...valuesOf(customer), status: customer.status });

type EditCustomerModalProps = { dialog: DialogState; customer: Customer; etag: string | null };

export const EditCustomerModal = ({ dialog, customer, etag }: EditCustomerModalProps) => {
  const queries = useQueryClient();
  const update = useUpdateCustomer(customer.id);
  const defaults = formValuesOf(customer);
  const { control, handleSubmit, refuse, takeOver, banner } = useContractForm({
    schema: updateCustomer,
    defaults,
    toBody: bodyOf,
    labels: fields,
  });
  const save = useVersion(
    { etag, shown: defaults },
    {
      fetchNewest: async () => {
        const newest = await queries.fetchQuery({ ...customerQuery(customer.id), staleTime: 0 });
        return { etag: newest.etag, shown: formValuesOf(newest.customer) };
      },
      takeOver,
    },
  );
  const submit = handleSubmit(async (body) => {
    try {
      await save((version) => update.mutateAsync({ body, etag: version }));
      notify.success(customerTexts.updated);
      dialog.close();
    } catch (error) {
      if (isConflict(error)) refuse(null, changedMeanwhile('This customer'));
      else refuse(error, customerTexts.updateFailed);
    }
  });

  const own = customer.theme ? { value: customer.theme, label: customer.themeDisplayName ?? customer.theme } : undefined;
  return (
    <FormModal
      dialog={dialog}
      title={customerTexts.edit}
      submitLabel={customerTexts.save}
      busyLabel={customerTexts.saving}
      isBusy={update.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <TextField control={control} name="name" label={fields.name} isRequired />
      <TextField control={control} name="contactEmail" type="email" label={fields.contactEmail} isRequired />
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        <TextField control={control} name="company" label={fields.company} />
        <SelectField control={control} name="status" label={fields.status} isRequired>
          <StatusOptions />
        </SelectField>
        <TextField
          control={control}
          name="developerSeats"
          inputMode="numeric"
          label={fields.developerSeats}
          hint={customerTexts.seatsHint}
          isRequired
        />
        <TextField
          control={control}
          name="stakeholderSeats"
          inputMode="numeric"
          label={fields.stakeholderSeats}
          hint={customerTexts.seatsHint}
          isRequired
        />
      </SimpleGrid>
      <SelectField control={control} name="theme" label={fields.theme}>
        <ThemeOptions own={own} />
      </SelectField>
      <CheckboxField
        control={control}
        name="seatLimitsEnforced"
        label={fields.seatLimitsEnforced}
        hint={customerTexts.seatLimitsHint}
      />
    </FormModal>
  );
};

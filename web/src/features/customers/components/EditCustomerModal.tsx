import { SimpleGrid } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Customer, updateCustomer } from '../../../../../src/contracts/customers.ts';
import { isApiError } from '../../../api/error.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { CheckboxField, SelectField, TextField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { customerQuery, useUpdateCustomer } from '../api/customers.ts';
import { customerTexts } from '../texts.ts';
import { bodyOf, valuesOf } from './customerForm.ts';
import { StatusOptions } from './StatusOptions.tsx';
import { ThemeOptions } from './ThemeOptions.tsx';

const { fields } = customerTexts;
const STALE_VERSION = 412;

type EditCustomerModalProps = { dialog: DialogState; customer: Customer; etag: string | null };

export const EditCustomerModal = ({ dialog, customer, etag }: EditCustomerModalProps) => {
  const queries = useQueryClient();
  // The version that was seen when the form opened: a live update behind it must not hide a conflict.
  const [version, setVersion] = useState(etag);
  const update = useUpdateCustomer(customer.id);
  const { control, handleSubmit, refuse, banner } = useContractForm({
    schema: updateCustomer,
    defaults: { ...valuesOf(customer), status: customer.status },
    toBody: bodyOf,
    labels: fields,
  });

  const onError = async (error: Error) => {
    if (!isApiError(error) || error.status !== STALE_VERSION) return refuse(error, customerTexts.updateFailed);
    const fresh = await queries.fetchQuery({ ...customerQuery(customer.id), staleTime: 0 });
    setVersion(fresh.etag);
    refuse(null, customerTexts.changedMeanwhile);
  };

  const submit = handleSubmit((body) =>
    update.mutate(
      { body, etag: version },
      {
        onSuccess: () => {
          notify.success(customerTexts.updated);
          dialog.close();
        },
        onError: (error) => void onError(error),
      },
    ),
  );

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

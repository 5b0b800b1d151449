import { SimpleGrid } from '@chakra-ui/react';
import { type Customer, updateCustomer } from '../../../../../src/contracts/customers.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { CheckboxField, SelectField, TextField } from '../../../forms/fields.tsx';
import { useVersionedForm } from '../../../forms/useVersionedForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { customerQuery, useUpdateCustomer } from '../api/customers.ts';
import { customerDialogTexts } from '../dialogTexts.ts';
import { customerTexts } from '../texts.ts';
import { bodyOf, valuesOf } from './customerForm.ts';
import { StatusOptions } from './StatusOptions.tsx';
import { ThemeOptions } from './ThemeOptions.tsx';

const { fields } = customerDialogTexts;

const formValuesOf = ({ customer }: { customer: Customer }) => ({ ...valuesOf(customer), status: customer.status });

type EditCustomerModalProps = { dialog: DialogState; customer: Customer; etag: string | null };

export const EditCustomerModal = ({ dialog, customer, etag }: EditCustomerModalProps) => {
  const { control, modal } = useVersionedForm({
    dialog,
    schema: updateCustomer,
    seen: { customer, etag },
    query: customerQuery(customer.id),
    valuesOf: formValuesOf,
    toBody: bodyOf,
    update: useUpdateCustomer(customer.id),
    labels: fields,
    texts: { ...customerDialogTexts, updateFailed: customerTexts.updateFailed },
  });
  const own = customer.theme ? { value: customer.theme, label: customer.themeDisplayName ?? customer.theme } : undefined;
  return (
    <FormModal {...modal} title={customerTexts.edit} submitLabel={customerDialogTexts.save} busyLabel={customerDialogTexts.saving}>
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
          hint={customerDialogTexts.seatsHint}
          isRequired
        />
        <TextField
          control={control}
          name="stakeholderSeats"
          inputMode="numeric"
          label={fields.stakeholderSeats}
          hint={customerDialogTexts.seatsHint}
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
        hint={customerDialogTexts.seatLimitsHint}
      />
    </FormModal>
  );
};

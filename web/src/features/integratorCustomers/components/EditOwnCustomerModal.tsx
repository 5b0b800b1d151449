import { SimpleGrid } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { type Customer, updateCustomer } from '../../../../../src/contracts/customers.ts';
import { messageOf } from '../../../api/error.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { CheckboxField, SelectField, TextField } from '../../../forms/fields.tsx';
import { wholeNumber } from '../../../forms/numbers.ts';
import { useContractForm } from '../../../forms/useContractForm.ts';
import { changedMeanwhile, isConflict, useVersion } from '../../../forms/useVersion.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { StatusOptions } from '../../customers/components/StatusOptions.tsx';
import { ownCustomerQuery, useUpdateOwnCustomer } from '../api/integratorCustomers.ts';
import { integratorCustomerTexts as texts } from '../texts.ts';

const { fields } = texts;

const valuesOf = (customer: Customer) => ({
  name: customer.name,
  contactEmail: customer.contactEmail,
  company: customer.company ?? '',
  status: customer.status,
  developerSeats: String(customer.developerSeats),
  stakeholderSeats: String(customer.stakeholderSeats),
  seatLimitsEnforced: customer.seatLimitsEnforced,
});

type EditOwnCustomerModalProps = { dialog: DialogState; customer: Customer; etag: string | null };

/** What the customer's own screen lets one change: details, status and seats. What is refused is said in a toast. */
export const EditOwnCustomerModal = ({ dialog, customer, etag }: EditOwnCustomerModalProps) => {
  const queries = useQueryClient();
  const update = useUpdateOwnCustomer(customer.id);
  const defaults = valuesOf(customer);
  const { control, handleSubmit, refuseFields, takeOver } = useContractForm({
    schema: updateCustomer,
    defaults,
    toBody: (typed) => ({
      ...typed,
      developerSeats: wholeNumber(typed.developerSeats),
      stakeholderSeats: wholeNumber(typed.stakeholderSeats),
    }),
    labels: fields,
  });
  const save = useVersion(
    { etag, shown: defaults },
    {
      fetchNewest: async () => {
        const newest = await queries.fetchQuery({ ...ownCustomerQuery(customer.id), staleTime: 0 });
        return { etag: newest.etag, shown: valuesOf(newest.customer) };
      },
      takeOver,
    },
  );
  const submit = handleSubmit(async (body) => {
    try {
      await save((version) => update.mutateAsync({ body, etag: version }));
      notify.success(texts.updated);
      dialog.close();
    } catch (error) {
      refuseFields(error);
      notify.error(isConflict(error) ? changedMeanwhile('This customer') : messageOf(error, texts.updateFailed));
    }
  });
  return (
    <FormModal
      dialog={dialog}
      title={texts.editTitle}
      submitLabel={texts.save}
      busyLabel={texts.saving}
      isBusy={update.isPending}
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
          hint={texts.seatsHint}
          isRequired
        />
        <TextField
          control={control}
          name="stakeholderSeats"
          inputMode="numeric"
          label={fields.stakeholderSeats}
          hint={texts.seatsHint}
          isRequired
        />
      </SimpleGrid>
      <CheckboxField control={control} name="seatLimitsEnforced" label={fields.seatLimitsEnforced} hint={texts.seatLimitsHint} />
    </FormModal>
  );
};

import { SimpleGrid } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { createCustomerAsAdmin } from '../../../../../src/contracts/customers.ts';
import { messageOf } from '../../../api/error.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { CheckboxField, SelectField, TextField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { Banner } from '../../../ui/states.tsx';
import { integratorChoicesQuery } from '../../integrators/api/integrators.ts';
import { integratorTexts } from '../../integrators/texts.ts';
import { useCreateCustomer } from '../api/customers.ts';
import { customerDialogTexts } from '../dialogTexts.ts';
import { customerTexts } from '../texts.ts';
import { bodyOf, newCustomer } from './customerForm.ts';
import { ThemeOptions } from './ThemeOptions.tsx';

const { fields, placeholders } = customerDialogTexts;

/** Why there is nobody to choose, and what to do about it. */
const NoIntegrators = () => (
  <Banner tone="info">
    {customerDialogTexts.noIntegrator}{' '}
    <Link className="text-link" to="/admin/service-integrators?new=1">
      {customerDialogTexts.createIntegrator}
    </Link>
  </Banner>
);

export const CreateCustomerModal = ({ dialog }: { dialog: DialogState }) => {
  const integrators = useQuery(integratorChoicesQuery());
  const create = useCreateCustomer();
  const { control, handleSubmit, refuse, banner } = useContractForm({
    schema: createCustomerAsAdmin,
    defaults: { ...newCustomer, serviceIntegratorId: '' },
    toBody: bodyOf,
    labels: fields,
  });
  const submit = handleSubmit((body) =>
    create.mutate(body, {
      onSuccess: () => {
        notify.success(customerDialogTexts.created);
        dialog.close();
      },
      onError: (error) => refuse(error, customerTexts.createFailed),
    }),
  );
  return (
    <FormModal
      dialog={dialog}
      title={customerDialogTexts.createTitle}
      description={customerDialogTexts.createDescription}
      submitLabel={customerTexts.create}
      busyLabel={customerDialogTexts.creating}
      isBusy={create.isPending}
      banner={banner}
      onSubmit={submit}
    >
      {integrators.isError && <Banner tone="error">{messageOf(integrators.error, integratorTexts.loadFailed)}</Banner>}
      {integrators.data?.service_integrators.length === 0 && <NoIntegrators />}
      <TextField control={control} name="name" label={fields.name} placeholder={placeholders.name} isRequired />
      <TextField
        control={control}
        name="contactEmail"
        type="email"
        label={fields.contactEmail}
        placeholder={placeholders.contactEmail}
        isRequired
      />
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        <TextField control={control} name="company" label={fields.company} />
        <SelectField control={control} name="serviceIntegratorId" label={fields.serviceIntegratorId} isRequired>
          <option value="">{customerDialogTexts.chooseIntegrator}</option>
          {integrators.data?.service_integrators.map(({ id, companyName }) => (
            <option key={id} value={id}>
              {companyName}
            </option>
          ))}
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
        <ThemeOptions />
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

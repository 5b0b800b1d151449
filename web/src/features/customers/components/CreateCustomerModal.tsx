import { SimpleGrid } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { createCustomerAsAdmin } from '../../../../../src/contracts/customers.ts';
import type { PlanChoice } from '../../../../../src/contracts/plans.ts';
import type { IntegratorId } from '../../../../../src/domain/ids.ts';
import { messageOf } from '../../../api/error.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { CheckboxField, SelectField, TextField } from '../../../forms/fields.tsx';
import { SearchSelectField } from '../../../forms/SearchSelectField.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { Banner } from '../../../ui/states.tsx';
import { useOpenAction } from '../../../ui/useOpenAction.ts';
import { CallQuotaFields, callQuotaLabels, typedCallQuota, withCallQuota } from '../../callQuotas/index.ts';
import { EntitlementsField, entitlementsOf, entitlementTexts, rowsOf } from '../../entitlements/index.ts';
import { CreateIntegratorModal, integratorChoicesQuery, integratorTexts } from '../../integrators/index.ts';
import { newPlan, PlanField, planFieldLabels, planTexts, useChosenPlan, withPlan } from '../../plans/index.ts';
import { NewRecordsFields, newRecords, recordsLabels, withRecords } from '../../records/index.ts';
import { NewTermFields, newTerm, termFieldLabels, withTerm } from '../../terms/index.ts';
import { useCreateCustomer } from '../api/customers.ts';
import { customerDialogTexts } from '../dialogTexts.ts';
import { customerTexts } from '../texts.ts';
import { bodyOf, newCustomer } from './customerForm.ts';
import { customerPath } from './customerRows.tsx';
import { ThemeOptions } from './ThemeOptions.tsx';

const { fields, placeholders } = customerDialogTexts;

/** Creates a customer. Where there is no service integrator to choose, the first one is created before. */
export const CreateCustomerModal = ({ dialog }: { dialog: DialogState }) => {
  const { data } = useQuery(integratorChoicesQuery(''));
  const [first, setFirst] = useState<IntegratorId>();
  return data?.total === 0 && first === undefined ? (
    <CreateIntegratorModal dialog={dialog} description={customerDialogTexts.noIntegrator} onCreated={setFirst} />
  ) : (
    <CustomerForm key={first} dialog={dialog} serviceIntegratorId={first ?? ''} />
  );
};

type CustomerFormProps = { dialog: DialogState; serviceIntegratorId: string };

const CustomerForm = ({ dialog, serviceIntegratorId }: CustomerFormProps) => {
  const [search, setSearch] = useState('');
  const integrators = useQuery(integratorChoicesQuery(search));
  const found = integrators.data?.service_integrators ?? [];
  const openAction = useOpenAction();
  const create = useCreateCustomer();
  const { control, handleSubmit, refuse, banner, setValue } = useContractForm({
    schema: createCustomerAsAdmin,
    defaults: {
      ...newCustomer,
      ...newTerm,
      ...newPlan,
      ...newRecords,
      ...typedCallQuota(null),
      entitlements: rowsOf(null),
      serviceIntegratorId,
    },
    toBody: (typed) => ({
      ...withRecords(withPlan(withTerm(withCallQuota(bodyOf(typed))))),
      entitlements: entitlementsOf(typed.entitlements),
    }),
    labels: {
      ...fields,
      ...termFieldLabels,
      ...planFieldLabels,
      ...recordsLabels,
      ...callQuotaLabels,
      entitlements: entitlementTexts.field,
    },
  });
  const integratorId = useWatch({ control, name: 'serviceIntegratorId' });
  const plan = useChosenPlan('admin', useWatch({ control, name: 'plan' }));
  const takeValues = ({ developerSeats, stakeholderSeats, seatLimitsEnforced, entitlements, callQuota }: PlanChoice): void => {
    const quota = typedCallQuota(callQuota);
    setValue('developerSeats', String(developerSeats));
    setValue('stakeholderSeats', String(stakeholderSeats));
    setValue('seatLimitsEnforced', seatLimitsEnforced);
    setValue('entitlements', rowsOf(entitlements));
    setValue('callQuota', quota.callQuota);
    setValue('callQuotaKind', quota.callQuotaKind);
  };
  const submit = handleSubmit((body) =>
    create.mutate(body, {
      onSuccess: ({ customer }) => {
        notify.success(customerDialogTexts.created, openAction(customerPath.admin(customer)));
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
      <TextField control={control} name="name" label={fields.name} placeholder={placeholders.name} isRequired />
      <TextField
        control={control}
        name="contactEmail"
        type="email"
        label={fields.contactEmail}
        placeholder={placeholders.contactEmail}
        isRequired
      />
      <PlanField control={control} manager="admin" onChosen={takeValues} />
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        <TextField control={control} name="company" label={fields.company} />
        <SearchSelectField
          control={control}
          name="serviceIntegratorId"
          label={fields.serviceIntegratorId}
          placeholder={customerDialogTexts.searchIntegrators}
          options={found.map(({ id, companyName }) => ({ value: id, label: companyName }))}
          more={(integrators.data?.total ?? found.length) - found.length}
          isSearching={integrators.isFetching}
          onSearch={setSearch}
          texts={customerDialogTexts.integratorSearch}
          isRequired
        />
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
        <ThemeOptions isNew integratorId={integratorId} />
      </SelectField>
      <CheckboxField
        control={control}
        name="seatLimitsEnforced"
        label={fields.seatLimitsEnforced}
        hint={customerDialogTexts.seatLimitsHint}
      />
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        <CallQuotaFields control={control} />
      </SimpleGrid>
      <NewTermFields control={control} hint={planTexts.termHintOf(plan)} />
      <EntitlementsField control={control} />
      <NewRecordsFields control={control} />
    </FormModal>
  );
};

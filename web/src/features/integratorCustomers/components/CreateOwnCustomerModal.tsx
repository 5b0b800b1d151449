import { SimpleGrid } from '@chakra-ui/react';
import { useWatch } from 'react-hook-form';
import { createCustomerAsIntegrator } from '../../../../../src/contracts/customers.ts';
import type { PlanChoice } from '../../../../../src/contracts/plans.ts';
import { causeOf } from '../../../api/error.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { TextField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { useOpenAction } from '../../../ui/useOpenAction.ts';
import { CallQuotaFields, callQuotaLabels, typedCallQuota, withCallQuota } from '../../callQuotas/index.ts';
import { EntitlementsField, entitlementsOf, entitlementTexts, rowsOf } from '../../entitlements/index.ts';
import { newPlan, PlanField, planFieldLabels, planTexts, useChosenPlan, withPlan } from '../../plans/index.ts';
import { NewRecordsFields, newRecords, recordsLabels, withRecords } from '../../records/index.ts';
import { NewTermFields, newTerm, termFieldLabels, withTerm } from '../../terms/index.ts';
import { ownCustomerPath, useCreateOwnCustomer } from '../api/integratorCustomers.ts';
import { integratorCustomerTexts as texts } from '../texts.ts';
import { ThemeField } from './ThemeField.tsx';

const { fields, placeholders } = texts;

export const CreateOwnCustomerModal = ({ dialog }: { dialog: DialogState }) => {
  const openAction = useOpenAction();
  const create = useCreateOwnCustomer();
  const { control, handleSubmit, refuseFields, setValue } = useContractForm({
    schema: createCustomerAsIntegrator,
    defaults: {
      name: '',
      contactEmail: '',
      company: '',
      theme: '',
      ...newTerm,
      ...newPlan,
      ...newRecords,
      ...typedCallQuota(null),
      entitlements: rowsOf(null),
    },
    toBody: (typed) => ({
      ...withRecords(withPlan(withTerm(withCallQuota(typed)))),
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
  const plan = useChosenPlan('integrator', useWatch({ control, name: 'plan' }));
  const takeValues = ({ entitlements, callQuota }: PlanChoice): void => {
    const quota = typedCallQuota(callQuota);
    setValue('entitlements', rowsOf(entitlements));
    setValue('callQuota', quota.callQuota);
    setValue('callQuotaKind', quota.callQuotaKind);
  };
  const submit = handleSubmit((body) =>
    create.mutate(body, {
      onSuccess: ({ customer }) => {
        notify.success(texts.created, openAction(ownCustomerPath(customer.id)));
        dialog.close();
      },
      onError: (error) => {
        refuseFields(error);
        notify.error(causeOf(error, texts.createFailed));
      },
    }),
  );
  return (
    <FormModal
      dialog={dialog}
      title={texts.createTitle}
      description={texts.createDescription}
      submitLabel={texts.create}
      busyLabel={texts.creating}
      isBusy={create.isPending}
      onSubmit={submit}
    >
      <TextField control={control} name="name" label={fields.name} placeholder={placeholders.name} isRequired />
      <TextField
        control={control}
        name="contactEmail"
        type="email"
        label={fields.contactEmail}
        placeholder={placeholders.contactEmail}
        isRequired
      />
      <TextField control={control} name="company" label={fields.company} placeholder={placeholders.company} isRequired />
      <PlanField control={control} manager="integrator" onChosen={takeValues} />
      <ThemeField control={control} name="theme" />
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        <CallQuotaFields control={control} />
      </SimpleGrid>
      <NewTermFields control={control} hint={planTexts.termHintOf(plan)} />
      <EntitlementsField control={control} />
      <NewRecordsFields control={control} />
    </FormModal>
  );
};

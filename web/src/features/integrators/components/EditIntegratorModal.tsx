import { SimpleGrid } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { type ServiceIntegrator, updateIntegrator } from '../../../../../src/contracts/integrators.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { CheckboxField, SelectField, TextField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import { changedMeanwhile, isConflict, useVersion } from '../../../forms/useVersion.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { StatusOptions } from '../../customers/components/StatusOptions.tsx';
import { integratorQuery, useUpdateIntegrator } from '../api/integrators.ts';
import { integratorTexts } from '../texts.ts';

const { fields, placeholders } = integratorTexts;

const valuesOf = (integrator: ServiceIntegrator) => ({
  companyName: integrator.companyName,
  contactEmail: integrator.contactEmail,
  billingEmail: integrator.billingEmail,
  status: integrator.status,
  whiteLabelEnabled: integrator.whiteLabelEnabled,
  customDomain: integrator.customDomain ?? '',
  logoUrl: integrator.logoUrl ?? '',
});

type EditIntegratorModalProps = { dialog: DialogState; integrator: ServiceIntegrator; etag: string | null };

export const EditIntegratorModal = ({ dialog, integrator, etag }: EditIntegratorModalProps) => {
  const queries = useQueryClient();
  const update = useUpdateIntegrator(integrator.id);
  const defaults = valuesOf(integrator);
  const { control, handleSubmit, refuse, takeOver, banner } = useContractForm({
    schema: updateIntegrator,
    defaults,
    toBody: (typed) => typed,
    labels: fields,
  });
  const save = useVersion(
    { etag, shown: defaults },
    {
      fetchNewest: async () => {
        const newest = await queries.fetchQuery({ ...integratorQuery(integrator.id), staleTime: 0 });
        return { etag: newest.etag, shown: valuesOf(newest.integrator) };
      },
      takeOver,
    },
  );
  const submit = handleSubmit(async (body) => {
    try {
      await save((version) => update.mutateAsync({ body, etag: version }));
      notify.success(integratorTexts.updated);
      dialog.close();
    } catch (error) {
      if (isConflict(error)) refuse(null, changedMeanwhile('This service integrator'));
      else refuse(error, integratorTexts.updateFailed);
    }
  });

  return (
    <FormModal
      dialog={dialog}
      title={integratorTexts.edit}
      submitLabel={integratorTexts.save}
      busyLabel={integratorTexts.saving}
      isBusy={update.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        <TextField control={control} name="companyName" label={fields.companyName} isRequired />
        <SelectField control={control} name="status" label={fields.status} isRequired>
          <StatusOptions />
        </SelectField>
        <TextField control={control} name="contactEmail" type="email" label={fields.contactEmail} isRequired />
        <TextField control={control} name="billingEmail" type="email" label={fields.billingEmail} isRequired />
      </SimpleGrid>
      <CheckboxField control={control} name="whiteLabelEnabled" label={fields.whiteLabelEnabled} />
      <TextField control={control} name="customDomain" label={fields.customDomain} placeholder={placeholders.customDomain} />
      <TextField control={control} name="logoUrl" type="url" label={fields.logoUrl} placeholder={placeholders.logoUrl} />
    </FormModal>
  );
};

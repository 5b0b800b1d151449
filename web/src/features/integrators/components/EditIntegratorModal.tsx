import { SimpleGrid } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ServiceIntegrator, updateIntegrator } from '../../../../../src/contracts/integrators.ts';
import { isApiError } from '../../../api/error.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { CheckboxField, SelectField, TextField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { StatusOptions } from '../../customers/components/StatusOptions.tsx';
import { integratorQuery, useUpdateIntegrator } from '../api/integrators.ts';
import { integratorTexts } from '../texts.ts';

const { fields, placeholders } = integratorTexts;
const STALE_VERSION = 412;

type EditIntegratorModalProps = { dialog: DialogState; integrator: ServiceIntegrator; etag: string | null };

export const EditIntegratorModal = ({ dialog, integrator, etag }: EditIntegratorModalProps) => {
  const queries = useQueryClient();
  // The version that was seen when the form opened: a live update behind it must not hide a conflict.
  const [version, setVersion] = useState(etag);
  const update = useUpdateIntegrator(integrator.id);
  const { control, handleSubmit, refuse, banner } = useContractForm({
    schema: updateIntegrator,
    defaults: {
      companyName: integrator.companyName,
      contactEmail: integrator.contactEmail,
      billingEmail: integrator.billingEmail,
      status: integrator.status,
      whiteLabelEnabled: integrator.whiteLabelEnabled,
      customDomain: integrator.customDomain ?? '',
      logoUrl: integrator.logoUrl ?? '',
    },
    toBody: (typed) => typed,
    labels: fields,
  });

  const onError = async (error: Error) => {
    if (!isApiError(error) || error.status !== STALE_VERSION) return refuse(error, integratorTexts.updateFailed);
    const fresh = await queries.fetchQuery({ ...integratorQuery(integrator.id), staleTime: 0 });
    setVersion(fresh.etag);
    refuse(null, integratorTexts.changedMeanwhile);
  };

  const submit = handleSubmit((body) =>
    update.mutate(
      { body, etag: version },
      {
        onSuccess: () => {
          notify.success(integratorTexts.updated);
          dialog.close();
        },
        onError: (error) => void onError(error),
      },
    ),
  );

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

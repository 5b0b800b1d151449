import { useQueryClient } from '@tanstack/react-query';
import { type ServiceIntegrator, updateIntegratorProfile } from '../../../../../src/contracts/integrators.ts';
import { causeOf } from '../../../api/error.ts';
import { FormCard } from '../../../forms/FormCard.tsx';
import { TextField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import { useFreshValues } from '../../../forms/useFreshValues.ts';
import { useSavedThenReload } from '../../../forms/useSavedThenReload.ts';
import { isConflict, useVersion } from '../../../forms/useVersion.ts';
import { notify } from '../../../ui/notify.ts';
import { LastChange } from '../../history/index.ts';
import { ownIntegratorQuery, useUpdateAccount } from '../api/ownIntegrator.ts';
import { accountTexts as texts } from '../texts.ts';

const { fields, hints } = texts;

const valuesOf = ({ companyName, contactEmail, billingEmail }: ServiceIntegrator) => ({ companyName, contactEmail, billingEmail });

type AccountFormProps = { integrator: ServiceIntegrator; etag: string | null };

/** Company and addresses: all are required. */
export const AccountForm = ({ integrator, etag }: AccountFormProps) => {
  const queries = useQueryClient();
  const update = useUpdateAccount(integrator.id);
  const { isSaved, saved } = useSavedThenReload();
  const values = valuesOf(integrator);
  const form = useContractForm({
    schema: updateIntegratorProfile,
    defaults: values,
    toBody: (typed) => typed,
    labels: fields,
  });
  const { control, handleSubmit, reset, refuseFields, conflictOf, takeOver } = form;
  const isDirty = useFreshValues(form, values);
  const save = useVersion(
    { etag, shown: values },
    {
      followsSeen: !isDirty,
      fetchNewest: async () => {
        const newest = await queries.fetchQuery({ ...ownIntegratorQuery(integrator.id), staleTime: 0 });
        return { etag: newest.etag, shown: valuesOf(newest.integrator) };
      },
      takeOver,
    },
  );
  const submit = handleSubmit(async (body) => {
    try {
      await save((version) => update.mutateAsync({ body, etag: version }));
      reset(body);
      saved();
    } catch (error) {
      refuseFields(error);
      notify.error(isConflict(error) ? conflictOf('your account') : causeOf(error, texts.saveFailed));
    }
  });
  return (
    <FormCard
      title={texts.details}
      sub={
        <LastChange
          source={{ kind: 'integrator', id: integrator.id, path: '/api/service-integrator' }}
          type="IntegratorRegistered,IntegratorProfileChanged"
        />
      }
      submitLabel={isSaved ? texts.saved : texts.save}
      busyLabel={texts.saving}
      isBusy={update.isPending}
      isModified={isDirty}
      onSubmit={submit}
    >
      <TextField control={control} name="companyName" label={fields.companyName} autoComplete="organization" isRequired />
      <TextField
        control={control}
        name="contactEmail"
        type="email"
        label={fields.contactEmail}
        hint={hints.contactEmail}
        autoComplete="email"
        isRequired
      />
      <TextField
        control={control}
        name="billingEmail"
        type="email"
        label={fields.billingEmail}
        hint={hints.billingEmail}
        autoComplete="email"
        isRequired
      />
    </FormCard>
  );
};

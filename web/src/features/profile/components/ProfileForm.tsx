import { useQueryClient } from '@tanstack/react-query';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { updateProfile } from '../../../../../src/contracts/profile.ts';
import { FormCard } from '../../../forms/FormCard.tsx';
import { TextField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import { useFreshValues } from '../../../forms/useFreshValues.ts';
import { isConflict, useVersion } from '../../../forms/useVersion.ts';
import { notify } from '../../../ui/notify.ts';
import { LastChange } from '../../history/index.ts';
import { profileQuery, useUpdateProfile } from '../api/profile.ts';
import { profileTexts as texts } from '../texts.ts';

const { fields } = texts;

const valuesOf = ({ name, contactEmail, company }: Customer) => ({ name, contactEmail, company: company ?? '' });

type ProfileFormProps = { profile: Customer; etag: string | null };

/** Name, address and company: all are required. */
export const ProfileForm = ({ profile, etag }: ProfileFormProps) => {
  const queries = useQueryClient();
  const update = useUpdateProfile(profile.id);
  const values = valuesOf(profile);
  const form = useContractForm({ schema: updateProfile, defaults: values, toBody: (typed) => typed, labels: fields });
  const { control, handleSubmit, reset, refuse, refuseConflict, takeOver, clearBanner, banner } = form;
  const isDirty = useFreshValues(form, values);
  const save = useVersion(
    { etag, shown: values },
    {
      followsSeen: !isDirty,
      fetchNewest: async () => {
        const newest = await queries.fetchQuery({ ...profileQuery(profile.id), staleTime: 0 });
        return { etag: newest.etag, shown: valuesOf(newest.profile) };
      },
      takeOver,
    },
  );
  const submit = handleSubmit(async (body) => {
    try {
      await save((version) => update.mutateAsync({ body, etag: version }));
      notify.success(texts.updated);
      reset(body);
      clearBanner();
    } catch (error) {
      if (isConflict(error)) refuseConflict('this profile');
      else refuse(error, texts.updateFailed);
    }
  });
  return (
    <FormCard
      title={texts.details}
      sub={
        <>
          {texts.detailsSub}
          <LastChange
            source={{ kind: 'customer', id: profile.id, path: '/api/customer' }}
            type="CustomerRegistered,CustomerDetailsChanged"
          />
        </>
      }
      submitLabel={texts.save}
      busyLabel={texts.saving}
      isBusy={update.isPending}
      isModified={isDirty}
      banner={banner}
      onSubmit={submit}
    >
      <TextField control={control} name="name" label={fields.name} autoComplete="name" isRequired />
      <TextField control={control} name="contactEmail" type="email" label={fields.contactEmail} autoComplete="email" isRequired />
      <TextField control={control} name="company" label={fields.company} autoComplete="organization" isRequired />
    </FormCard>
  );
};

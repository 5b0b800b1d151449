import { z } from 'zod';
import { changePassword } from '../../../../../src/contracts/profile.ts';
import { FormCard } from '../../../forms/FormCard.tsx';
import { TextField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import { notify } from '../../../ui/notify.ts';
import { useChangePassword } from '../api/profile.ts';
import { profileTexts as texts } from '../texts.ts';

const { passwordFields: fields } = texts;
const empty = { currentPassword: '', newPassword: '', confirmPassword: '' };

/** The contract, and a check that both entries of the new password are equal. */
const schema = changePassword
  .extend({ confirmPassword: z.string() })
  .refine(({ newPassword, confirmPassword }) => newPassword === confirmPassword, {
    path: ['confirmPassword'],
    message: texts.mismatch,
  })
  .transform(({ currentPassword, newPassword }) => ({ currentPassword, newPassword }));

export const PasswordForm = () => {
  const change = useChangePassword();
  const { control, handleSubmit, reset, refuse, clearBanner, banner, formState } = useContractForm({
    schema,
    defaults: empty,
    toBody: (typed) => typed,
    labels: fields,
  });
  const submit = handleSubmit((body) =>
    change.mutate(body, {
      onSuccess: () => {
        notify.success(texts.changed);
        reset(empty);
        clearBanner();
      },
      onError: (error) => refuse(error, texts.changeFailed),
    }),
  );
  return (
    <FormCard
      title={texts.password}
      sub={texts.passwordSub}
      submitLabel={texts.change}
      busyLabel={texts.changing}
      isBusy={change.isPending}
      isModified={formState.isDirty}
      banner={banner}
      onSubmit={submit}
    >
      <TextField
        control={control}
        name="currentPassword"
        type="password"
        label={fields.currentPassword}
        hint={texts.currentHint}
        autoComplete="current-password"
        isRequired
      />
      <TextField
        control={control}
        name="newPassword"
        type="password"
        label={fields.newPassword}
        hint={texts.newHint}
        autoComplete="new-password"
        isRequired
      />
      <TextField
        control={control}
        name="confirmPassword"
        type="password"
        label={fields.confirmPassword}
        autoComplete="new-password"
        isRequired
      />
    </FormCard>
  );
};

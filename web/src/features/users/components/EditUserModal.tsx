import { type User, updateUser } from '../../../../../src/contracts/users.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { SelectField, TextField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { useUpdateUser } from '../api/users.ts';
import { userTexts } from '../texts.ts';

const { fields, roles, roleHints } = userTexts;
const ROLES = ['developer', 'stakeholder', 'admin'] as const;

export const EditUserModal = ({ dialog, user }: { dialog: DialogState; user: User }) => {
  const update = useUpdateUser(user.id);
  const { control, handleSubmit, refuse, banner } = useContractForm({
    schema: updateUser,
    defaults: { username: user.username, email: user.email, role: user.role },
    toBody: (typed) => typed,
    labels: fields,
  });
  const submit = handleSubmit((body) =>
    update.mutate(body, {
      onSuccess: () => {
        notify.success(userTexts.updated);
        dialog.close();
      },
      onError: (error) => refuse(error, userTexts.updateFailed),
    }),
  );
  return (
    <FormModal
      dialog={dialog}
      title={userTexts.editTitle}
      description={user.customerName}
      submitLabel={userTexts.save}
      busyLabel={userTexts.saving}
      isBusy={update.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <TextField control={control} name="username" label={fields.username} isRequired />
      <TextField control={control} name="email" type="email" label={fields.email} isRequired />
      <SelectField control={control} name="role" label={fields.role} isRequired>
        {ROLES.map((role) => (
          <option key={role} value={role}>{`${roles[role]} (${roleHints[role]})`}</option>
        ))}
      </SelectField>
    </FormModal>
  );
};

import { useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { type ChangeUserStatus, changeUserStatus, type User } from '../../../../../src/contracts/users.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { SelectField } from '../../../forms/fields.tsx';
import { ReasonField, reasonLabel } from '../../../forms/ReasonField.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Effects, effectsOnUser, userImpactQuery } from '../../impact/index.ts';
import { useUsersRoot } from '../api/users.ts';
import { userTexts } from '../texts.ts';
import { useStatusChange } from './useStatusChange.ts';

const { fields } = userTexts;
const STATUSES = ['suspended', 'inactive', 'active'] as const;

/** Changes a user's status with a reason. */
export const UserStatusModal = ({ dialog, user }: { dialog: DialogState; user: User }) => {
  const { run, isBusy } = useStatusChange(user);
  const others = STATUSES.filter((status) => status !== user.status);
  const { control, handleSubmit, refuse, banner } = useContractForm<{ status: string; reason: string }, ChangeUserStatus>({
    schema: changeUserStatus,
    defaults: { status: others[0] ?? 'active', reason: '' },
    toBody: (typed) => typed,
    labels: { ...fields, reason: reasonLabel },
  });
  const impact = useQuery(userImpactQuery(useUsersRoot(), user.id, { status: useWatch({ control, name: 'status' }) }));
  const submit = handleSubmit((body) => run(body).then(dialog.close, (error: unknown) => refuse(error, userTexts.statusFailed)));
  return (
    <FormModal
      dialog={dialog}
      title={userTexts.statusTitle}
      description={user.username}
      submitLabel={userTexts.save}
      busyLabel={userTexts.saving}
      isBusy={isBusy}
      banner={banner}
      onSubmit={submit}
    >
      <SelectField control={control} name="status" label={fields.status} isRequired>
        {others.map((status) => (
          <option key={status} value={status}>
            {userTexts.statuses[status]}
          </option>
        ))}
      </SelectField>
      <Effects query={impact} effectsOf={effectsOnUser} />
      <ReasonField control={control} saved={user.status} />
    </FormModal>
  );
};

import { useQuery } from '@tanstack/react-query';
import { type Control, useWatch } from 'react-hook-form';
import { type UpdateUser, type User, updateUser } from '../../../../../src/contracts/users.ts';
import { USER_ROLES, USER_STATUSES, type UserRole, type UserStatus } from '../../../../../src/domain/enumerations.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { customersPath } from '../../../api/customersPath.ts';
import type { Area } from '../../../areas.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { SelectField, TextField } from '../../../forms/fields.tsx';
import { ReasonField, reasonLabel } from '../../../forms/ReasonField.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { LastChange } from '../../history/index.ts';
import { Effects, effectsOnUser, userImpactQuery } from '../../impact/index.ts';
import { useArea, useUpdateUser, useUsersRoot } from '../api/users.ts';
import { userTexts } from '../texts.ts';
import { undoing } from './undoing.ts';

const { fields, roles, roleHints, statuses } = userTexts;

/** Below what the server has the history of a customer. */
const historyPath: Record<Area, (customerId: CustomerId) => string> = {
  admin: (customerId) => `${customersPath.admin}/${customerId}`,
  integrator: (customerId) => `${customersPath.integrator}/${customerId}`,
  portal: () => '/api/customer',
};

/** A change of role, or of status to fewer rights: it is saved without a confirmation and can be undone. */
const isUndoable = (user: User, { role, status }: UpdateUser): boolean =>
  role !== user.role || (status !== undefined && status !== user.status && status !== 'active');

/** What undoes a change: the user as it was, its status only where that was changed. */
const before = ({ username, email, role, status }: User, changed: UpdateUser): UpdateUser => ({
  username,
  email,
  role,
  ...(changed.status !== undefined && { status }),
  expected: { username: changed.username, email: changed.email, role: changed.role, status: changed.status ?? status },
});

type EditedUser = { username: string; email: string; role: UserRole; status: UserStatus; reason: string };

/** What the chosen role and status affect; nothing while both are as they are. */
const Affected = ({ control, user }: { control: Control<EditedUser, unknown, UpdateUser>; user: User }) => {
  const [role, status] = useWatch({ control, name: ['role', 'status'] });
  const change = { ...(role !== user.role && { role }), ...(status !== user.status && { status }) };
  const isChanged = Object.keys(change).length > 0;
  const impact = useQuery({ ...userImpactQuery(useUsersRoot(), user.id, change), enabled: isChanged });
  return isChanged && <Effects query={impact} effectsOf={effectsOnUser} />;
};

export const EditUserModal = ({ dialog, user }: { dialog: DialogState; user: User }) => {
  const area = useArea();
  const update = useUpdateUser(user.id);
  const { control, handleSubmit, refuse, banner } = useContractForm<EditedUser, UpdateUser>({
    schema: updateUser,
    defaults: { username: user.username, email: user.email, role: user.role, status: user.status, reason: '' },
    // A status that was not changed is not sent, so that a change made elsewhere stays.
    toBody: ({ status, reason, ...typed }) => (status === user.status ? typed : { ...typed, status, reason }),
    labels: { ...fields, reason: reasonLabel },
  });
  const submit = handleSubmit((body) =>
    update.mutate(body, {
      onSuccess: () => {
        const undo = undoing(user, () => update.mutateAsync(before(user, body)));
        notify.success(userTexts.updated, isUndoable(user, body) ? undo : undefined);
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
      <LastChange source={{ kind: 'customer', id: user.customerId, path: historyPath[area](user.customerId) }} about={user.id} />
      <TextField control={control} name="username" label={fields.username} isRequired />
      <TextField control={control} name="email" type="email" label={fields.email} isRequired />
      <SelectField control={control} name="role" label={fields.role} isRequired>
        {USER_ROLES.map((role) => (
          <option key={role} value={role}>{`${roles[role]} (${roleHints[role]})`}</option>
        ))}
      </SelectField>
      <SelectField control={control} name="status" label={fields.status} isRequired>
        {USER_STATUSES.map((status) => (
          <option key={status} value={status}>
            {statuses[status]}
          </option>
        ))}
      </SelectField>
      <Affected control={control} user={user} />
      <ReasonField control={control} saved={user.status} />
    </FormModal>
  );
};

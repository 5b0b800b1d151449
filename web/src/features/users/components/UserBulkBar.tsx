import { Button } from '@chakra-ui/react';
import { csvOf } from '../../../../../src/contracts/csv.ts';
import type { User } from '../../../../../src/contracts/users.ts';
import { USER_STATUSES, type UserStatus } from '../../../../../src/domain/enumerations.ts';
import { dayOf } from '../../../../../src/domain/time.ts';
import { download } from '../../../lib/download.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { BulkBar } from '../../../ui/BulkBar.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Download } from '../../../ui/icons.ts';
import type { Selection } from '../../../ui/selection.ts';
import { userBulkTexts as texts } from '../bulkTexts.ts';
import { userTexts } from '../texts.ts';
import { statusIcons } from './statusIcons.ts';

const BulkUserStatusModal = lazyDialog(async () => (await import('./BulkUserStatusModal.tsx')).BulkUserStatusModal);

/** The columns of the export, by the names of the API. */
const COLUMNS = [
  'id',
  'username',
  'email',
  'role',
  'status',
  'customerId',
  'customerName',
  'machineId',
  'pendingMachines',
  'lastLogin',
  'createdAt',
] as const satisfies readonly (keyof User)[];

const csvFile = (users: readonly User[]): Blob => {
  const lines = users.map((user) => csvOf(COLUMNS.map((column) => String(user[column] ?? ''))));
  return new Blob([csvOf(COLUMNS), ...lines], { type: 'text/csv;charset=utf-8' });
};

type StatusActionProps = { to: UserStatus; users: readonly User[]; onClose: (done: readonly User[]) => void };

/** Sets a status of the selected users after a preview. */
export const StatusAction = ({ to, users, onClose }: StatusActionProps) => {
  const dialog = useDialog();
  const Icon = statusIcons[to];
  return (
    <>
      <OpenDialogButton dialog={dialog} preload={BulkUserStatusModal.preload} size="sm">
        <Icon aria-hidden />
        {userTexts.actions[to]}
      </OpenDialogButton>
      <BulkUserStatusModal dialog={dialog} users={users} to={to} onClose={onClose} />
    </>
  );
};

/** What can be done with the selected users. */
export const UserBulkBar = ({ selection }: { selection: Selection<User> }) => {
  const users = [...selection.selected.values()];
  return (
    <BulkBar count={users.length} onClear={selection.clear}>
      <Allowed to="users:write">
        {USER_STATUSES.map((to) => (
          <StatusAction key={to} to={to} users={users} onClose={(done) => selection.select(done, false)} />
        ))}
      </Allowed>
      <Button size="sm" variant="outline" onClick={() => download(csvFile(users), texts.exportName(dayOf(Date.now())))}>
        <Download aria-hidden />
        {texts.exportCsv}
      </Button>
    </BulkBar>
  );
};

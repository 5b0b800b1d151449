import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../../../../src/contracts/users.ts';
import type { UserStatus } from '../../../../../src/domain/enumerations.ts';
import { MAX_REASON } from '../../../../../src/domain/limits.ts';
import type { BulkKeys } from '../../../api/client.ts';
import { BulkDialog } from '../../../ui/BulkDialog.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { FieldFrame, Textarea } from '../../../ui/controls.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Effects, effectsOnSeveralUsers, severalUsersImpactQuery } from '../../impact/index.ts';
import { putUserStatus, TOUCHED_BY_SEATS, useUsersRoot } from '../api/users.ts';
import { userBulkTexts as texts } from '../bulkTexts.ts';
import { userTexts } from '../texts.ts';

const keyOf = ({ id }: User): string => id;
const nameOf = ({ username }: User): string => username;

type BulkUserStatusModalProps = {
  dialog: DialogState;
  users: readonly User[];
  to: UserStatus;
  /** Called with the changed users when the dialog closes. */
  onClose: (done: readonly User[]) => void;
};

/** Activates, deactivates or suspends the selected users. A user that was changed since it was selected is refused. */
export const BulkUserStatusModal = ({ dialog, users, to, onClose }: BulkUserStatusModalProps) => {
  const root = useUsersRoot();
  const [reason, setReason] = useState('');
  const isAffected = ({ status }: User): boolean => status !== to;
  const [affected] = useState(() => users.filter(isAffected));
  const impact = useQuery({ ...severalUsersImpactQuery(root, affected, to), enabled: affected.length > 0 });
  const change = (user: User, keys: BulkKeys) => {
    const reasoned = reason.trim() !== '' && { reason: reason.trim() };
    return putUserStatus(root, user, { status: to, ...reasoned }, { ...keys, fallback: userTexts.statusFailed });
  };
  return (
    <BulkDialog
      dialog={dialog}
      title={texts.titles[to]}
      rows={users}
      keyOf={keyOf}
      nameOf={nameOf}
      isAffected={isAffected}
      preview={({ status }) => (
        <>
          <StatusBadge status={status} /> {texts.becomes} <StatusBadge status={to} />
        </>
      )}
      confirmLabel={texts.confirm[to]}
      busyLabel={userTexts.changing[to]}
      isDestructive={to !== 'active'}
      change={change}
      touched={TOUCHED_BY_SEATS}
      fallback={userTexts.statusFailed}
      onClose={onClose}
    >
      {affected.length > 0 && <Effects query={impact} effectsOf={effectsOnSeveralUsers} />}
      <FieldFrame label={texts.reason} hint={texts.reasonHint}>
        <Textarea rows={2} maxLength={MAX_REASON} value={reason} onChange={({ target }) => setReason(target.value)} />
      </FieldFrame>
    </BulkDialog>
  );
};

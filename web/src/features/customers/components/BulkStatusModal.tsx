import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { MAX_REASON } from '../../../../../src/domain/limits.ts';
import { customerTopics } from '../../../api/changeCustomer.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { recordBulkChange } from '../../../api/recordBulkChange.ts';
import { BulkDialog } from '../../../ui/BulkDialog.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { FieldFrame, Textarea } from '../../../ui/controls.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Effects, effectsOnSeveral, severalCustomersImpactQuery } from '../../impact/index.ts';
import { changeStatus } from '../api/bulk.ts';
import { customerBulkTexts as texts } from '../bulkTexts.ts';
import { customerKey } from './customerRows.tsx';

const REFETCHED = customerTopics();

export type CustomerBulkProps = {
  dialog: DialogState;
  manager: CustomerManager;
  customers: readonly Customer[];
  /** Called with the changed customers when the dialog closes. */
  onClose: (done: readonly Customer[]) => void;
};

const nameOf = ({ name }: Customer): string => name;

type BulkStatusModalProps = CustomerBulkProps & { to: 'active' | 'suspended' };

/** Suspends or reactivates the selected customers, each by the same request as in its form. */
export const BulkStatusModal = ({ dialog, manager, customers, to, onClose }: BulkStatusModalProps) => {
  const [reason, setReason] = useState('');
  // A suspension would give customers back what they lost when they churned.
  const isAffected = ({ status }: Customer): boolean => (to === 'suspended' ? status === 'active' : status !== to);
  const [affected] = useState(() => customers.filter(isAffected));
  const isSuspension = to === 'suspended';
  const impact = useQuery({ ...severalCustomersImpactQuery(manager, affected), enabled: isSuspension && affected.length > 0 });
  return (
    <BulkDialog
      dialog={dialog}
      title={isSuspension ? texts.suspendTitle : texts.reactivateTitle}
      rows={customers}
      keyOf={customerKey}
      nameOf={nameOf}
      isAffected={isAffected}
      preview={({ status }) => (
        <>
          <StatusBadge status={status} /> {texts.becomes} <StatusBadge status={to} />
        </>
      )}
      confirmLabel={isSuspension ? texts.suspendCount : texts.reactivateCount}
      busyLabel={isSuspension ? texts.suspending : texts.reactivating}
      isDestructive={isSuspension}
      change={(customer, keys) => changeStatus(manager, customer, { status: to, reason: reason.trim() }, keys)}
      record={(id, refused, options) => recordBulkChange(manager, { id, kind: 'status', refused }, options)}
      touched={REFETCHED}
      fallback={texts.updateFailed}
      onClose={onClose}
    >
      {isSuspension && affected.length > 0 && <Effects query={impact} effectsOf={effectsOnSeveral} />}
      <FieldFrame label={texts.reason} hint={texts.reasonHint}>
        <Textarea rows={2} maxLength={MAX_REASON} value={reason} onChange={({ target }) => setReason(target.value)} />
      </FieldFrame>
    </BulkDialog>
  );
};

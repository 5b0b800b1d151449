import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { MAX_REASON } from '../../../../../src/domain/limits.ts';
import { recordBulkChange } from '../../../api/recordBulkChange.ts';
import { BulkDialog } from '../../../ui/BulkDialog.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { FieldFrame, Textarea } from '../../../ui/controls.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Effects, effectsOnSeveralIntegrators, severalIntegratorsImpactQuery } from '../../impact/index.ts';
import { changeIntegratorStatus } from '../api/integrators.ts';
import { integratorBulkTexts as texts } from '../bulkTexts.ts';
import { integratorTexts } from '../texts.ts';
import { integratorKey, integratorName } from './integratorRows.tsx';

const REFETCHED = [['integrator'], ['history'], topic.integrators(), topic.customers(), topic.audit(), topic.stats()] as const;

type BulkIntegratorStatusModalProps = {
  dialog: DialogState;
  integrators: readonly ServiceIntegrator[];
  to: 'active' | 'suspended';
  /** Called with the changed service integrators when the dialog closes. */
  onClose: (done: readonly ServiceIntegrator[]) => void;
};

/** Suspends or reactivates the selected service integrators, each by the same request as in its form. */
export const BulkIntegratorStatusModal = ({ dialog, integrators, to, onClose }: BulkIntegratorStatusModalProps) => {
  const [reason, setReason] = useState('');
  // A suspension would give service integrators back what they lost when they churned.
  const isAffected = ({ status }: ServiceIntegrator): boolean => (to === 'suspended' ? status === 'active' : status !== to);
  const [affected] = useState(() => integrators.filter(isAffected));
  const isSuspension = to === 'suspended';
  const impact = useQuery({ ...severalIntegratorsImpactQuery(affected), enabled: isSuspension && affected.length > 0 });
  return (
    <BulkDialog
      dialog={dialog}
      title={isSuspension ? texts.suspendTitle : texts.reactivateTitle}
      rows={integrators}
      keyOf={integratorKey}
      nameOf={integratorName}
      isAffected={isAffected}
      preview={({ status }) => (
        <>
          <StatusBadge status={status} /> {texts.becomes} <StatusBadge status={to} />
        </>
      )}
      confirmLabel={isSuspension ? texts.suspendCount : texts.reactivateCount}
      busyLabel={isSuspension ? texts.suspending : texts.reactivating}
      isDestructive={isSuspension}
      change={(integrator, keys) => changeIntegratorStatus(integrator, { status: to, reason: reason.trim() }, keys)}
      record={(id, refused, options) => recordBulkChange('admin', { id, kind: 'integratorStatus', refused }, options)}
      touched={REFETCHED}
      fallback={integratorTexts.updateFailed}
      onClose={onClose}
    >
      {isSuspension && affected.length > 0 && <Effects query={impact} effectsOf={effectsOnSeveralIntegrators} />}
      <FieldFrame label={texts.reason} hint={texts.reasonHint}>
        <Textarea rows={2} maxLength={MAX_REASON} value={reason} onChange={({ target }) => setReason(target.value)} />
      </FieldFrame>
    </BulkDialog>
  );
};

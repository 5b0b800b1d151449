import { useState } from 'react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { recordBulkChange } from '../../../api/recordBulkChange.ts';
import { format } from '../../../lib/format.ts';
import { wholeNumber } from '../../../lib/numbers.ts';
import { BulkDialog } from '../../../ui/BulkDialog.tsx';
import { FieldFrame, Select } from '../../../ui/controls.tsx';
import { renewalMonths, termTexts } from '../../terms/index.ts';
import { prolongTerm } from '../api/bulk.ts';
import { customerBulkTexts as texts } from '../bulkTexts.ts';
import type { CustomerBulkProps } from './BulkStatusModal.tsx';
import { customerKey, customerName } from './customerRows.tsx';

const REFETCHED = [topic.customers(), ['customer']] as const;
const YEAR = '12';

const hasTerm = ({ term }: Customer): boolean => term !== undefined;
const expiryOf = ({ term }: Customer): string => (term ? texts.expiresOn(format.utcDate(term.expiresAt)) : termTexts.perpetual);

/** Renews the licenses of the selected customers for the same time. Perpetual licenses are skipped. */
export const BulkRenewModal = ({ dialog, manager, customers, onClose }: CustomerBulkProps) => {
  const [months, setMonths] = useState(YEAR);
  return (
    <BulkDialog
      dialog={dialog}
      title={texts.renewTitle}
      rows={customers}
      keyOf={customerKey}
      nameOf={customerName}
      isAffected={hasTerm}
      preview={expiryOf}
      confirmLabel={texts.renewCount}
      busyLabel={texts.renewing}
      change={(customer, keys) => prolongTerm(manager, customer, { action: 'renew', by: wholeNumber(months) }, keys)}
      record={(id, refused, options) => recordBulkChange(manager, { id, kind: 'renewal', refused }, options)}
      touched={REFETCHED}
      fallback={texts.renewFailed}
      onClose={onClose}
    >
      <FieldFrame label={texts.renewFor} hint={texts.renewHint} isRequired>
        <Select value={months} onChange={({ target }) => setMonths(target.value)}>
          {Object.entries(renewalMonths).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </FieldFrame>
    </BulkDialog>
  );
};

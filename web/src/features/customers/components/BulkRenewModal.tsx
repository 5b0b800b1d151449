import { useState } from 'react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import type { LicenseTerm } from '../../../../../src/contracts/terms.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { addMonths, continuedBy } from '../../../../../src/domain/calendar.ts';
import { recordBulkChange } from '../../../api/recordBulkChange.ts';
import { wholeNumber } from '../../../lib/numbers.ts';
import { BulkDialog } from '../../../ui/BulkDialog.tsx';
import { FieldFrame, Select } from '../../../ui/controls.tsx';
import { renewalMonths } from '../../terms/index.ts';
import { prolongTerm } from '../api/bulk.ts';
import { customerBulkTexts as texts } from '../bulkTexts.ts';
import type { CustomerBulkProps } from './BulkStatusModal.tsx';
import { customerKey, customerName } from './customerRows.tsx';
import { expiryText } from './expiryText.ts';

const REFETCHED = [topic.customers(), ['customer']] as const;
const YEAR = '12';

const hasTerm = ({ term }: Customer): boolean => term !== undefined;

/** Renews the licenses of the selected customers for the same time. Perpetual licenses are skipped. */
export const BulkRenewModal = ({ dialog, manager, customers, onClose }: CustomerBulkProps) => {
  const [months, setMonths] = useState(YEAR);
  const [now] = useState(() => new Date().toISOString());
  const renewed = (term: LicenseTerm): string =>
    term.state === 'expired' ? addMonths(now, wholeNumber(months)) : continuedBy(term, wholeNumber(months));
  return (
    <BulkDialog
      dialog={dialog}
      title={texts.renewTitle}
      rows={customers}
      keyOf={customerKey}
      nameOf={customerName}
      isAffected={hasTerm}
      preview={(customer) => expiryText(customer, renewed)}
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

import { useState } from 'react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { addDays } from '../../../../../src/domain/calendar.ts';
import { MAX_EXTENSION_DAYS } from '../../../../../src/domain/limits.ts';
import { recordBulkChange } from '../../../api/recordBulkChange.ts';
import { format } from '../../../lib/format.ts';
import { wholeNumber } from '../../../lib/numbers.ts';
import { BulkDialog } from '../../../ui/BulkDialog.tsx';
import { FieldFrame, Input } from '../../../ui/controls.tsx';
import { prolongTerm } from '../api/bulk.ts';
import { customerBulkTexts as texts } from '../bulkTexts.ts';
import type { CustomerBulkProps } from './BulkStatusModal.tsx';
import { customerKey, customerName } from './customerRows.tsx';
import { expiryText } from './expiryText.ts';

const REFETCHED = [topic.customers(), ['customer']] as const;
const TWO_WEEKS = '14';

const hasTerm = ({ term }: Customer): boolean => term !== undefined;

/** Moves the expiry of the selected customers' licenses by the same number of days. Perpetual licenses are skipped. */
export const BulkExtendModal = ({ dialog, manager, customers, onClose }: CustomerBulkProps) => {
  const [typed, setTyped] = useState(TWO_WEEKS);
  const days = wholeNumber(typed);
  const isValid = days >= 1 && days <= MAX_EXTENSION_DAYS;
  return (
    <BulkDialog
      dialog={dialog}
      title={texts.extendTitle}
      rows={customers}
      keyOf={customerKey}
      nameOf={customerName}
      isAffected={hasTerm}
      isIncomplete={!isValid}
      preview={(customer) => expiryText(customer, ({ expiresAt }) => (isValid ? addDays(expiresAt, days) : null))}
      confirmLabel={texts.extendCount}
      busyLabel={texts.extending}
      change={(customer, keys) => prolongTerm(manager, customer, { action: 'extend', by: days }, keys)}
      record={(id, refused, options) => recordBulkChange(manager, { id, kind: 'extension', refused }, options)}
      touched={REFETCHED}
      fallback={texts.extendFailed}
      onClose={onClose}
    >
      <FieldFrame label={texts.extendBy} hint={texts.extendHint(format.whole(MAX_EXTENSION_DAYS))} isRequired>
        <Input value={typed} inputMode="numeric" autoComplete="off" onChange={({ target }) => setTyped(target.value)} />
      </FieldFrame>
    </BulkDialog>
  );
};

import type { Customer } from '../../../../../src/contracts/customers.ts';
import type { LicenseTerm } from '../../../../../src/contracts/terms.ts';
import { format } from '../../../lib/format.ts';
import { termTexts } from '../../terms/index.ts';
import { customerBulkTexts as texts } from '../bulkTexts.ts';

/** When a license expires, and when it will after a change; `next` returns null while that is not known. */
export const expiryText = ({ term }: Customer, next: (term: LicenseTerm) => string | null): string => {
  if (!term) return termTexts.perpetual;
  const to = next(term);
  const isPast = term.state === 'grace' || term.state === 'expired';
  const staysPast = to !== null && Date.parse(to) <= Date.now();
  return texts.expires(format.utcDate(term.expiresAt), to && format.utcDate(to), { isPast, staysPast });
};

import type { Customer } from '../../../src/contracts/customers.ts';
import { wholeNumber } from './numbers.ts';

/** The quota of a license as it is typed: an empty number where it has none. */
export const typedCallQuota = ({ callQuota }: Customer) => ({
  callQuota: callQuota === undefined ? '' : String(callQuota.limit),
  callQuotaKind: callQuota?.kind ?? 'hard',
});

/** The quota that was typed, with or without separators; null without one. */
export const callQuotaIn = ({ callQuota, callQuotaKind }: ReturnType<typeof typedCallQuota>) => {
  const digits = callQuota.replaceAll(/[\s.,_']/g, '');
  return digits === '' ? null : { limit: wholeNumber(digits), kind: callQuotaKind };
};

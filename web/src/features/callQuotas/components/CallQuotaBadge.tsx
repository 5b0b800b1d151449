import type { Customer } from '../../../../../src/contracts/customers.ts';
import { Badge } from '../../../ui/badges.tsx';
import { callQuotaTexts } from '../texts.ts';

const ALL = 100;

/** Marks a customer whose monthly quota of API calls is used up, or soon will be. */
export const CallQuotaBadge = ({ customer: { callQuota } }: { customer: Pick<Customer, 'callQuota'> }) =>
  callQuota && callQuota.reached > 0 ? (
    <Badge tone={callQuota.reached === ALL ? 'red' : 'amber'}>{callQuotaTexts.badge(callQuota.reached)}</Badge>
  ) : null;

import type { Customer } from '../../../../../src/contracts/customers.ts';
import { DAY_MS } from '../../../../../src/domain/time.ts';
import { Badge } from '../../../ui/badges.tsx';
import { termTexts } from '../texts.ts';

const { badges, inDays } = termTexts;

/** Marks a license that is on trial, expires soon or has expired. It warns from the first warning of the term on. */
export const TermBadge = ({ customer: { term } }: { customer: Pick<Customer, 'term'> }) => {
  if (term === undefined || (term.state === 'active' && !term.isTrial)) return null;
  const { state, isTrial } = term;
  if (state === 'active') return <Badge tone="violet">{badges.trial}</Badge>;
  if (state === 'expiring' && !term.isRenewalDue)
    return <Badge tone="violet">{inDays(isTrial, Math.ceil((Date.parse(term.expiresAt) - Date.now()) / DAY_MS))}</Badge>;
  const label = isTrial && state === 'expiring' ? badges.trialEnds : badges[state];
  return <Badge tone={state === 'expired' ? 'red' : 'amber'}>{label}</Badge>;
};

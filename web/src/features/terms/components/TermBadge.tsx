import type { Customer } from '../../../../../src/contracts/customers.ts';
import { Badge } from '../../../ui/badges.tsx';
import { daysUntil } from '../daysUntil.ts';
import { termTexts } from '../texts.ts';

const { badges, expiresIn } = termTexts;

/** Marks a license that is on trial, expires soon or has expired. It warns from the first warning of the term on. */
export const TermBadge = ({ customer: { term } }: { customer: Pick<Customer, 'term'> }) => {
  if (term === undefined || (term.state === 'active' && !term.isTrial)) return null;
  const { state, isTrial, isRenewalDue, expiresAt } = term;
  if (state === 'active') return <Badge tone="violet">{badges.trial}</Badge>;
  if (state === 'expiring' && !isRenewalDue) return <Badge tone="violet">{expiresIn(daysUntil(expiresAt), isTrial)}</Badge>;
  const label = isTrial && state === 'expiring' ? badges.trialEnds : badges[state];
  return <Badge tone={state === 'expired' ? 'red' : 'amber'}>{label}</Badge>;
};

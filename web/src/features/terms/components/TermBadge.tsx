import type { Customer } from '../../../../../src/contracts/customers.ts';
import { Badge } from '../../../ui/badges.tsx';
import { termTexts } from '../texts.ts';

const { badges } = termTexts;

/** Marks a license that is on trial, expires soon or has expired. */
export const TermBadge = ({ customer: { term } }: { customer: Pick<Customer, 'term'> }) => {
  if (term === undefined || (term.state === 'active' && !term.isTrial)) return null;
  const { state, isTrial } = term;
  if (state === 'active') return <Badge tone="violet">{badges.trial}</Badge>;
  const label = isTrial && state === 'expiring' ? badges.trialEnds : badges[state];
  return <Badge tone={state === 'expired' ? 'red' : 'amber'}>{label}</Badge>;
};

import { addDays, addMonths, continuedBy } from '../calendar.ts';
import { accept, type Decision, refuse } from '../decider.ts';
import { announcementAt, endOf, hasExpired, refusalOfTerm, type Term, type TermRefusal, termStateAt } from '../license/term.ts';
import type { TermCommand } from './commands.ts';
import type { CustomerEvent, LicenseTermSet } from './events.ts';
import type { Customer } from './state.ts';

type Decided = Decision<CustomerEvent, TermRefusal>;

export const termSet = ({ startsAt, expiresAt, graceDays, isTrial }: Term): LicenseTermSet => ({
  type: 'LicenseTermSet',
  data: { startsAt, expiresAt, graceDays, isTrial },
});

export const isSameTerm = (one: Term, other: Term): boolean =>
  one.startsAt === other.startsAt &&
  one.expiresAt === other.expiresAt &&
  one.graceDays === other.graceDays &&
  one.isTrial === other.isTrial;

/** The events if the new term is valid. */
const withTerm = (term: Term, at: string, ...events: readonly CustomerEvent[]): Decided => {
  const refusal = refusalOfTerm(term, at);
  return refusal ? refuse(refusal) : accept(...events);
};

/** A license that works continues from its expiry; an expired one starts again now. A renewal ends a trial. */
const renewed = (term: Term, months: number, at: string): Term =>
  hasExpired(term, at)
    ? { ...term, startsAt: at, expiresAt: addMonths(at, months), isTrial: false }
    : { ...term, expiresAt: continuedBy(term, months), isTrial: false };

/** The steps of a term that the clock has passed and no event records yet. After a long downtime these are both grace and expiry. */
const passed = ({ term, termStep, announcedDays }: Customer, at: string): CustomerEvent[] => {
  if (term === null || termStep === 'expired') return [];
  const state = termStateAt(term, at);
  const isGraceDue = termStep === 'running' && term.graceDays > 0 && (state === 'grace' || state === 'expired');
  const { expiresAt } = term;
  const endsAt = endOf(term);
  const days = state === 'expiring' && termStep === 'running' ? announcementAt(term, at) : null;
  return [
    ...(days !== null && (announcedDays ?? Number.POSITIVE_INFINITY) > days
      ? [{ type: 'LicenseExpiryAnnounced' as const, data: { expiresAt, days } }]
      : []),
    ...(isGraceDue ? [{ type: 'LicenseEnteredGrace' as const, data: { expiresAt, endsAt } }] : []),
    ...(state === 'expired' ? [{ type: 'LicenseExpired' as const, data: { expiresAt, endsAt } }] : []),
  ];
};

export const decideTerm = (command: TermCommand, customer: Customer): Decided => {
  const { at } = command.meta;
  const { term } = customer;
  if (command.type === 'SetLicenseTerm') {
    const { startsAt = term?.startsAt ?? at, expiresAt, graceDays, isTrial } = command.data;
    const wanted = { startsAt, expiresAt, graceDays, isTrial };
    return term && isSameTerm(term, wanted) ? accept() : withTerm(wanted, at, termSet(wanted));
  }
  if (command.type === 'AdvanceLicenseTerm') return accept(...passed(customer, at));
  if (command.type === 'RemoveLicenseTerm') return term === null ? accept() : accept({ type: 'LicenseTermRemoved', data: {} });
  if (term === null) return refuse('license_perpetual');
  if (command.type === 'RenewLicense') {
    const next = renewed(term, command.data.months, at);
    return withTerm(next, at, { type: 'LicenseRenewed', data: { startsAt: next.startsAt, expiresAt: next.expiresAt } });
  }
  const next = { ...term, expiresAt: addDays(term.expiresAt, command.data.days) };
  return withTerm(next, at, { type: 'LicenseExtended', data: { expiresAt: next.expiresAt } });
};

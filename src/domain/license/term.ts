import { addDays } from '../calendar.ts';
import { ANNOUNCED_DAYS, EXPIRING_DAYS, MAX_TERM_DAYS } from '../limits.ts';
import { firstWarningDays } from './warnings.ts';

/** How long a license runs. After `expiresAt` it works for `graceDays` more. Times are ISO-8601 UTC. */
export type Term = Readonly<{ startsAt: string; expiresAt: string; graceDays: number; isTrial: boolean }>;

/** Where a license is in its term. Only an expired one cannot be used. */
export type TermState = 'active' | 'expiring' | 'grace' | 'expired';

/** When the license stops working: the end of its grace. */
export const endOf = ({ expiresAt, graceDays }: Pick<Term, 'expiresAt' | 'graceDays'>): string => addDays(expiresAt, graceDays);

/** The state at an instant (ISO-8601 UTC). */
export const termStateAt = (term: Pick<Term, 'expiresAt' | 'graceDays'>, at: string): TermState => {
  const now = Date.parse(at);
  if (now >= Date.parse(endOf(term))) return 'expired';
  if (now >= Date.parse(term.expiresAt)) return 'grace';
  return now >= Date.parse(addDays(term.expiresAt, -EXPIRING_DAYS)) ? 'expiring' : 'active';
};

/** The announcement that is current at an instant, in days before the expiry; null before the first. */
export const announcementAt = (term: Pick<Term, 'startsAt' | 'expiresAt'>, at: string): number | null => {
  const first = firstWarningDays(term);
  return ANNOUNCED_DAYS.findLast((days) => days <= first && Date.parse(at) >= Date.parse(addDays(term.expiresAt, -days))) ?? null;
};

/** When a running license is due for its next announcement, or else for its expiry; short terms have no announcement at the first ones. */
export const nextAnnouncementAt = (expiresAt: string, at: string): string => {
  const due = ANNOUNCED_DAYS.map((days) => addDays(expiresAt, -days));
  return due.find((moment) => Date.parse(moment) > Date.parse(at)) ?? expiresAt;
};

/** Whether a license has stopped working; one without a term never does. */
export const hasExpired = (term: Pick<Term, 'expiresAt' | 'graceDays'> | null, at: string): boolean =>
  term !== null && termStateAt(term, at) === 'expired';

export type TermRefusal = 'license_perpetual' | 'term_starts_later' | 'term_without_duration' | 'term_too_long' | 'term_over';

/** Why a license cannot get a term at an instant; null if it can. A term that is over would end the license by surprise. */
export const refusalOfTerm = (term: Term, at: string): TermRefusal | null => {
  if (Date.parse(term.startsAt) > Date.parse(at)) return 'term_starts_later';
  if (Date.parse(term.expiresAt) <= Date.parse(term.startsAt)) return 'term_without_duration';
  if (Date.parse(term.expiresAt) > Date.parse(addDays(at, MAX_TERM_DAYS))) return 'term_too_long';
  return hasExpired(term, at) ? 'term_over' : null;
};

import type { LicenseTerm } from '../../contracts/terms.ts';
import { type TermState, termStateAt } from '../../domain/license/term.ts';
import { firstWarningDays } from '../../domain/license/warnings.ts';
import { DAY_MS, dayOf, daysUntil } from '../../domain/time.ts';
import { type Failure, refused } from '../failure.ts';
import type { Paint } from '../terminal/paint.ts';
import { counted } from '../terminal/text.ts';

/** From so many days before the license stops working on, the warning is urgent. */
const URGENT_DAYS = 7;

/** The state by this computer's clock: the stored one is that of the last reply. */
const stateOf = (term: LicenseTerm, nowMs: number): TermState => termStateAt(term, new Date(nowMs).toISOString());

/** "2027-01-31, in 12 days", and on that day "2027-01-31, today" */
const dayWithin = (instant: string, nowMs: number, preposition: 'in' | 'for'): string => {
  const days = daysUntil(instant, nowMs);
  return `${dayOf(instant)}, ${days === 0 ? 'today' : `${preposition} ${counted(days, 'day')}`}`;
};

/** "expires on 2027-01-31, in 12 days" */
const describeTerm = ({ state, expiresAt, endsAt, isTrial }: LicenseTerm, nowMs: number): string => {
  const kind = isTrial ? 'trial, ' : '';
  const expires = isTrial ? 'ends' : 'expires';
  switch (state) {
    case 'active':
      return `${kind}${expires} on ${dayOf(expiresAt)}`;
    case 'expiring':
      return `${kind}${expires} on ${dayWithin(expiresAt, nowMs, 'in')}`;
    case 'grace':
      return `${kind}expired on ${dayOf(expiresAt)}, works until ${dayWithin(endsAt, nowMs, 'for')}`;
    case 'expired':
      return `${kind}expired on ${dayOf(endsAt)}`;
  }
};

const isWarning = (term: LicenseTerm, nowMs: number): boolean =>
  term.state === 'expiring' ? Date.parse(term.expiresAt) - nowMs <= firstWarningDays(term) * DAY_MS : term.state !== 'active';

/** The text of `describeTerm` in the color of its urgency. */
export const paintedTerm = (known: LicenseTerm, nowMs: number, paint: Paint): string => {
  const term = { ...known, state: stateOf(known, nowMs) };
  const text = describeTerm(term, nowMs);
  if (!isWarning(term, nowMs)) return text;
  const isUrgent = term.state !== 'expiring' || daysUntil(term.expiresAt, nowMs) <= URGENT_DAYS;
  return isUrgent ? paint.bad(text) : paint.accent(text);
};

/**
 * What a sign-in or a connection says of the term: when a trial ends, and whom to ask once a renewal is due. Null if there is nothing to
 * say.
 */
export const termNotice = (known: LicenseTerm | undefined, nowMs: number): { text: string; isWarning: boolean } | null => {
  if (known === undefined) return null;
  const term = { ...known, state: stateOf(known, nowMs) };
  if (term.state === 'active') return null;
  const what = term.isTrial ? 'trial' : 'license';
  const text = `Your ${what} ${describeTerm(term, nowMs).replace(/^trial, /, '')}.`;
  if (isWarning(term, nowMs)) return { text: `${text} Ask the person who manages it to renew it.`, isWarning: true };
  return { text, isWarning: false };
};

/** Why the license refuses the tool, as a sign-in reports it; null if it works. `nowMs` is null for a term that the server just sent. */
export const licenseRefusal = (term: LicenseTerm | undefined, nowMs: number | null): Failure | null =>
  term !== undefined && (nowMs === null ? term.state : stateOf(term, nowMs)) === 'expired'
    ? refused('license_expired', `Your license expired on ${dayOf(term.endsAt)}`, {
        hint: 'Ask the person who manages it to renew it.',
      })
    : null;

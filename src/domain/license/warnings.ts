import { ANNOUNCED_DAYS } from '../limits.ts';
import { DAY_MS } from '../time.ts';

/** A term of any length has the warnings of its last days. */
const LAST_WARNINGS_DAYS = 7;

/**
 * How many days before its expiry a term has its first warning: the first announced day in the second half of the term, or in the last
 * week, so that a trial of a month is not warned of when it begins. Terms of 60 days or more have all warnings. Times are ISO-8601.
 */
export const firstWarningDays = ({ startsAt, expiresAt }: Readonly<{ startsAt: string; expiresAt: string }>): number => {
  const halfDays = (Date.parse(expiresAt) - Date.parse(startsAt)) / 2 / DAY_MS;
  return Math.max(ANNOUNCED_DAYS.find((announced) => announced <= halfDays) ?? 0, LAST_WARNINGS_DAYS);
};

import { ANNOUNCED_DAYS } from '../domain/limits.ts';
import { DAY_MS } from '../domain/time.ts';
import type { LicenseTerm } from './terms.ts';

/** Shorter terms are warned of from this day on too. */
const LAST_WARNINGS_DAYS = 7;

/**
 * Whether to ask for a renewal of a license that is expiring: from the first announced day in the second half of its term on, or in the
 * last week, so that a trial of a month is not asked to be renewed when it begins. `nowMs` is in ms since 1970.
 */
export const asksForRenewal = ({ startsAt, expiresAt }: Pick<LicenseTerm, 'startsAt' | 'expiresAt'>, nowMs: number): boolean => {
  const halfDays = (Date.parse(expiresAt) - Date.parse(startsAt)) / 2 / DAY_MS;
  const days = Math.max(ANNOUNCED_DAYS.find((announced) => announced <= halfDays) ?? 0, LAST_WARNINGS_DAYS);
  return Date.parse(expiresAt) - nowMs <= days * DAY_MS;
};

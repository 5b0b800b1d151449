import type { UsageFilter, UsageRange } from '../../../../../src/contracts/usage.ts';
import { format } from '../../../lib/format.ts';

/** Days of a custom range, both included, yyyy-mm-dd. */
export type CustomRange = Readonly<{ from: string; to: string }>;

/** Limits the calls to those of a user, and to those to which all other values apply. */
export type PartFilter = Readonly<Partial<Record<keyof UsageFilter | 'userId', string>>>;

/** What a screen shows: the last `days`, or a custom range, in a time zone, and of which calls. */
export type UsageChoice = Readonly<{
  days: UsageRange;
  custom: CustomRange | null;
  zone: string;
  isCompared: boolean;
  filter: PartFilter;
}>;

/** Whether the server counts single calls, which takes longer than reading stored counts. */
export const isCounted = ({ filter: { userId: _, ...others } }: UsageChoice): boolean => Object.keys(others).length > 0;

/** The query of the calls for a choice. */
export const queryOf = ({ days, custom, zone, isCompared, filter }: UsageChoice) => ({
  ...(custom ?? { days }),
  zone,
  ...(isCompared && { compare: 'previous' }),
  ...filter,
});

/** The usage of the last days in the browser's time zone, for summaries. */
export const lastDays = (days: UsageRange): UsageChoice => ({
  days,
  custom: null,
  zone: format.zone,
  isCompared: false,
  filter: {},
});

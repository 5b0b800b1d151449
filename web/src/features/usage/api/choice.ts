import type { UsageRange } from '../../../../../src/contracts/usage.ts';
import { format } from '../../../lib/format.ts';

/** Days of a custom range, both included, yyyy-mm-dd. */
export type CustomRange = Readonly<{ from: string; to: string }>;

/** The range that a screen shows: the last `days`, or a custom one, in a time zone. */
export type UsageChoice = Readonly<{ days: UsageRange; custom: CustomRange | null; zone: string; isCompared: boolean }>;

/** The query of the calls for a choice. */
export const queryOf = ({ days, custom, zone, isCompared }: UsageChoice) => ({
  ...(custom ?? { days }),
  zone,
  ...(isCompared && { compare: 'previous' }),
});

/** The usage of the last days in the browser's time zone, for summaries. */
export const lastDays = (days: UsageRange): UsageChoice => ({ days, custom: null, zone: format.zone, isCompared: false });

import type { Seat, SeatOutlook, SeatRange } from '../../../../src/contracts/seats.ts';
import { format } from '../../lib/format.ts';

const yearOnly = (day: string): string => format.utcDate(`${day}T00:00:00Z`);

const intervalOf = ({ earliestOn, latestOn }: SeatOutlook): string => {
  if (earliestOn === null) return '';
  return latestOn === null
    ? `${yearOnly(earliestOn)} at the earliest, or much later`
    : earliestOn === latestOn
      ? ''
      : `between ${yearOnly(earliestOn)} and ${yearOnly(latestOn)}`;
};

export const utilizationTexts = {
  title: 'Utilization',
  zone: (zone: string): string => `Days in ${zone}`,
  range: 'Range of the utilization',
  ranges: { 7: '7 days', 30: '30 days', 90: '90 days', 365: '1 year' } satisfies Record<SeatRange, string>,
  custom: 'Custom',
  loading: 'Loading utilization',
  loadFailed: 'Failed to load the utilization of the seats',
  kinds: { developer: 'Developer seats', stakeholder: 'Stakeholder seats' } satisfies Record<Seat['kind'], string>,
  chart: (kind: Seat['kind']): string => `Daily use of ${kind} seats`,
  table: (kind: Seat['kind']): string => `Daily use of ${kind} seats as a table`,
  day: 'Day',
  peak: 'Peak',
  average: 'Average',
  limit: 'Limit',
  denied: 'Denied',
  unlimited: 'Unlimited',
  deniedNote: (count: number): string => `${format.whole(count)} ${count === 1 ? 'sign-in was' : 'sign-ins were'} denied a seat`,
  nothing: 'There is nothing to show in this range: the customer was created later.',
  export: 'Utilization',
  /** What the forecast says, in a sentence. */
  forecast: (kind: Seat['kind'], outlook: SeatOutlook): string => {
    const { held, limit, perWeek, reachesOn } = outlook;
    const rate = `${format.rate(perWeek ?? 0)} more a week`;
    switch (outlook.outlook) {
      case 'unlimited':
        return 'Unlimited: there is no limit to reach.';
      case 'atLimit':
        return `At the limit now: ${format.whole(held)} of ${format.whole(limit)} ${kind} seats are taken.`;
      case 'notEnoughData':
        return 'Not enough data for a forecast: it needs 14 days.';
      case 'noGrowth':
        return 'No growth in the last 60 days.';
      case 'distant':
        return `Does not reach ${format.whole(limit)} ${kind} seats within two years at the present rate (${rate}).`;
      case 'reaching': {
        const all = format.whole(limit);
        const details = [rate, intervalOf(outlook)].filter(Boolean).join(', ');
        return `Reaches ${all} of ${all} ${kind} seats around ${yearOnly(reachesOn ?? '')} at the present rate (${details}).`;
      }
    }
  },
} as const;

import type { SetCallQuota } from '../../../../src/contracts/callQuotas.ts';
import { format } from '../../lib/format.ts';

/** Texts of the monthly quota of API calls. */
export const callQuotaTexts = {
  title: 'API calls this month',
  sub: (day: string): string => `Counted by arrival, in UTC. Resets on ${day}.`,
  kinds: { soft: 'Soft quota', hard: 'Hard quota' },
  amount: ({ limit, kind }: Pick<SetCallQuota, 'limit' | 'kind'>): string => `${format.whole(limit)} a month (${kind})`,
  used: 'Used',
  /** `percent` is the last notice of the month, at 70, 90 or 100. */
  badge: (percent: number): string => (percent === 100 ? 'Quota used up' : `Quota over ${percent}%`),
} as const;

/** Texts of the monthly quota of API calls. */
export const callQuotaTexts = {
  title: 'API calls this month',
  sub: (day: string): string => `Counted by arrival, in UTC. Resets on ${day}.`,
  kinds: { soft: 'Soft quota', hard: 'Hard quota' },
  used: 'Used',
  badge: (percent: number): string => `Quota ${percent} %`,
} as const;

/** Texts of the banner of a quota, which few customers load. */
export const callQuotaBannerTexts = {
  reached: (percent: number, limit: string, day: string): string =>
    `${percent}% of the quota of ${limit} API calls this month are used. It resets on ${day} (UTC).`,
  softUsed: (limit: string, day: string): string =>
    `The quota of ${limit} API calls this month is used up. Further calls are still recorded. It resets on ${day} (UTC).`,
  hardUsed: (limit: string, day: string): string =>
    `The quota of ${limit} API calls this month is used up. The command-line tool keeps further calls until ${day} (UTC), or until the quota is raised.`,
} as const;

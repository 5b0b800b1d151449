import { countedDays } from './cardTexts.ts';

const RENEW = 'Ask your service integrator to renew it.';

/** Texts of the banner of the portal, which few customers load. */
export const termBannerTexts = {
  license: 'Your license',
  trial: 'Your trial',
  expires: 'Your license expires',
  trialEnds: 'Your trial ends',
  inDays: (expires: string, day: string, days: number): string =>
    `${expires} on ${day}, ${days === 0 ? 'today' : `in ${countedDays(days)}`}.`,
  renew: RENEW,
  grace: (what: string, day: string, end: string): string => `${what} expired on ${day} and works until ${end}. ${RENEW}`,
  expired: (what: string, end: string): string =>
    `${what} expired on ${end}. The command-line tool can no longer sign in or connect. ${RENEW}`,
} as const;

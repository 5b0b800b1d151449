/** The limits of an exponential backoff, in ms. */
export type Backoff = Readonly<{ firstMs: number; mostMs: number }>;

/** Shortens a delay in ms by up to half, so that many clients do not retry simultaneously. `random` is from 0 to 1. */
export const withJitter = (ms: number, random: () => number = Math.random): number => ms * (0.5 + random() / 2);

/** The delay in ms before a retry: twice as long for each further attempt, up to `mostMs`, with jitter. `attempt` counts from 0. */
export const backoffMs = (attempt: number, { firstMs, mostMs }: Backoff, random?: () => number): number =>
  withJitter(Math.min(mostMs, firstMs * 2 ** attempt), random);

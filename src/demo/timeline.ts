import type { CastCustomer } from './cast.ts';
import type { Random } from './random.ts';

/** In days ago. `lastSignIn` is null for users of the portal only, `deactivated` for active users. */
export type UserTimeline = Readonly<{ registered: number; lastSignIn: number | null; deactivated: number | null }>;

/** The dates of a customer's past, in days ago. Nothing is used before it exists or after it has ended. */
export type Timeline = Readonly<{
  registered: number;
  /** When it was suspended or churned; 0 while it is active. */
  ended: number;
  credentialsStored: number;
  credentialsTested: number;
  /** As the users of the cast. */
  users: readonly UserTimeline[];
}>;

/** Days between the last call of a customer and the end of its license. */
export const QUIET_BEFORE_END = 0.2;

/** When the license of a customer ended, in days ago; 0 for an active one. */
export const endOf = ({ status, sinceDaysAgo }: CastCustomer): number => (status === 'active' ? 0 : Math.min(23, sinceDaysAgo / 4));

const userTimeline = (random: Random, cast: CastCustomer, index: number): UserTimeline => {
  const user = cast.users[index];
  // The first user made the first call.
  const registered = cast.sinceDaysAgo * (index === 0 ? 0.99 : 0.4 + random.next() * 0.58);
  const deactivated = user?.status === 'active' ? null : endOf(cast) + (registered - endOf(cast)) * 0.7;
  const isPortalOnly = user?.role === 'stakeholder';
  const lastDays = (deactivated ?? endOf(cast) + QUIET_BEFORE_END) + random.next() * 6;
  return { registered, lastSignIn: isPortalOnly ? null : Math.min(registered, lastDays), deactivated };
};

/** Places the past of a customer in time. */
export const timelineOf = (random: Random, cast: CastCustomer): Timeline => {
  const ended = endOf(cast);
  const stored = cast.sinceDaysAgo * 0.98;
  return {
    registered: cast.sinceDaysAgo,
    ended,
    credentialsStored: stored,
    credentialsTested: Math.min(stored, ended + 1),
    users: cast.users.map((_user, index) => userTimeline(random, cast, index)),
  };
};

import type { Random } from './random.ts';
import type { CustomerSpec } from './specs.ts';

/** In days ago. `lastSignIn` is null for users of the portal only, `deactivated` for active users. */
export type UserTimeline = Readonly<{ registered: number; lastSignIn: number | null; deactivated: number | null }>;

/** When a customer's actions happen, in days ago. No account, user or credential is used before it exists or after it ends. */
export type Timeline = Readonly<{
  registered: number;
  /** When it was suspended or churned; 0 while it is active. */
  ended: number;
  credentialsStored: number;
  credentialsTested: number;
  /** In the order of the users in the specification. */
  users: readonly UserTimeline[];
}>;

/** Days between the last call of a customer and the end of its license. */
export const QUIET_BEFORE_END = 0.2;

/** When the license of a customer ended, in days ago; 0 for an active one. */
export const endOf = ({ status, sinceDaysAgo }: CustomerSpec): number => (status === 'active' ? 0 : Math.min(23, sinceDaysAgo / 4));

const userTimeline = (random: Random, spec: CustomerSpec, index: number): UserTimeline => {
  const user = spec.users[index];
  // The first user made the first call.
  const registered = spec.sinceDaysAgo * (index === 0 ? 0.99 : 0.4 + random.next() * 0.58);
  const deactivated = user?.status === 'active' ? null : endOf(spec) + (registered - endOf(spec)) * 0.7;
  const isPortalOnly = user?.role === 'stakeholder';
  const lastDays = (deactivated ?? endOf(spec) + QUIET_BEFORE_END) + random.next() * 6;
  return { registered, lastSignIn: isPortalOnly ? null : Math.min(registered, lastDays), deactivated };
};

/** Chooses the times of a customer's actions. */
export const timelineOf = (random: Random, spec: CustomerSpec): Timeline => {
  const ended = endOf(spec);
  const stored = spec.sinceDaysAgo * 0.98;
  return {
    registered: spec.sinceDaysAgo,
    ended,
    credentialsStored: stored,
    credentialsTested: Math.min(stored, ended + 1),
    users: spec.users.map((_user, index) => userTimeline(random, spec, index)),
  };
};

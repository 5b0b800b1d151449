/** A service (`jira`, `azdo`, `confluence`) or a feature of which a license is entitled from `startsAt` until before `endsAt`; ISO-8601 UTC, null without limit. */
type Entitlement = Readonly<{ code: string; startsAt: string | null; endsAt: string | null }>;

/** All that a license includes, in the order of the codes; null if it includes everything. */
export type Entitlements = readonly Entitlement[] | null;

/** Entitlements as they are stored. */
export const orderedEntitlements = (entitlements: Entitlements): Entitlements =>
  entitlements === null
    ? null
    : entitlements
        .map(({ code, startsAt, endsAt }) => ({ code, startsAt, endsAt }))
        .sort((one, other) => (one.code < other.code ? -1 : 1));

/** Whether two lists in the order in which they are stored are equal. */
export const isSameEntitlements = (one: Entitlements, other: Entitlements): boolean => {
  if (one === null || other === null) return one === other;
  return (
    one.length === other.length &&
    one.every(({ code, startsAt, endsAt }, index) => {
      const second = other[index];
      return second?.code === code && second.startsAt === startsAt && second.endsAt === endsAt;
    })
  );
};

/** Whether an entitlement is valid at an instant (ISO-8601 UTC with milliseconds). */
const isValidAt = ({ startsAt, endsAt }: Entitlement, at: string): boolean =>
  (startsAt === null || startsAt <= at) && (endsAt === null || at < endsAt);

/** Whether a license includes a service or a feature at an instant (ISO-8601 UTC with milliseconds). */
export const isEntitled = (entitlements: Entitlements, code: string, at: string): boolean =>
  entitlements === null || entitlements.some((entitlement) => entitlement.code === code && isValidAt(entitlement, at));

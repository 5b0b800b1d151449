import type { RecordedCall } from '../../domain/apiCalls/events.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { createCache } from '../../flow/cache.ts';
import type { Queries } from '../../projections/queries.ts';

const REMEMBERED = 20_000;
/** How long a shortened term, a first quota or floating seats may go unnoticed. A longer term is noticed with the first batch. */
const REMEMBERED_MS = 10_000;

/**
 * What limits the calls of a license: its end as ISO-8601 UTC, null if it is perpetual, whether it has a monthly quota, and whether recording
 * needs a floating seat.
 */
type Limits = Readonly<{ endsAt: string | null; hasCallQuota: boolean; isFloating: boolean }>;

/** The limits of licenses. `at` is when they are asked. */
export type LicenseLimits = Readonly<{ of: (customerId: CustomerId, at: string) => Promise<Limits> }>;

/** Remembers the limits of licenses, so that not every batch of calls needs a query. Without PostgreSQL it uses what it knows. */
export const rememberLicenses = (recording: Queries['customers']['recording'], now: () => number): LicenseLimits => {
  const known = createCache<CustomerId, Limits>(REMEMBERED, {
    ttl: REMEMBERED_MS,
    perf: { now },
    ttlResolution: 0,
    allowStaleOnFetchRejection: true,
    fetchMethod: async (customerId) => {
      const { endsAt, ...limits } = await recording(customerId);
      return { endsAt: endsAt?.toISOString() ?? null, ...limits };
    },
  });
  return {
    of: async (customerId, at) => {
      const remembered = await known.forceFetch(customerId);
      if (remembered.endsAt === null || at < remembered.endsAt) return remembered;
      return known.forceFetch(customerId, { forceRefresh: true });
    },
  };
};

/** Why a call is rejected: it was made after the license stopped working. Null if it was made before. */
export const rejectionAfter = (endsAt: string | null, call: RecordedCall) =>
  endsAt === null || call.at < endsAt
    ? null
    : ({
        reason: `The license expired at ${endsAt}, before this call. Ask your service integrator or your administrator to renew it.`,
        code: 'license_expired',
      } as const);

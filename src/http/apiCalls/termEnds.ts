import { LRUCache } from 'lru-cache';
import type { RecordedCall } from '../../domain/apiCalls/events.ts';
import type { CustomerId } from '../../domain/ids.ts';
import type { Queries } from '../../projections/queries.ts';

const REMEMBERED = 20_000;
/** How long a shortened term may go unnoticed. A longer one is noticed with the first batch. */
const REMEMBERED_MS = 10_000;

/** The end of a license as ISO-8601 UTC; null if it is perpetual. `at` is when it is asked. */
export type TermEnds = Readonly<{ of: (customerId: CustomerId, at: string) => Promise<string | null> }>;

/** Remembers when licenses end, so that not every batch of calls needs a query. Without PostgreSQL it uses what it knows. */
export const rememberTermEnds = (termEnd: Queries['customers']['termEnd'], now: () => number): TermEnds => {
  const known = new LRUCache<CustomerId, { endsAt: string | null }>({
    max: REMEMBERED,
    ttl: REMEMBERED_MS,
    perf: { now },
    ttlResolution: 0,
    allowStaleOnFetchRejection: true,
    fetchMethod: async (customerId) => ({ endsAt: (await termEnd(customerId))?.toISOString() ?? null }),
  });
  return {
    of: async (customerId, at) => {
      const remembered = await known.forceFetch(customerId);
      if (remembered.endsAt === null || at < remembered.endsAt) return remembered.endsAt;
      return (await known.forceFetch(customerId, { forceRefresh: true })).endsAt;
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

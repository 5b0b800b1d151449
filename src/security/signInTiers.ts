import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { ClientNetworks } from './clientNetworks.ts';

/** Administrators' sign-ins, and all others. */
type TierKind = 'admin' | 'key';

/** The limits of wrong guesses a minute, for a network (IPv4 /24, IPv6 /48) and in total. Above them sign-ins are delayed and reported. */
const TIER_LIMITS: Record<TierKind, { network: number; all: number }> = {
  key: { network: 100, all: 1_000 },
  admin: { network: 20, all: 100 },
};

/** A tier beyond its limit; `failures` are those of the last minute, about. */
type BusyTier = Readonly<{ kind: TierKind; network: string; failures: number; limit: number }>;

/** Delays sign-ins of networks with many failures; never rejects one. */
export type SignInTiers = Readonly<{
  /** Waits a moment where a tier of the client is beyond its limit; never refuses. Resolves to how long it waited, in ms. */
  delay: (client: ClientNetworks, kind: TierKind) => Promise<number>;
  failed: (client: ClientNetworks, kind: TierKind) => void;
  /** Tiers above their limits on all nodes, the busiest first. Rejects if the database is unreachable. */
  busy: () => Promise<readonly BusyTier[]>;
  /** Requests that are delayed at the moment, on this node. */
  delayed: () => number;
  /** How many tiers were beyond their limits when this node read them last. */
  overLimit: () => number;
  close: () => Promise<void>;
}>;

/** In place of a network: the total. */
export const ALL_NETWORKS = 'all';
/** The delay at a tier's limit, which grows with the excess, and the longest. */
const DELAY_MS = { least: 250, most: 2_000 } as const;
/** Requests that are delayed concurrently: one more releases the oldest, so that delays never exhaust a node. */
const DELAY_SLOTS = 200;
const FLUSH_MS = 1_000;
/** The most networks that are counted between two flushes; others count for the total only. */
const COUNTED = 10_000;
const KEPT = sql`interval '1 hour'`;

const bucketOf = (kind: TierKind, network: string): string => `${kind} ${network}`;

const tierOf = (bucket: string, failures: number): BusyTier | null => {
  const [kind, network = ''] = bucket.split(' ');
  if (kind !== 'admin' && kind !== 'key') return null;
  const limit = TIER_LIMITS[kind][network === ALL_NETWORKS ? ALL_NETWORKS : 'network'];
  return failures > limit ? { kind, network, failures: Math.round(failures), limit } : null;
};

/** Counts wrong guesses by network in Postgres, a batch a second. `now` is a clock of this node in ms; `onError` gets what fails in the background. */
export const createSignInTiers = ({
  db,
  now,
  onError,
}: {
  db: Database;
  now: () => number;
  onError: (error: unknown) => void;
}): SignInTiers => {
  const counted = new Map<string, number>();
  const slots = new Map<symbol, () => void>();
  let tiers: ReadonlyMap<string, BusyTier> = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  const count = (bucket: string): void => {
    const known = counted.get(bucket);
    if (known !== undefined || counted.size < COUNTED) counted.set(bucket, (known ?? 0) + 1);
  };

  const flush = async (): Promise<void> => {
    if (counted.size === 0) return;
    const batch = [...counted].sort(([one], [other]) => (one < other ? -1 : 1)); // one order on every node, against deadlocks
    counted.clear();
    await sql`
      insert into auth.sign_in_failures (bucket, window_start, failures)
      select bucket, date_trunc('minute', clock_timestamp()), failures
      from unnest(${batch.map(([bucket]) => bucket)}::text[], ${batch.map(([, failures]) => failures)}::int4[]) as t (bucket, failures)
      on conflict (bucket, window_start) do update set failures = auth.sign_in_failures.failures + excluded.failures`.execute(db);
  };

  /** The failures of the minute before count by the share of it that is within the last 60 seconds. */
  const read = async (): Promise<void> => {
    const { rows } = await sql<{ bucket: string; failures: number }>`
      select bucket, sum(failures * case when window_start = minute then 1 else 1 - past end)::float8 as failures
      from auth.sign_in_failures,
        (select date_trunc('minute', at) as minute, extract(epoch from at - date_trunc('minute', at)) / 60 as past
         from (select clock_timestamp() as at) clock) clock
      where window_start >= minute - interval '1 minute'
      group by bucket
      having sum(failures) > ${TIER_LIMITS.admin.network}
      order by 2 desc limit 1000`.execute(db);
    tiers = new Map(
      rows.flatMap(({ bucket, failures }) => {
        const tier = tierOf(bucket, failures);
        return tier ? [[bucket, tier] as const] : [];
      }),
    );
    readAt = now();
  };

  const refresh = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };

  const timer = setInterval(() => void flush().catch(onError), FLUSH_MS);
  timer.unref();
  const sweeper = setInterval(() => {
    sql`delete from auth.sign_in_failures where window_start < clock_timestamp() - ${KEPT}`.execute(db).catch(onError);
  }, 60_000);
  sweeper.unref();

  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const slot = Symbol();
      const end = (): void => {
        clearTimeout(timeout);
        slots.delete(slot);
        resolve();
      };
      const timeout = setTimeout(end, ms);
      slots.set(slot, end);
      if (slots.size > DELAY_SLOTS) slots.values().next().value?.();
    });

  return {
    delay: async ({ network }, kind) => {
      // Counts may be a second old, and a sign-in does not fail without them.
      if (now() - readAt >= FLUSH_MS) await refresh().catch(onError);
      const excess = Math.max(
        ...[ALL_NETWORKS, network].map((tier) => {
          const busy = tier === null ? undefined : tiers.get(bucketOf(kind, tier));
          return busy ? busy.failures / busy.limit : 0;
        }),
      );
      if (excess === 0) return 0;
      const startedAt = now();
      await wait(Math.min(DELAY_MS.most, DELAY_MS.least * excess));
      return now() - startedAt;
    },
    failed: ({ network }, kind) => {
      count(bucketOf(kind, ALL_NETWORKS));
      if (network !== null) count(bucketOf(kind, network));
    },
    busy: async () => {
      await flush();
      await refresh();
      return [...tiers.values()];
    },
    delayed: () => slots.size,
    overLimit: () => tiers.size,
    close: async () => {
      clearInterval(timer);
      clearInterval(sweeper);
      for (const end of [...slots.values()]) end();
      await flush();
    },
  };
};

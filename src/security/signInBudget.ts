import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

const WINDOW_MS = 60_000;

/** Failed sign-ins a minute, over all nodes: of one address, and of everybody together. */
export const SIGN_IN_LIMITS = { address: 10, everybody: 1_000 } as const;

/** `retryAfter` is whole seconds until the next minute's budget. */
export type Budget = Readonly<{ left: true } | { left: false; retryAfter: number }>;

export type SignInBudget = Readonly<{
  /** Whether a bucket (`bucketOf` an address, or any other name) may try. */
  check: (bucket: string) => Promise<Budget>;
  /**
   * Counts a failure; `isLast` when it used the bucket's budget up. One that is already beyond the budget says so, whatever was
   * tried, so that racing guesses learn nothing.
   */
  failed: (bucket: string) => Promise<Budget & { isLast: boolean }>;
  /** Forgets windows that are over. */
  sweep: () => Promise<void>;
}>;

const EVERYBODY = 'all';

const limitOf = (bucket: string): number => (bucket === EVERYBODY ? SIGN_IN_LIMITS.everybody : SIGN_IN_LIMITS.address);

/** An IPv6 client owns a /64 at least, so that is what is counted. */
export const bucketOf = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped || !address.includes(':')) return `ip:${mapped ?? address}`;
  const [head = '', tail = ''] = address.split('%')[0]?.toLowerCase().split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = address.includes('::') ? Math.max(0, 8 - left.length - right.length) : 0;
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right];
  return `ip:${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
};

/** Counts failed sign-ins in Postgres, so that the budget is one for all nodes. `now` is ms since 1970. */
export const createSignInBudget = ({ db, now }: { db: Database; now: () => number }): SignInBudget => {
  const windowOf = (at: number): Date => new Date(at - (at % WINDOW_MS));
  const verdict = (at: number, over: boolean): Budget =>
    over ? { left: false, retryAfter: Math.max(1, Math.ceil((WINDOW_MS - (at % WINDOW_MS)) / 1000)) } : { left: true };

  return {
    check: async (bucket) => {
      const at = now();
      const rows = await db
        .selectFrom('auth.sign_in_failures')
        .select(['bucket', 'failures'])
        .where('bucket', 'in', [bucket, EVERYBODY])
        .where('window_start', '=', windowOf(at))
        .execute();
      return verdict(
        at,
        rows.some((row) => row.failures >= limitOf(row.bucket)),
      );
    },
    failed: async (bucket) => {
      const at = now();
      const { rows } = await sql<{ bucket: string; failures: number }>`
        insert into auth.sign_in_failures (bucket, window_start, failures)
        values (${EVERYBODY}, ${windowOf(at)}, 1), (${bucket}, ${windowOf(at)}, 1)
        on conflict (bucket, window_start) do update set failures = auth.sign_in_failures.failures + 1
        returning bucket, failures`.execute(db);
      return {
        ...verdict(
          at,
          rows.some((row) => row.failures > limitOf(row.bucket)),
        ),
        isLast: rows.some((row) => row.bucket === bucket && row.failures === limitOf(bucket)),
      };
    },
    sweep: async () => {
      await db
        .deleteFrom('auth.sign_in_failures')
        .where('window_start', '<', windowOf(now() - WINDOW_MS))
        .execute();
    },
  };
};

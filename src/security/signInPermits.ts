import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { createCache } from '../flow/cache.ts';

/**
 * Guesses that one address may have evaluated within any minute, over all nodes. License keys use at most eight of them, so that two are
 * left for administrators.
 */
export const GUESSES = { address: 10, keptForAdministrators: 2 } as const;

/**
 * What is guessed: an admin key, a key or password of a sign-in, or the current password of a customer that is signed in. Administrators
 * have permits that other sign-ins cannot use up.
 */
export type GuessKind = 'admin' | 'key' | 'password';

/** `retryAfter`: whole seconds until the bucket has a permit again. */
export type Refused = Readonly<{ granted: false; retryAfter: number }>;

/** The right to evaluate one guess. Exactly one of the two ends it, and neither rejects; a permit that is not ended counts for a minute. */
export type Permit = Readonly<{
  granted: true;
  /** The guess was right, or was not evaluated: the permit is available again. */
  refund: () => Promise<void>;
  /** The guess was wrong: the permit is available again a minute from now. */
  spend: () => Promise<void>;
}>;

/** Limits how many guesses of an address are evaluated a minute, over all nodes. */
export type SignInPermits = Readonly<{
  /**
   * Takes a permit of a bucket before the guess is evaluated. Where all are held by guesses under evaluation it waits for one that is
   * refunded, at most ten seconds.
   */
  acquire: (bucket: string, kind: GuessKind) => Promise<Permit | Refused>;
  /** The refusal of a bucket that this node has cached; null if the database must be queried. */
  refusalOf: (bucket: string, kind: GuessKind) => Refused | null;
  /** Forgets the refusals that this node remembers. */
  forget: () => void;
  /** Requests that wait for a permit on this node. */
  waiting: () => number;
  close: () => void;
}>;

/** A refusal is remembered this long, so that a flood from one address costs the database a statement a second. */
const REMEMBERED_MS = 1_000;
const REMEMBERED = 20_000;
const WAIT_MS = 10_000;
/** How often a permit is asked for that another node holds. */
const POLL_MS = 100;
/** Requests of one bucket that may wait, and while many wait in all. */
const WAITING = { bucket: 200, all: 1_000, bucketWhileMany: 10 } as const;
const SWEEP_MS = 60_000;

const WINDOW = sql`interval '1 minute'`;
const fresh = (column: 'held' | 'spent') =>
  sql`array(select t from unnest(kept.${sql.ref(column)}) t where t > clock_timestamp() - ${WINDOW})`;
const withoutPermit = (permit: string) => sql`
  case when array_position(kept.held, ${permit}::timestamptz) is null then kept.held
  else kept.held[:array_position(kept.held, ${permit}::timestamptz) - 1] || kept.held[array_position(kept.held, ${permit}::timestamptz) + 1:]
  end`;

const limitOf = (kind: GuessKind): number => GUESSES.address - (kind === 'key' ? GUESSES.keptForAdministrators : 0);

type Bucket = {
  /** Permits that this node holds or is asking for. */
  active: number;
  waiting: (() => void)[];
};

/**
 * Permits to evaluate guesses, in Postgres and by its clock, so that a limit is one for all nodes. `now` is a clock of this node in ms;
 * `onError` gets what fails in the background.
 */
export const createSignInPermits = ({
  db,
  now,
  onError,
}: {
  db: Database;
  now: () => number;
  onError: (error: unknown) => void;
}): SignInPermits => {
  const buckets = new Map<string, Bucket>();
  const refusals = createCache<string, { refused: Refused; at: number }>(REMEMBERED);
  let waiting = 0;

  const sweeper = setInterval(() => {
    sql`delete from auth.sign_in_permit where touched_at < clock_timestamp() - 2 * ${WINDOW}`.execute(db).catch(onError);
  }, SWEEP_MS);
  sweeper.unref();

  const nameOf = (bucket: string, kind: GuessKind): string => `${kind} ${bucket}`;

  const refusalOf: SignInPermits['refusalOf'] = (bucket, kind) => {
    const remembered = refusals.get(nameOf(bucket, kind));
    return remembered && now() - remembered.at < REMEMBERED_MS ? remembered.refused : null;
  };

  /** One statement that grants only below the limit: the row's lock orders concurrent requests of all nodes. */
  const take = async (bucket: string, limit: number): Promise<string | null> => {
    const { rows } = await sql<{ permit: string }>`
      insert into auth.sign_in_permit as kept (bucket, held, spent) values (${bucket}, array[clock_timestamp()], '{}')
      on conflict (bucket) do update
        set held = ${fresh('held')} || clock_timestamp(), spent = ${fresh('spent')}, touched_at = clock_timestamp()
        where cardinality(${fresh('held')}) + cardinality(${fresh('spent')}) < ${limit}
      returning held[cardinality(held)]::text as permit`.execute(db);
    return rows[0]?.permit ?? null;
  };

  /** Seconds until a wrong guess is a minute old and frees a permit; null where permits are only held. */
  const secondsUntilFree = async (bucket: string, limit: number): Promise<number | null> => {
    const { rows } = await sql<{ seconds: number }>`
      select ceil(extract(epoch from t + ${WINDOW} - clock_timestamp()))::int4 as seconds
      from auth.sign_in_permit kept, unnest(${fresh('spent')}) t
      where bucket = ${bucket}
      order by t desc offset ${limit - 1} limit 1`.execute(db);
    return rows[0] ? Math.max(1, rows[0].seconds) : null;
  };

  const giveBack = async (bucket: string, permit: string, spent: boolean): Promise<void> => {
    if (!spent) {
      await sql`update auth.sign_in_permit kept set held = ${withoutPermit(permit)} where bucket = ${bucket}`.execute(db);
      return;
    }
    await sql`
      insert into auth.sign_in_permit as kept (bucket, held, spent) values (${bucket}, '{}', array[clock_timestamp()])
      on conflict (bucket) do update
        set held = ${withoutPermit(permit)}, spent = kept.spent || clock_timestamp(), touched_at = clock_timestamp()`.execute(db);
  };

  const bucketOf = (name: string): Bucket => {
    const known = buckets.get(name);
    if (known) return known;
    const made: Bucket = { active: 0, waiting: [] };
    buckets.set(name, made);
    return made;
  };

  const tidy = (name: string, bucket: Bucket): void => {
    if (bucket.active === 0 && bucket.waiting.length === 0 && buckets.get(name) === bucket) buckets.delete(name);
  };

  const leave = (name: string, bucket: Bucket): void => {
    bucket.active -= 1;
    tidy(name, bucket);
  };

  const permitOf = (name: string, bucket: Bucket, permit: string): Permit => {
    const end = async (spent: boolean): Promise<void> => {
      // Where this fails the permit counts as held for the rest of its minute, and the guess has its answer all the same.
      await giveBack(name, permit, spent).catch(onError);
      bucket.waiting[0]?.();
      leave(name, bucket);
    };
    return { granted: true, refund: () => end(false), spend: () => end(true) };
  };

  const mayWait = (bucket: Bucket): boolean =>
    bucket.waiting.length < (waiting >= WAITING.all ? WAITING.bucketWhileMany : WAITING.bucket);

  /** Resolves when this node ended a permit of the bucket, or after a while, as another node may have; who came first asks most often. */
  const turn = async (bucket: Bucket, longestMs: number): Promise<void> => {
    waiting += 1;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        bucket.waiting.splice(bucket.waiting.indexOf(wake), 1);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(longestMs, POLL_MS * (1 + bucket.waiting.length)));
      bucket.waiting.push(wake);
    });
    waiting -= 1;
  };

  /** A permit, how long it takes until there is one, or null where all are held by guesses under evaluation. */
  const ask = async (name: string, limit: number): Promise<string | number | null> =>
    (await take(name, limit)) ?? (await secondsUntilFree(name, limit));

  return {
    refusalOf,
    acquire: async (name, kind) => {
      const limit = limitOf(kind);
      const until = now() + WAIT_MS;
      for (;;) {
        const remembered = refusalOf(name, kind);
        if (remembered) return remembered;
        const bucket = bucketOf(name);
        if (bucket.active < limit) {
          bucket.active += 1;
          const answer = await ask(name, limit).catch((error: unknown) => {
            leave(name, bucket);
            throw error;
          });
          if (typeof answer === 'string') return permitOf(name, bucket, answer);
          bucket.active -= 1;
          if (answer !== null) {
            const refused: Refused = { granted: false, retryAfter: answer };
            refusals.set(nameOf(name, kind), { refused, at: now() });
            for (const wake of [...bucket.waiting]) wake();
            tidy(name, bucket);
            return refused;
          }
        }
        if (now() >= until || !mayWait(bucket)) {
          tidy(name, bucket);
          return { granted: false, retryAfter: 1 };
        }
        await turn(bucket, until - now());
      }
    },
    forget: () => refusals.clear(),
    waiting: () => waiting,
    close: () => clearInterval(sweeper),
  };
};

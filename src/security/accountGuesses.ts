import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { caseless } from '../domain/caseless.ts';
import type { TenantKind } from '../domain/permissions.ts';
import { MINUTE_MS } from '../domain/time.ts';
import { createCache } from '../flow/cache.ts';
import { type ConcurrencyLimit, limitConcurrency } from '../flow/concurrency.ts';
import { SignInsBusy } from './signInTurns.ts';

/** Wrong passwords for one email address within a time, over all nodes, from which on sign-ins from unknown locations take turns. */
export const ACCOUNT_GUESSES = { failures: 20, windowMs: 15 * MINUTE_MS } as const;

/** The delay of a sign-in in its turn: it grows with the wrong passwords, up to the longest. */
const DELAY_MS = { least: 250, most: 2_000 } as const;
/** As long as a permit is waited for. */
const LONGEST_MS = 10_000;
/** Sign-ins that may wait for their turn on this node: of one account, and of all. */
const WAITING = { account: 50, all: 500 } as const;
const ACCOUNTS = 1_000;
const SWEEP_MS = 60_000;

/** Whose password is guessed, whether or not there is such an account, and from where. */
type Guess = Readonly<{
  kind: TenantKind;
  email: string;
  /** The client's address: addresses take turns. */
  address: string;
  /** Whether the account signed in lately with this browser from this address. */
  isKnownPlace: () => Promise<boolean>;
}>;

/** Slows guesses of one account's password that come from many addresses. */
export type AccountGuesses = Readonly<{
  /**
   * Evaluates a guess: immediately, unless the account has many wrong passwords and the location is unknown. Then guesses of the account
   * are evaluated one after the other, with a delay. Rejects with `SignInsBusy` where too many wait, or this one for ten seconds.
   */
  run: <T>(guess: Guess, evaluate: () => Promise<T>) => Promise<T>;
  /** Counts a wrong password. */
  failed: (guess: Pick<Guess, 'kind' | 'email'>) => Promise<void>;
  /** Guesses that wait for their turn on this node. */
  waiting: () => number;
  close: () => void;
}>;

const busy = (): Error => new SignInsBusy('Too many sign-ins of one account');

/** `pepper` keys the hashes of email addresses; `now` is ms since 1970. `onError` gets what fails in the background. */
export const createAccountGuesses = ({
  db,
  pepper,
  now,
  onError,
}: {
  db: Database;
  pepper: Buffer;
  now: () => number;
  onError: (error: unknown) => void;
}): AccountGuesses => {
  const limits = createCache<string, ConcurrencyLimit>(ACCOUNTS);
  let waiting = 0;

  const sweeper = setInterval(() => {
    db.deleteFrom('auth.account_failure')
      .where('minute', '<', new Date(now() - 2 * ACCOUNT_GUESSES.windowMs))
      .execute()
      .catch(onError);
  }, SWEEP_MS);
  sweeper.unref();

  const hashOf = ({ kind, email }: Pick<Guess, 'kind' | 'email'>): string =>
    createHmac('sha256', pepper)
      .update(JSON.stringify([kind, caseless(email.trim())]))
      .digest('base64url');

  const failuresOf = async (account: string): Promise<number> => {
    const { failures } = await db
      .selectFrom('auth.account_failure')
      .select((of) => of.fn.coalesce(of.fn.sum<number>('failures'), sql<number>`0`).as('failures'))
      .where('account', '=', account)
      .where('minute', '>', new Date(now() - ACCOUNT_GUESSES.windowMs))
      .executeTakeFirstOrThrow();
    return Number(failures);
  };

  const limitOf = (account: string): ConcurrencyLimit => {
    const known = limits.get(account);
    if (known) return known;
    const limit = limitConcurrency({ concurrent: 1, maxWaiting: WAITING.account, busy });
    limits.set(account, limit);
    return limit;
  };

  return {
    run: async (guess, evaluate) => {
      const account = hashOf(guess);
      const failures = await failuresOf(account);
      if (failures < ACCOUNT_GUESSES.failures || (await guess.isKnownPlace())) return evaluate();
      if (waiting >= WAITING.all) throw busy();
      const delay = Math.min(DELAY_MS.most, (DELAY_MS.least * failures) / ACCOUNT_GUESSES.failures);
      const inTurn = async (): Promise<void> => {
        await new Promise((resolve) => setTimeout(resolve, delay));
      };
      waiting += 1;
      await limitOf(account)
        .run(inTurn, { key: guess.address, timeoutMs: LONGEST_MS })
        .finally(() => {
          waiting -= 1;
        });
      return evaluate();
    },
    failed: async (guess) => {
      await sql`
        insert into auth.account_failure as f (account, minute, failures)
        values (${hashOf(guess)}, date_trunc('minute', ${new Date(now())}::timestamptz), 1)
        on conflict (account, minute) do update set failures = f.failures + 1`.execute(db);
    },
    waiting: () => waiting,
    close: () => clearInterval(sweeper),
  };
};

import { createCache } from '../flow/cache.ts';
import { limitConcurrency } from '../flow/concurrency.ts';

/** Too many sign-ins wait for their turn; the client may try again in a moment. */
export class SignInsBusy extends Error {
  override readonly name = 'SignInsBusy';
}

/** Evaluates sign-ins of guessing addresses a few at a time, so that others find free resources. */
export type SignInTurns = Readonly<{
  /**
   * Evaluates a sign-in: immediately for a well-behaved address, otherwise in turn. Rejects with `SignInsBusy` where too many
   * wait for their turn, or this one for ten seconds.
   */
  run: <T>(address: string, evaluate: () => Promise<T>) => Promise<T>;
  /** A guess of the address was wrong or refused: for a minute its sign-ins take turns. */
  suspect: (address: string) => void;
  /** Sign-ins that wait for their turn on this node. */
  waiting: () => number;
}>;

/** Fewer than the node has connections to the database, so that others always find some free. */
export const CONCURRENT = 4;
const MAX_WAITING = 1_000;
/** As long as a permit is waited for. */
const LONGEST_MS = 10_000;
const SUSPECTED_MS = 60_000;
const SUSPECTED = 20_000;

/**
 * Keeps a flood of guesses from holding up other sign-ins: a few at a time are evaluated of those addresses that guessed wrong within the
 * last minute or that send several concurrently, and these addresses take turns. `now` is a clock of this node in ms.
 */
export const createSignInTurns = ({ now }: { now: () => number }): SignInTurns => {
  const turns = limitConcurrency({
    concurrent: CONCURRENT,
    maxWaiting: MAX_WAITING,
    busy: () => new SignInsBusy('Too many concurrent sign-ins'),
  });
  /** When each was suspected last, in ms of `now`. */
  const suspected = createCache<string, number>(SUSPECTED);
  /** Addresses with a sign-in that takes no turn. */
  const direct = new Set<string>();

  const isSuspected = (address: string): boolean => {
    const at = suspected.peek(address);
    return at !== undefined && now() - at < SUSPECTED_MS;
  };

  return {
    run: async (address, evaluate) => {
      if (isSuspected(address) || direct.has(address)) return turns.run(evaluate, { key: address, timeoutMs: LONGEST_MS });
      direct.add(address);
      try {
        return await evaluate();
      } finally {
        direct.delete(address);
      }
    },
    suspect: (address) => void suspected.set(address, now()),
    waiting: turns.waiting,
  };
};

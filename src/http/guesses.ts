import type { FastifyRequest } from 'fastify';
import { networksOf } from '../security/clientNetworks.ts';
import type { GuessKind, Refused, SignInPermits } from '../security/signInPermits.ts';
import type { SignInTiers } from '../security/signInTiers.ts';
import { SignInsBusy, type SignInTurns } from '../security/signInTurns.ts';
import { HttpProblem, type ProblemCode } from './problems/problems.ts';

/** What evaluating a key or a password found: what the right one opens, or the problem that answers a wrong one. */
export type Evaluation<T> = Readonly<{ isRight: true; value: T } | { isRight: false; problem: ProblemCode }>;

export const right = <T>(value: T): Evaluation<T> => ({ isRight: true, value });
export const wrong = (problem: ProblemCode): Evaluation<never> => ({ isRight: false, problem });

/** The problem of a guess that is refused for now. */
export const tooMany = ({ retryAfter }: Refused): HttpProblem => new HttpProblem('too_many_attempts', { retryAfter });

/**
 * Evaluates a guess of a key or a password under a permit of the client's address, which is taken before the guess is evaluated: the only
 * way to compare a secret that a request carries. A wrong guess spends the permit and is answered with its problem; a right one, and one
 * whose evaluation throws, gives it back. `bucket` replaces the address, for a guess of one customer's own secret. Throws
 * `too_many_attempts` when no permit is left. Guesses from other addresses delay this one, by two seconds at most, and never refuse it: an
 * address that guessed wrong takes turns with others of its kind.
 */
export const evaluateGuess = async <T>(
  request: Pick<FastifyRequest, 'ip'>,
  { permits, tiers, turns }: { permits: SignInPermits; tiers: SignInTiers; turns: SignInTurns },
  { kind = 'key', bucket, evaluate }: { kind?: GuessKind; bucket?: string; evaluate: () => Promise<Evaluation<T>> },
): Promise<T> => {
  const client = networksOf(request.ip);
  const tier = kind === 'admin' ? 'admin' : 'key';
  const name = bucket ?? `ip:${client.address}`;
  const remembered = permits.refusalOf(name, kind);
  if (remembered) throw tooMany(remembered);
  await tiers.delay(client, tier);
  const evaluatePermitted = async (): Promise<T> => {
    const permit = await permits.acquire(name, kind);
    if (!permit.granted) {
      turns.suspect(client.address);
      throw tooMany(permit);
    }
    const evaluation = await evaluate().catch(async (error: unknown) => {
      await permit.refund();
      throw error;
    });
    if (evaluation.isRight) {
      await permit.refund();
      return evaluation.value;
    }
    turns.suspect(client.address);
    tiers.failed(client, tier);
    await permit.spend();
    throw new HttpProblem(evaluation.problem);
  };
  return turns.run(client.address, evaluatePermitted).catch((error: unknown) => {
    throw error instanceof SignInsBusy ? tooMany({ granted: false, retryAfter: 1 }) : error;
  });
};

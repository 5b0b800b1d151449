import type { FastifyRequest } from 'fastify';
import { type Budget, bucketOf, type SignInBudget } from '../../security/signInBudget.ts';
import { HttpProblem, type ProblemCode } from '../problems/problems.ts';

const tooMany = (budget: Budget): HttpProblem =>
  new HttpProblem('too_many_attempts', budget.left ? {} : { retryAfter: budget.retryAfter });

/**
 * Tries within the budget of the client's address. `attempt` resolves to null for a wrong key, which counts and is answered
 * with `wrong`; `onWrong` hears of it, and of the one that used the budget up.
 */
export const withinBudget = async <T>(
  request: FastifyRequest,
  budget: SignInBudget,
  {
    wrong,
    bucket = bucketOf(request.ip),
    attempt,
    onWrong,
  }: {
    wrong: ProblemCode;
    bucket?: string;
    attempt: () => Promise<T | null>;
    onWrong?: (isLast: boolean) => void;
  },
): Promise<T> => {
  const before = await budget.check(bucket);
  if (!before.left) throw tooMany(before);
  const result = await attempt();
  if (result !== null) return result;
  const after = await budget.failed(bucket);
  onWrong?.(after.isLast);
  throw after.left ? new HttpProblem(wrong) : tooMany(after);
};

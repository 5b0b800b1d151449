import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AcceptedOutcome, CommandOutcome } from '../commands/commandHandler.ts';
import { problem } from '../contracts/replies.ts';
import type { Settle } from './deps.ts';
import type { Quotas } from './limits.ts';
import { HttpProblem, type ProblemCode } from './problems/problems.ts';

export const settleWith =
  (waitUntil: (position: bigint, timeoutMs: number) => Promise<boolean>, { readModelsMs }: Pick<Quotas, 'readModelsMs'>): Settle =>
  async (reply, position) => {
    if (position === null) return;
    reply.header('x-position', position.toString());
    await waitUntil(position, readModelsMs);
  };

/** The outcome of an accepted command. Throws a refusal as a problem. */
export const accepted = <S>(outcome: CommandOutcome<S, ProblemCode>): AcceptedOutcome<S> => {
  if (!outcome.accepted) throw new HttpProblem(outcome.refusal);
  return outcome;
};

/** The value, or the problem: what does not exist and what belongs to another tenant look the same. */
export const found = <T>(value: T | null | undefined, code: ProblemCode): T => {
  if (value === null || value === undefined) throw new HttpProblem(code);
  return value;
};

/** Problems in a route's contracts; 500 and 503 may come from anywhere. */
export const problems = <Status extends number>(...statuses: readonly Status[]): Record<Status, typeof problem> => {
  const entries = statuses.map((status): [Status, typeof problem] => [status, problem]);
  return Object.fromEntries(entries) as Record<Status, typeof problem>;
};

/** Sets the ETag to a revision, which `If-Match` of a later change repeats. */
export const tag = (reply: FastifyReply, revision: bigint): void => void reply.header('etag', `"${revision}"`);

/** The revision that `If-Match` demands; undefined when any will do. Throws `precondition_invalid`. */
export const ifMatch = (request: FastifyRequest): { ifRevision?: bigint } => {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return {};
  const revision = /^(?:W\/)?"(\d{1,19})"$/.exec(header.trim())?.[1];
  if (revision === undefined) throw new HttpProblem('precondition_invalid');
  return { ifRevision: BigInt(revision) };
};

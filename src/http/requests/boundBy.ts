import type { FastifyReply, FastifyRequest } from 'fastify';
import { teamIdOf } from '../../domain/team/teamId.ts';
import { tenantOf } from '../principal.ts';
import { HttpProblem, type ProblemCode } from '../problems/problems.ts';
import type { CountLimit, LimitName } from './metrics.ts';
import { createQuota } from './quota.ts';

type Bound = Readonly<{ limit: LimitName; each: number }>;

/** A hook that rejects a request with `problem` while its tenant, or this node, has as many at work as the bounds allow. */
export const boundBy = ({
  ofTenant,
  ofNode,
  problem,
  onRejected,
}: {
  ofTenant: Bound;
  ofNode: Bound;
  problem: ProblemCode;
  onRejected: CountLimit;
}) => {
  const tenants = createQuota({ each: ofTenant.each });
  const node = createQuota({ each: ofNode.each });
  return (request: FastifyRequest, reply: FastifyReply, next: (error?: Error) => void): void => {
    // The tenant, not the caller: keys, named users and API tokens share the bound.
    const { session } = request;
    const one = tenants.acquire(session ? teamIdOf(tenantOf(session.owner)) : '');
    const two = one && node.acquire('');
    if (!two) {
      one?.();
      onRejected(one ? ofNode.limit : ofTenant.limit);
      next(new HttpProblem(problem));
      return;
    }
    reply.raw.once('close', () => {
      one();
      two();
    });
    next();
  };
};

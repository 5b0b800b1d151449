import type { FastifyRequest } from 'fastify';
import type { SessionKind } from '../database/tables/sessions.ts';
import type { CustomerId, IntegratorId, UserId } from '../domain/ids.ts';
import { customerOwner } from '../security/owner.ts';
import type { SessionOwner } from '../security/session.ts';
import { principalAs } from './principal.ts';
import { HttpProblem } from './problems/problems.ts';

/** Whether a session may see what belongs to a customer of an integrator. A command-line tool sees its own customer only. */
const sees = (owner: SessionOwner, customerId: CustomerId, integratorId: IntegratorId): boolean => {
  switch (owner.kind) {
    case 'admin':
      return true;
    case 'integrator':
      return owner.integratorId === integratorId;
    case 'customer':
    case 'cli':
      return owner.customerId === customerId;
  }
};

/**
 * The customer, if the session may see it; otherwise `customer_not_found`. From then on the queries of an integrator's
 * request read the rows of this customer only.
 */
export const visibleCustomer = async (
  request: FastifyRequest,
  customerId: CustomerId,
): Promise<{ customerId: CustomerId; integratorId: IntegratorId }> => {
  const owner = principalAs<SessionKind>(request, 'admin', 'integrator', 'customer', 'cli');
  const account = await request.queries.customers.account(customerId);
  if (!account || !sees(owner, customerId, account.integratorId)) throw new HttpProblem('customer_not_found');
  request.dataOwner = customerOwner(customerId);
  const customer = { customerId, integratorId: account.integratorId };
  if (owner.kind === 'integrator') request.subject = customer;
  return customer;
};

/** The customer of a user, if the session may see it; otherwise `user_not_found`. */
export const visibleUser = async (request: FastifyRequest, userId: UserId): Promise<{ userId: UserId; customerId: CustomerId }> => {
  const owner = principalAs<SessionKind>(request, 'admin', 'integrator', 'customer', 'cli');
  const user = await request.queries.users.owner(userId);
  if (!user || !sees(owner, user.customerId, user.integratorId)) throw new HttpProblem('user_not_found');
  request.dataOwner = customerOwner(user.customerId);
  return { userId, customerId: user.customerId };
};

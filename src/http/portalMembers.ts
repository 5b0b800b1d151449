import type { FastifyRequest } from 'fastify';
import { ownersRefusalOf, type PortalUserChange } from '../commands/expectOwners.ts';
import { type Customer, type CustomerState, isRegistered, memberDetailsOf, type User } from '../domain/customer/state.ts';
import type { EventMeta } from '../domain/event.ts';
import type { CustomerId, IntegratorId, UserId } from '../domain/ids.ts';
import { teamIdOf } from '../domain/team/teamId.ts';
import type { HttpDeps } from './deps.ts';
import { HttpProblem, type ProblemCode } from './problems/problems.ts';
import { accepted, found } from './replies.ts';
import { followUp, metaOf } from './requests/meta.ts';

/** A portal user as its account signs it in: the role is the user's own, not the copy in the team. */
export type PortalMember = Readonly<{ integratorId: IntegratorId; name: string; email: string; role: User['role'] }>;

/** The customer whose users may sign in now. Throws the problem that says why not. */
export const activeCustomer = (state: CustomerState): Customer => {
  if (!isRegistered(state)) throw new HttpProblem('user_not_found');
  if (state.status === 'active') return state;
  throw new HttpProblem(state.status === 'suspended' ? 'customer_suspended' : 'customer_churned');
};

/** Why a portal user may not sign in by name now; null if the user may. */
const refusalOf = ({ users }: Customer, userId: UserId): ProblemCode | null => {
  const user = users.get(userId);
  if (!user) return 'user_not_found';
  if (user.status === 'active') return null;
  return user.status === 'suspended' ? 'user_suspended' : 'user_inactive';
};

/** The portal user who may sign in by name now. Throws the problem that says why not. */
export const portalMemberOf = (state: CustomerState, userId: UserId): PortalMember => {
  const customer = activeCustomer(state);
  const refusal = refusalOf(customer, userId);
  if (refusal) throw new HttpProblem(refusal);
  return { integratorId: customer.integratorId, ...found(memberDetailsOf(customer, userId), 'user_not_found') };
};

/** The command that gives a user a status. */
export const userStatusCommand = { active: 'ActivateUser', inactive: 'DeactivateUser', suspended: 'SuspendUser' } as const;

type Deps = Pick<HttpDeps, 'commands'>;

/** Refuses a change of a portal user that would leave the customer without the admins it needs. */
export const keepOwners = async ({ commands }: Deps, meta: EventMeta, change: PortalUserChange): Promise<void> => {
  const following: EventMeta = { ...followUp(meta, 'followUsers'), actor: { kind: 'system', id: 'followUsers' } };
  const refusal = await ownersRefusalOf(commands, change, { expecting: meta, following });
  if (refusal) throw new HttpProblem(refusal);
};

/** Lets the license key sign in again, for a customer whose named users cannot. */
export const allowKeySignIn = async ({ commands }: Deps, request: FastifyRequest, customerId: CustomerId): Promise<void> => {
  const teamId = teamIdOf({ kind: 'customer', customerId });
  const { policy } = (await commands.teams.load(teamId)).state;
  if (policy.keySignIn !== 'off') return;
  const data = { teamId, keySignIn: 'allowed' as const, secondFactorRequired: policy.secondFactorRequired };
  accepted(await commands.teams.handle({ type: 'ChangeSignInPolicy', data, meta: followUp(metaOf(request), 'key-sign-in') }));
};

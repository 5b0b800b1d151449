import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CliLoginReply } from '../contracts/cli.ts';
import type { Customer, User } from '../domain/customer/state.ts';
import type { EventMeta } from '../domain/event.ts';
import type { SignInMethod } from '../domain/signIns/methods.ts';
import type { SessionOwner } from '../security/session.ts';
import { completeSignIn } from './completeSignIn.ts';
import type { HttpDeps, Settle } from './deps.ts';
import { claimSeatOrDeny } from './floatingSeats.ts';
import { followUp, metaOf } from './requests/meta.ts';
import { describeWorkable } from './tool.ts';

type ToolSignIn = Readonly<{
  owner: Extract<SessionOwner, { kind: 'cli' }>;
  method: SignInMethod;
  /** Whether the user may have the session, checked once it is open. */
  check: () => Promise<{ customer: Customer; user: User }>;
  meta: EventMeta;
}>;

/** The end of every sign-in of the tool: opens its session, records the sign-in and describes it. Throws what `check` throws. */
export const completeToolSignIn = async (
  deps: HttpDeps & { settle: Settle },
  request: FastifyRequest,
  reply: FastifyReply,
  { owner, method, check, meta }: ToolSignIn,
): Promise<CliLoginReply> => {
  const { userId, customerId } = owner;
  const checkWithSeat = async () => {
    const checked = await check();
    await claimSeatOrDeny(deps, checked.customer, checked.user, { meta, by: 'signIn' });
    return checked;
  };
  const { token, checked } = await completeSignIn(deps, request, { owner, method, check: checkWithSeat });
  const position = await deps.recordUserActivity(
    { type: 'UserAuthenticated', data: { userId, customerId } },
    followUp(metaOf(request, { kind: 'user', id: userId, method }), 'authenticated'),
  );
  await deps.settle(reply, position);
  return { success: true, token, ...(await describeWorkable({ ...deps, queries: deps.systemQueries }, checked, meta.at)) };
};

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DeviceRequest } from '../contracts/deviceAuthorization.ts';
import { shownUserCode } from '../contracts/deviceAuthorization.ts';
import type { Customer, User } from '../domain/customer/state.ts';
import { isRegistered, maySignInOn } from '../domain/customer/state.ts';
import { teamIdOf } from '../domain/team/teamId.ts';
import { clientAddressOf, networksOf } from '../security/clientNetworks.ts';
import type { DeviceApprover, DeviceDetails, WaitingDevice } from '../security/deviceRequests.ts';
import type { HttpDeps, Settle } from './deps.ts';
import { evaluateGuess, right, wrong } from './guesses.ts';
import { loadMember } from './memberSignIn.ts';
import { principalAs } from './principal.ts';
import { HttpProblem } from './problems/problems.ts';
import { found } from './replies.ts';
import { metaOf } from './requests/meta.ts';
import { signInProblemOf, workable } from './tool.ts';

/** The named user of the portal who decides. Throws `member_required` where a key signed in. */
export const approverOf = (request: FastifyRequest): DeviceApprover => {
  const { customerId, userId } = principalAs(request, 'customer');
  const sessionHash = found(request.session, 'session_required').hash;
  return { customerId, userId: found(userId, 'member_required'), sessionHash };
};

/**
 * What a user code names. A wrong code uses up one of ten permits a minute, of the user and of the address, whatever the code was sent
 * for. Throws `user_code_unknown` and `too_many_attempts`.
 */
export const evaluateUserCode = async <T>(
  deps: HttpDeps,
  request: FastifyRequest,
  approver: DeviceApprover,
  evaluate: () => Promise<T | null>,
): Promise<T> => {
  const permit = await deps.permits.acquire(`device:${networksOf(request.ip).address}`, 'password');
  if (!permit.granted) throw new HttpProblem('too_many_attempts', { retryAfter: permit.retryAfter });
  let isWrong = false;
  try {
    return await evaluateGuess(request, deps, {
      kind: 'password',
      bucket: `device:${approver.userId}`,
      evaluate: async () => {
        const value = await evaluate();
        isWrong = value === null;
        return value === null ? wrong('user_code_unknown') : right(value);
      },
    });
  } finally {
    await (isWrong ? permit.spend() : permit.refund());
  }
};

/** Throws `user_code_of_another` where the terminal named another user. */
export const expectUser = async (
  { commands }: HttpDeps,
  { customerId, userId }: DeviceApprover,
  { email }: DeviceDetails,
): Promise<void> => {
  if (email === null) return;
  const { state } = await commands.customers.load(customerId);
  const own = isRegistered(state) ? state.users.get(userId)?.email : undefined;
  if (own?.toLowerCase() !== email.toLowerCase()) throw new HttpProblem('user_code_of_another');
};

/** A request as its user compares it with the terminal. */
export const showDevice = (request: FastifyRequest, userCode: string, device: WaitingDevice): DeviceRequest => ({
  userCode: shownUserCode(userCode),
  machineName: device.machineName,
  address: device.address,
  system: device.system,
  requestedAt: device.requestedAt,
  expiresAt: new Date(device.expiresAt).toISOString(),
  isSameAddress: device.address !== null && device.address === clientAddressOf(request.ip),
});

/**
 * Approves the machine for the user, then the request. Killed in between, the machine is approved and the request still waits for its
 * user. Throws `user_code_unknown` and why the user may not sign in on the machine; then the request waits again.
 */
export const approveDevice = async (
  deps: HttpDeps & { settle: Settle },
  request: FastifyRequest,
  reply: FastifyReply,
  userCode: string,
): Promise<void> => {
  const { commands, deviceRequests, settle } = deps;
  const approver = approverOf(request);
  const { customerId, userId } = approver;
  const device = await evaluateUserCode(deps, request, approver, () => deviceRequests.reserve(userCode, approver));
  const authorize = async () => {
    await expectUser(deps, approver, device);
    const { machineId, machineName } = device;
    const data = { customerId, userId, machineId, machineName };
    const outcome = await commands.customers.handle({ type: 'AuthorizeMachine', data, meta: metaOf(request) });
    if (!outcome.accepted) throw new HttpProblem(signInProblemOf(outcome.refusal));
    return outcome;
  };
  const { position } = await authorize().catch(async (error: unknown) => {
    await deviceRequests.release(userCode, userId);
    throw error;
  });
  await deviceRequests.approve(userCode, userId);
  await settle(reply, position);
};

/**
 * Whether an approved request may still open a session: its user is a named user who may use the tool on the machine, and the session of
 * the approval has not ended. Throws the problem that says why not.
 */
export const checkApproval = async (
  deps: HttpDeps,
  { machineId }: DeviceDetails,
  { customerId, userId, sessionHash }: DeviceApprover,
): Promise<{ customer: Customer; user: User }> => {
  const found = workable((await deps.commands.customers.load(customerId)).state, userId);
  if (!maySignInOn(found.customer, found.user, machineId)) throw new HttpProblem('machine_not_approved');
  const member = await loadMember(deps, teamIdOf({ kind: 'customer', customerId }), userId);
  const isOpen = (await deps.sessions.alive([sessionHash])).has(sessionHash);
  if (member === null || !isOpen) throw new HttpProblem('access_denied');
  return found;
};

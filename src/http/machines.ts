import type { FastifyRequest } from 'fastify';
import type { Machine as ShownMachine, MachineRequest as ShownRequest } from '../contracts/machines.ts';
import { machineRequestId, publicMachineId, shownMachineId } from '../contracts/machines.ts';
import { isRegistered, maySignInOn, type User, validRequests } from '../domain/customer/state.ts';
import type { CustomerId, MachineRequestId, PublicMachineId, UserId } from '../domain/ids.ts';
import type { ApprovedMachine, PendingMachine } from '../projections/machines/queries.ts';
import type { MachineUses } from '../security/sessionRows.ts';
import type { HttpDeps } from './deps.ts';
import { HttpProblem } from './problems/problems.ts';
import { accepted, found } from './replies.ts';
import { systemIn } from './requests/browser.ts';
import { digestOf, followUp, metaOf, newIdFor, uuidOf } from './requests/meta.ts';
import type { Counters } from './requests/metrics.ts';

/** Names a user's machine without giving its machine id away. */
export const publicIdOf = (userId: UserId, machineId: string): PublicMachineId =>
  publicMachineId.parse(uuidOf('machine', userId, machineId));

/** Without letters and digits that look alike. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 8;

/** The code that users compare on both sides, as `7F3K-9Q2M`. It is derived from the request's id and grants no access. */
const codeOf = (requestId: MachineRequestId): string => {
  const letters = [...digestOf('machine-code', requestId).subarray(0, CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return `${letters.slice(0, CODE_LENGTH / 2).join('')}-${letters.slice(CODE_LENGTH / 2).join('')}`;
};

/** An approved machine as replies contain it, with its last use among the given ones. */
export const showMachine = (
  { userId, machineId, machineName, approvedAt }: ApprovedMachine,
  uses: MachineUses,
): Omit<ShownMachine, 'current'> => {
  const id = publicIdOf(userId, machineId);
  const use = uses.get(id);
  return {
    id,
    machineId: shownMachineId(machineId),
    name: machineName,
    approvedAt,
    system: systemIn(use?.browser ?? null),
    lastSeenAt: use ? new Date(use.lastSeenAt).toISOString() : null,
  };
};

/** A waiting machine as replies contain it. */
export const showRequest = ({ requestId, machineId, machineName, ...request }: PendingMachine): ShownRequest => ({
  id: requestId,
  userId: request.userId,
  username: request.username,
  customerId: request.customerId,
  customerName: request.customerName,
  machineId: shownMachineId(machineId),
  name: machineName,
  code: codeOf(requestId),
  requestedAt: request.requestedAt,
  expiresAt: request.expiresAt,
});

/** The machine id of an approved machine by its public id; undefined where the user has no such machine. */
export const machineIdOf = ({ userId, machines }: User, id: PublicMachineId | null): string | undefined =>
  machines.find(({ machineId }) => publicIdOf(userId, machineId) === id)?.machineId;

type Asking = Readonly<{ customerId: CustomerId; userId: UserId; machineId: string; machineName: string | null }>;

/**
 * Records that a machine asks for approval, and throws the problem that says so. Returns only where it was approved in the meantime.
 * The actor is the user whom the request names: it has proven the license key, and nothing else yet.
 */
export const requireApproval = async (
  { commands, counters }: Pick<HttpDeps, 'commands'> & { counters: Counters },
  request: FastifyRequest,
  { customerId, userId, machineId, machineName }: Asking,
): Promise<void> => {
  const requestId = machineRequestId.parse(newIdFor(request, 'machine-request'));
  const meta = followUp(metaOf(request, { kind: 'user', id: userId, method: 'key' }), 'machine-approval');
  const outcome = await commands.customers.handle({
    type: 'RequestMachineApproval',
    data: { customerId, userId, requestId, machineId, machineName },
    meta,
  });
  if (!outcome.accepted && outcome.refusal === 'machine_requests_exhausted')
    counters.count('latchkey_machine_requests_refused_total');
  const { state } = accepted(outcome);
  if (!isRegistered(state)) throw new HttpProblem('unknown_license_key');
  const user = found(state.users.get(userId), 'machine_request_not_found');
  if (maySignInOn(state, user, machineId)) return;
  const pending = validRequests(user, meta.at).find((asked) => asked.machineId === machineId);
  const { requestId: id, expiresAt } = found(pending, 'machine_request_not_found');
  const code = codeOf(id);
  throw new HttpProblem('machine_approval_required', {
    text: `This machine needs approval before it can sign in as this user. Compare the code ${code} and approve it with "latchkey devices" on a machine of the user, on the Users screen of the portal, or ask your service integrator.`,
    approval: { requestId: id, code, expiresAt },
  });
};

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MachinesReply, ValidOfflineLicense } from '../contracts/machines.ts';
import type { MachineCommand } from '../domain/customer/commands.ts';
import { isRegistered, type OfflineLicense, validOfflineLicenses } from '../domain/customer/state.ts';
import type { CustomerId, PublicMachineId, UserId } from '../domain/ids.ts';
import type { HttpDeps, Settle } from './deps.ts';
import { machineIdOf, showMachine, showRequest } from './machines.ts';
import { principalAs } from './principal.ts';
import { HttpProblem } from './problems/problems.ts';
import { accepted, found, ifMatch } from './replies.ts';
import { workable } from './tool.ts';

type Deps = HttpDeps & { settle: Settle };

/** Whose machines are decided on; `approvingMachineId` is the user's own machine that decides, null if a console does. */
export type MachineOwner = Readonly<{ customerId: CustomerId; userId: UserId; approvingMachineId: string | null }>;

/**
 * The signed-in user, and the approved machine that a tool's session is on. Throws `machine_not_approved` and `member_required`. With
 * `asSignedIn`, a machine needs approval only where a sign-in needs it.
 */
export const ownUserOf = async (
  { commands }: Pick<HttpDeps, 'commands'>,
  request: FastifyRequest,
  { asSignedIn = false }: { asSignedIn?: boolean } = {},
): Promise<MachineOwner & { machine: PublicMachineId | null }> => {
  const owner = principalAs(request, 'cli', 'customer');
  if (owner.kind === 'customer') {
    const id = found(owner.userId, 'member_required');
    return { customerId: owner.customerId, userId: id, approvingMachineId: null, machine: null };
  }
  const { customerId, userId: id, machine } = owner;
  const { customer, user } = workable((await commands.customers.load(customerId)).state, id);
  const approvingMachineId = machineIdOf(user, machine) ?? null;
  const isNeeded = !asSignedIn || customer.machineApprovalEnforced || customer.machineLimit !== null;
  if (approvingMachineId === null && isNeeded) throw new HttpProblem('machine_not_approved');
  return { customerId, userId: id, approvingMachineId, machine };
};

const showOfflineLicense = ({
  licenseId: id,
  fingerprint,
  machineName,
  issuedAt,
  expiresAt,
}: OfflineLicense): ValidOfflineLicense => ({
  id,
  fingerprint,
  machineName,
  issuedAt,
  expiresAt,
});
const byExpiry = (one: ValidOfflineLicense, other: ValidOfflineLicense): number => one.expiresAt.localeCompare(other.expiresAt);

/** A user's machines, requests and valid offline licenses as they are shown after a change. `current` is the machine that asks. */
export const showMachines = async (
  { commands, sessions }: Deps,
  { queries, receivedAt }: FastifyRequest,
  { customerId, userId: id }: Pick<MachineOwner, 'customerId' | 'userId'>,
  current: PublicMachineId | null = null,
): Promise<MachinesReply> => {
  const at = new Date(receivedAt).toISOString();
  const [machines, requests, uses, { state }] = await Promise.all([
    queries.machines.approved([id]),
    queries.machines.pending({ userId: id }, at),
    sessions.machineUses([id]),
    commands.customers.load(customerId),
  ]);
  const user = isRegistered(state) ? state.users.get(id) : undefined;
  const offlineLicenses = user ? validOfflineLicenses(user, at).map(showOfflineLicense).toSorted(byExpiry) : [];
  return {
    success: true,
    machines: machines.map((machine) => {
      const shownMachine = showMachine(machine, uses);
      return { ...shownMachine, current: shownMachine.id === current };
    }),
    requests: requests.map(showRequest),
    ...(offlineLicenses.length > 0 && { offlineLicenses }),
  };
};

/** The machine id of one of the user's machines. Throws `machine_not_found`. */
export const machineOf = async (
  { commands }: Deps,
  { customerId, userId: id }: MachineOwner,
  machine: PublicMachineId,
): Promise<string> => {
  const { state } = await commands.customers.load(customerId);
  const user = 'users' in state ? state.users.get(id) : undefined;
  return found(user && machineIdOf(user, machine), 'machine_not_found');
};

/** Handles a command on the condition of the request, and waits for the read models. Throws refusals as problems. */
export const performOnMachine = async (
  { commands, settle }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  command: MachineCommand,
): Promise<void> => {
  const outcome = await commands.customers.handle(command, ifMatch(request));
  await settle(reply, accepted(outcome).position);
};

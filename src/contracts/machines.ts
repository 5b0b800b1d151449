import { z } from 'zod';
import type { MachineRequestId, OfflineLicenseId, PublicMachineId } from '../domain/ids.ts';
import { MAX_MACHINE_ID, MAX_MACHINE_NAME, MAX_MACHINES } from '../domain/limits.ts';
import { customerId, idOf, instant, text, userId } from './fields.ts';
import { ok, type Problem } from './replies.ts';

/** The id that a machine generated. It authenticates the machine, so replies never contain all of it. */
export const machineId = text(MAX_MACHINE_ID);
/** The name of a machine for its user, such as its host name. */
export const machineName = text(MAX_MACHINE_NAME);

/** How many machines each user of a license may have. */
export const machineLimit = z
  .int('Must be a whole number')
  .min(1, 'Must be 1 or more')
  .max(MAX_MACHINES, `Must be at most ${MAX_MACHINES}`);

/** The body that renames a machine. */
export const renameMachine = z.strictObject({ name: machineName });
export type RenameMachine = z.infer<typeof renameMachine>;

const SHOWN = 16;

/** A machine id as it is shown: its first 16 characters, then an ellipsis. */
export const shownMachineId = (id: string): string => (id.length > SHOWN ? `${id.slice(0, SHOWN)}…` : id);

/** A UUID, in lower case after parsing. */
export const machineRequestId = idOf<MachineRequestId>();
/** A UUID, in lower case after parsing. */
export const publicMachineId = idOf<PublicMachineId>();

/** A machine that may sign in as its user. */
const machine = z.object({
  id: publicMachineId,
  /** As in `shownMachineId`. */
  machineId: z.string(),
  name: z.string().nullable(),
  approvedAt: instant,
  /** Of the last sign-in on the machine, as in `Linux`; null where it is unknown. Servers of earlier versions send neither. */
  system: z.string().nullable().default(null),
  /** When a session on the machine was used last, up to about a minute ago; null 30 days after the last one has ended. */
  lastSeenAt: instant.nullable().default(null),
  /** Whether it is the machine that asks. */
  current: z.boolean(),
});
/** An approved machine of a user. */
export type Machine = z.infer<typeof machine>;

/** A machine that waits for approval. Both sides show `code` for comparison. */
export const machineRequest = z.object({
  id: machineRequestId,
  userId,
  username: z.string(),
  customerId,
  customerName: z.string(),
  machineId: z.string(),
  name: z.string().nullable(),
  code: z.string(),
  requestedAt: instant,
  expiresAt: instant,
});
/** A machine that waits for approval until `expiresAt`. */
export type MachineRequest = z.infer<typeof machineRequest>;

/** An offline license that is valid now. It cannot be revoked. */
const validOfflineLicense = z.object({
  id: idOf<OfflineLicenseId>(),
  /** Of the machine, as `latchkey license fingerprint` prints it. */
  fingerprint: z.string(),
  machineName: z.string().nullable(),
  issuedAt: instant,
  expiresAt: instant,
});
export type ValidOfflineLicense = z.infer<typeof validOfflineLicense>;

/** The approved machines of a user, those that wait, and the valid offline licenses in the order of their expiry. */
export const machinesReply = ok({
  machines: z.array(machine),
  requests: z.array(machineRequest),
  /** Absent without one. */
  offlineLicenses: z.array(validOfflineLicense).optional(),
});
export type MachinesReply = z.infer<typeof machinesReply>;
/** An approved machine in a list of several users. */
const listedMachine = machine
  .omit({ current: true })
  .extend({ userId, username: z.string(), customerId, customerName: z.string() });
export type ListedMachine = z.infer<typeof listedMachine>;
/** The approved machines of a page of users. */
export const listedMachinesReply = ok({ machines: z.array(listedMachine), nextCursor: z.string().nullable() });

/** The waiting machines of all users that the session may see. */
export const machineRequestsReply = ok({ requests: z.array(machineRequest) });
export type MachineRequestsReply = z.infer<typeof machineRequestsReply>;

/** What a machine without approval gets with `machine_approval_required`. */
export type RequestedApproval = NonNullable<Problem['approval']>;

/** The body of `PUT /api/customer/machine-approval`: whether new machines need approval. */
export const changeMachineApproval = z.strictObject({ enforced: z.boolean() });

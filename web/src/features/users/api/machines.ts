import { queryOptions } from '@tanstack/react-query';
import type { ProfileReply } from '../../../../../src/contracts/customers.ts';
import type { MachineRequestsReply, MachinesReply, RenameMachine } from '../../../../../src/contracts/machines.ts';
import type { IssueOfflineLicenseBody, OfflineLicenseReply } from '../../../../../src/contracts/offlineLicenses.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { CustomerId, UserId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { sessionKey } from '../../../api/sessionKey.ts';
import { useChange } from '../../../api/useChange.ts';
import type { Area } from '../../../areas.ts';
import { machineTexts } from '../machineTexts.ts';
import { offlineTexts } from '../offlineTexts.ts';
import { usersRootOf, useUsersRoot } from './users.ts';

/** Machines that wait for approval, of all users that the area shows. */
export const machineRequestsQuery = (area: Area) =>
  queryOptions({
    queryKey: [...topic.users(), 'machine-requests'],
    queryFn: ({ signal }) =>
      api.get<MachineRequestsReply>(`${usersRootOf(area)}/machine-requests`, { signal, fallback: machineTexts.loadFailed }),
  });

/** The path of the calls on a user's machines, for those who see all users. */
export const useMachinesRoot = (id: UserId): string => `${useUsersRoot()}/${id}`;
/** The path of the calls on the machines of the signed-in named user. */
export const MY_MACHINES_ROOT = '/api/customer';

/** The machines below a root, with those that wait for approval. */
export const machinesQuery = (root: string) =>
  queryOptions({
    queryKey: [...topic.users(), 'machines', root],
    queryFn: ({ signal }) => api.get<MachinesReply>(`${root}/machines`, { signal, fallback: machineTexts.loadFailed }),
  });

const touched = () => [topic.users()];
const options = { fallback: machineTexts.decideFailed };

/** Approves or rejects a request of a machine. */
export const useDecideRequest = (root: string, requestId: string, decision: 'approve' | 'reject') =>
  useChange(() => api.post<MachinesReply>(`${root}/machine-requests/${requestId}/${decision}`, undefined, options), touched);

/** Gives an approved machine another name. */
export const useRenameMachine = (root: string, machine: string) =>
  useChange((body: RenameMachine) => api.put<MachinesReply>(`${root}/machines/${machine}/name`, body, options), touched);

/** Removes an approved machine, which ends its sessions. */
export const useRemoveMachine = (root: string) =>
  useChange((machine: string) => api.delete<MachinesReply>(`${root}/machines/${machine}`, options), touched);

/** Issues an offline license for a machine; nothing that is shown changes but the history. */
export const useIssueOfflineLicense = (root: string) =>
  useChange(
    (body: IssueOfflineLicenseBody) =>
      api.post<OfflineLicenseReply>(`${root}/offline-licenses`, body, { fallback: offlineTexts.failed }),
    touched,
  );

/** Whether the customer's new machines need approval. */
export const useSwitchApproval = (id: CustomerId) =>
  useChange(
    (enforced: boolean) =>
      api.put<ProfileReply>('/api/customer/machine-approval', { enforced }, { fallback: machineTexts.switchFailed }),
    () => [topic.customer(id), sessionKey],
  );

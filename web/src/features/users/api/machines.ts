import { queryOptions } from '@tanstack/react-query';
import type { ProfileReply } from '../../../../../src/contracts/customers.ts';
import type { MachineRequestsReply, MachinesReply } from '../../../../../src/contracts/machines.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { CustomerId, UserId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { sessionKey } from '../../../api/sessionKey.ts';
import { useChange } from '../../../api/useChange.ts';
import type { Area } from '../../../areas.ts';
import { machineTexts } from '../machineTexts.ts';
import { usersRootOf, useUsersRoot } from './users.ts';

/** Machines that wait for approval, of all users that the area shows. */
export const machineRequestsQuery = (area: Area) =>
  queryOptions({
    queryKey: [...topic.users(), 'machine-requests'],
    queryFn: ({ signal }) =>
      api.get<MachineRequestsReply>(`${usersRootOf(area)}/machine-requests`, { signal, fallback: machineTexts.loadFailed }),
  });

/** The machines of one user. */
export const machinesQuery = (root: string, id: UserId) =>
  queryOptions({
    queryKey: [...topic.users(), 'machines', id],
    queryFn: ({ signal }) => api.get<MachinesReply>(`${root}/${id}/machines`, { signal, fallback: machineTexts.loadFailed }),
  });

const touched = () => [topic.users()];
const options = { fallback: machineTexts.decideFailed };

/** Approves or rejects a request of a user's machine. */
export const useDecideRequest = (user: UserId, requestId: string, decision: 'approve' | 'reject') => {
  const root = useUsersRoot();
  return useChange(
    () => api.post<MachinesReply>(`${root}/${user}/machine-requests/${requestId}/${decision}`, undefined, options),
    touched,
  );
};

/** Removes an approved machine of a user, which ends its sessions. */
export const useRemoveMachine = (user: UserId) => {
  const root = useUsersRoot();
  return useChange((machine: string) => api.delete<MachinesReply>(`${root}/${user}/machines/${machine}`, options), touched);
};

/** Whether the customer's new machines need approval. */
export const useSwitchApproval = (id: CustomerId) =>
  useChange(
    (enforced: boolean) =>
      api.put<ProfileReply>('/api/customer/machine-approval', { enforced }, { fallback: machineTexts.switchFailed }),
    () => [topic.customer(id), sessionKey],
  );

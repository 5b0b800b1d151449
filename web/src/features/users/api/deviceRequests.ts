import { queryOptions } from '@tanstack/react-query';
import type { DeviceRequestReply } from '../../../../../src/contracts/deviceAuthorization.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/useChange.ts';
import { deviceTexts } from '../deviceTexts.ts';

const ROOT = '/api/customer/device-requests';

/** The sign-in of a code. A wrong code counts as a guess, so it is not asked for again by itself. */
export const deviceRequestQuery = (userCode: string) =>
  queryOptions({
    queryKey: ['device-request', userCode],
    queryFn: ({ signal }) =>
      api.post<DeviceRequestReply>(`${ROOT}/lookup`, { userCode }, { signal, fallback: deviceTexts.loadFailed }),
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Approves or rejects the sign-in of a code. */
export const useDecideDevice = (userCode: string, decision: 'approve' | 'reject') =>
  useChange(
    () => api.post<{ success: true }>(`${ROOT}/${decision}`, { userCode }, { fallback: deviceTexts.decideFailed }),
    () => [topic.users()],
  );

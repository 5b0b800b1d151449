import { queryOptions } from '@tanstack/react-query';
import type { RevertReply } from '../../../../../src/contracts/reverts.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { customersPath } from '../../../api/customersPath.ts';
import { useChange } from '../../../api/useChange.ts';
import { auditTexts as texts } from '../texts.ts';
import type { AuditArea } from './audit.ts';

type Revert = RevertReply['revert'];

/** What takes an entry of a customer back; an error where nothing does now. */
export const revertQuery = (area: AuditArea, customerId: CustomerId, entryId: string) =>
  queryOptions({
    queryKey: [...topic.customer(customerId), 'revert', area, entryId],
    queryFn: ({ signal }) =>
      api.get<RevertReply>(`${customersPath[area]}/${customerId}/reverts/${entryId}`, { signal, fallback: texts.revertFailed }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

const usersPath = { admin: '/api/admin/users', integrator: '/api/users' } as const;

/** Sends what takes an entry back: a change of the customer or of one of its users. */
export const useRevert = (area: AuditArea, customerId: CustomerId) =>
  useChange(
    (revert: Revert) => {
      const path = revert.kind === 'user' ? `${usersPath[area]}/${revert.userId}` : `${customersPath[area]}/${customerId}`;
      return api.put(path, revert.body, { fallback: texts.revertFailed });
    },
    () => [topic.audit(), topic.customer(customerId), topic.history(customerId), topic.customers(), topic.users()],
  );

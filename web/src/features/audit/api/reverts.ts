import { queryOptions } from '@tanstack/react-query';
import type { RevertReply, TenantRevertReply } from '../../../../../src/contracts/reverts.ts';
import { type Topic, topic } from '../../../../../src/contracts/topics.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { customersPath } from '../../../api/customersPath.ts';
import { useChange } from '../../../api/useChange.ts';
import { auditTexts as texts } from '../texts.ts';
import { type AuditArea, pathIn } from './audit.ts';

/** What takes an entry back, with what it changes. */
export type RevertPreview = RevertReply | TenantRevertReply;
type Revert = RevertPreview['revert'];

/** What takes an entry back, of a customer unless that is null; an error where nothing does now. */
export const revertQuery = (area: AuditArea, customerId: CustomerId | null, entryId: string) =>
  queryOptions({
    queryKey: [...(customerId === null ? topic.audit() : topic.customer(customerId)), 'revert', area, entryId],
    queryFn: ({ signal }): Promise<RevertPreview> => {
      const path =
        customerId === null ? `${pathIn[area]}/${entryId}/revert` : `${customersPath[area]}/${customerId}/reverts/${entryId}`;
      return api.get<RevertPreview>(path, { signal, fallback: texts.revertFailed });
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

/** The path of the calls on users in an area. */
export const usersPath = { admin: '/api/admin/users', integrator: '/api/users' } as const;

/** The call whose body takes the entry back. */
const pathOf = (area: AuditArea, customerId: CustomerId | null, revert: Revert): string => {
  switch (revert.kind) {
    case 'customer':
      return `${customersPath[area]}/${customerId}`;
    case 'user':
      return `${usersPath[area]}/${revert.userId}`;
    case 'integrator':
      return area === 'admin' ? `/api/admin/service-integrators/${revert.integratorId}` : '/api/service-integrator/profile';
    case 'brand':
      return '/api/service-integrator/white-label';
    case 'theme':
      return `/api/service-integrator/themes/${revert.themeId}`;
    case 'member':
      return `/api/team/members/${revert.userId}`;
    case 'policy':
      return '/api/team/policy';
    case 'plan':
      return `/api/admin/plans/${revert.code}`;
    case 'alertRule':
      return `/api/admin/alert-rules/${revert.ruleId}`;
  }
};

const touchedBy = (customerId: CustomerId | null, revert: Revert): readonly Topic[] => {
  switch (revert.kind) {
    case 'customer':
    case 'user':
      return customerId === null ? [] : [topic.customer(customerId), topic.history(customerId), topic.customers(), topic.users()];
    case 'integrator':
    case 'brand':
      return [topic.integrator(revert.integratorId), topic.history(revert.integratorId), topic.integrators()];
    case 'theme':
      return [['themes']];
    case 'member':
    case 'policy':
      return [['team']];
    case 'plan':
      return [topic.plans()];
    case 'alertRule':
      return [topic.alerts()];
  }
};

/** Sends what takes an entry back. */
export const useRevert = (area: AuditArea, customerId: CustomerId | null) =>
  useChange(
    (revert: Revert) => api.put(pathOf(area, customerId, revert), revert.body, { fallback: texts.revertFailed }),
    (revert) => [topic.audit(), ...touchedBy(customerId, revert)],
  );

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  CreateIntegrator,
  IntegratorReply,
  IntegratorsReply,
  ServiceIntegrator,
  UpdateIntegrator,
} from '../../../../../src/contracts/integrators.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { AccountStatus } from '../../../../../src/domain/enumerations.ts';
import { api, type BulkKeys } from '../../../api/client.ts';
import { useChange } from '../../../api/useChange.ts';
import { integratorTexts } from '../texts.ts';

export const INTEGRATOR_SORTS = [
  'companyName',
  '-companyName',
  'createdAt',
  '-createdAt',
  'customerCount',
  '-customerCount',
] as const;
type IntegratorSort = (typeof INTEGRATOR_SORTS)[number];

type IntegratorFilter = {
  search?: string;
  status?: AccountStatus | undefined;
  sort?: IntegratorSort;
  limit?: number;
  cursor?: string;
};

/** The path of the calls on service integrators. */
export const INTEGRATORS_ROOT = '/api/admin/service-integrators';
/** Number of suggestions; a search finds the others. */
const MAX_CHOICES = 20;

/** A page of the service integrators, as administrators see them. */
export const integratorsQuery = (filter: IntegratorFilter) =>
  queryOptions({
    queryKey: [...topic.integrators(), filter],
    queryFn: ({ signal }) =>
      api.get<IntegratorsReply>(INTEGRATORS_ROOT, { query: filter, signal, fallback: integratorTexts.loadFailed }),
    placeholderData: keepPreviousData,
  });

/** Service integrators to choose from when creating a customer, by name. */
export const integratorChoicesQuery = (search: string) => integratorsQuery({ search, sort: 'companyName', limit: MAX_CHOICES });

/** `POST /api/admin/service-integrators`. The reply contains the master license key. */
export const useCreateIntegrator = () =>
  useChange(
    (body: CreateIntegrator) => api.post<IntegratorReply>(INTEGRATORS_ROOT, body, { fallback: integratorTexts.createFailed }),
    () => [topic.integrators(), topic.stats()],
  );

/** Sets the status of a service integrator as it is now; a change made elsewhere in between is refused. Nothing if it has the status. */
export const changeIntegratorStatus = async (
  { id }: ServiceIntegrator,
  to: { status: AccountStatus; reason: string },
  keys: BulkKeys,
): Promise<void> => {
  const path = `${INTEGRATORS_ROOT}/${id}`;
  const fallback = integratorTexts.updateFailed;
  const { reply, etag } = await api.getTagged<IntegratorReply>(path, { fallback });
  const { companyName, contactEmail, billingEmail, status } = reply.service_integrator;
  if (status === to.status) return;
  const body: UpdateIntegrator = {
    companyName,
    contactEmail,
    billingEmail,
    status: to.status,
    ...(to.reason !== '' && { reason: to.reason }),
  };
  await api.put<IntegratorReply>(path, body, { ifMatch: etag, ...keys, fallback });
};

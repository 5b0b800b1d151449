import { queryOptions } from '@tanstack/react-query';
import type { CustomerMoveReply, MoveCustomer } from '../../../../../src/contracts/customerMoves.ts';
import type { CustomerReply } from '../../../../../src/contracts/customers.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { customersPath } from '../../../api/customersPath.ts';
import { useChange } from '../../../api/useChange.ts';
import { customerMoveTexts as texts } from '../moveTexts.ts';

/** The service integrator is empty until one is chosen. */
export type WantedMove = Readonly<{ serviceIntegratorId: string; records: MoveCustomer['records'] }>;

const pathOf = (id: CustomerId): string => `${customersPath.admin}/${id}/integrator-move`;

/** What the move of a customer does, with the version of the customer to send along. */
export const customerMoveQuery = (id: CustomerId, { serviceIntegratorId, records }: WantedMove) =>
  queryOptions({
    queryKey: [...topic.customer(id), 'integrator-move', serviceIntegratorId, records],
    queryFn: async ({ signal }) => {
      const query = { serviceIntegratorId, records };
      const { reply, etag } = await api.getTagged<CustomerMoveReply>(pathOf(id), { query, signal, fallback: texts.loadFailed });
      return { move: reply.move, etag };
    },
    enabled: serviceIntegratorId !== '',
  });

/** `POST /api/admin/customers/:customerId/integrator-move`, for a preview that was shown. */
export const useMoveCustomer = (id: CustomerId) =>
  useChange(
    ({ wanted, etag }: { wanted: WantedMove; etag: string | null }) =>
      api.post<CustomerReply>(pathOf(id), wanted, { ifMatch: etag, fallback: texts.moveFailed }),
    () => [topic.customer(id), topic.customers(), topic.history(id), topic.integrators(), topic.stats(), topic.users()],
  );

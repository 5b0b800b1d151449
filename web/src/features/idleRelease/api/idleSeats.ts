import { queryOptions } from '@tanstack/react-query';
import type { IdleSeatsReply } from '../../../../../src/contracts/seats.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { type CustomerManager, customersPath } from '../../../api/customersPath.ts';
import { idleReleaseTexts } from '../texts.ts';

/** The seats of a customer that have been idle for at least so many days. */
export const idleSeatsQuery = (manager: CustomerManager, id: CustomerId, days: number) =>
  queryOptions({
    queryKey: [...topic.customer(id), 'idleSeats', days],
    queryFn: ({ signal }) =>
      api.get<IdleSeatsReply>(`${customersPath[manager]}/${id}/seats/idle`, {
        query: { days },
        signal,
        fallback: idleReleaseTexts.loadFailed,
      }),
  });

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Seat, SeatsReply } from '../../../../../src/contracts/seats.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import type { Area } from '../../../areas.ts';
import { seatTexts } from '../seatTexts.ts';

export const SEAT_SORTS = ['username', '-username', 'since', '-since', 'lastCall', '-lastCall', 'idleSince', '-idleSince'] as const;

/** The query of the seats of a customer; what is empty or undefined does not filter. */
export type SeatFilter = {
  search: string;
  kind: Seat['kind'] | undefined;
  idleDays: string;
  sort: (typeof SEAT_SORTS)[number];
};

/** The path of the calls on the seats of a customer, in an area. */
export const seatsPath = (area: Area, id: CustomerId): string =>
  ({
    admin: `/api/admin/customers/${id}/seats`,
    integrator: `/api/service-integrator/customers/${id}/seats`,
    portal: '/api/customer/seats',
  })[area];

const PAGE_SIZE = 50;

/** A page of the seats of a customer. Seats, connections and calls of the customer change it. */
export const seatsQuery = (area: Area, id: CustomerId, filter: SeatFilter, cursor: string, limit = PAGE_SIZE) =>
  queryOptions({
    queryKey: [...topic.customer(id), 'seats', filter, cursor, limit],
    queryFn: ({ signal }) =>
      api.get<SeatsReply>(seatsPath(area, id), {
        query: { ...filter, limit, cursor },
        signal,
        fallback: seatTexts.loadFailed,
      }),
    placeholderData: keepPreviousData,
  });

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { SeatRange, SeatUtilizationReply } from '../../../../../src/contracts/seats.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import type { Area } from '../../../areas.ts';
import { utilizationTexts } from '../utilizationTexts.ts';
import { seatsPath } from './seats.ts';

/** The last `days`, or a custom range, in a time zone. */
export type UtilizationChoice = Readonly<{
  days: SeatRange;
  custom: Readonly<{ from: string; to: string }> | null;
  zone: string;
}>;

/** The query of the utilization for a choice. */
export const utilizationOf = ({ days, custom, zone }: UtilizationChoice) => ({ ...(custom ?? { days }), zone });

/** The path of the utilization of a customer's seats, in an area. */
export const utilizationPath = (area: Area, id: CustomerId): string => `${seatsPath(area, id)}/utilization`;

/** How the seats of a customer were used. Seats and denials of the customer change it. */
export const utilizationQuery = (area: Area, id: CustomerId, choice: UtilizationChoice) =>
  queryOptions({
    queryKey: [...topic.customer(id), 'seatUtilization', choice],
    queryFn: ({ signal }) =>
      api.get<SeatUtilizationReply>(utilizationPath(area, id), {
        query: utilizationOf(choice),
        signal,
        fallback: utilizationTexts.loadFailed,
      }),
    placeholderData: keepPreviousData,
  });

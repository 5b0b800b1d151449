import type { ApiCallsRecorded } from '../domain/apiCalls/events.ts';
import type { CustomerId } from '../domain/ids.ts';
import type { EventStore, Recorded } from '../eventstore/port.ts';
import { streams } from './streams.ts';

/**
 * `count` events of a customer's stream of calls of a day (yyyy-mm-dd), from a revision on. Fewer where the stream ends; none after its
 * deletion.
 */
export const readCallEvents = async (
  events: Pick<EventStore, 'read'>,
  customerId: CustomerId,
  day: string,
  from: number,
  count: number,
): Promise<Recorded<ApiCallsRecorded>[]> => {
  const found: Recorded<ApiCallsRecorded>[] = [];
  const stream = streams.apiCalls(customerId, day);
  for await (const recorded of events.read<ApiCallsRecorded>(stream, { from: BigInt(from), limit: count })) found.push(recorded);
  return found;
};

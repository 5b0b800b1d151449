import type { ApiCallsRecorded } from '../domain/apiCalls/events.ts';
import type { CustomerId } from '../domain/ids.ts';
import type { EventStore, Position, Recorded } from '../eventstore/port.ts';
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

/**
 * Whether recorded calls after a position (null: from the start), of any customer, fulfil a condition. Null if that takes longer than
 * `timeoutMs`.
 */
export const hasCallsAfter = async (
  events: Pick<EventStore, 'subscribe'>,
  after: Position | null,
  fulfils: (calls: ApiCallsRecorded['data']) => boolean,
  timeoutMs: number,
): Promise<boolean | null> => {
  const subscription = events.subscribe({ after, categories: ['apiCalls'] });
  const timer = setTimeout(() => void subscription.close(), timeoutMs);
  try {
    for await (const item of subscription) {
      if (item.kind === 'caughtUp') return false;
      if (item.kind === 'event' && item.recorded.event.type === 'ApiCallsRecorded' && fulfils(item.recorded.event.data))
        return true;
    }
    return null;
  } finally {
    clearTimeout(timer);
    await subscription.close();
  }
};

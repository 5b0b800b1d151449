import { streams } from '../../src/commands/streams.ts';
import type { RecordedCall } from '../../src/domain/apiCalls/events.ts';
import type { CustomerId } from '../../src/domain/ids.ts';
import { dayAfter } from '../../src/domain/time.ts';
import type { Position } from '../../src/eventstore/port.ts';
import type { UsageAsked } from '../../src/projections/usage/queries.ts';
import { apiCallsRecorded, recordedCall } from '../support/builders/activity.ts';
import { appendEvents, type Fixture } from './fixture.ts';

/** The question for the usage of `count` UTC days up to a day. */
export const daysUpTo = (today: string, count: number): UsageAsked => ({
  zone: 'UTC',
  from: dayAfter(today, 1 - count),
  to: today,
  today,
});

/** Records a call to each of the instances `first`…`last` of a customer, as one event. */
export const recordInstances = (
  fixture: Pick<Fixture, 'events'>,
  customerId: CustomerId,
  [first, last]: readonly [number, number],
  { firstSequence = first, call = {} }: { firstSequence?: number; call?: Partial<RecordedCall> } = {},
): Promise<Position> => {
  const calls = Array.from({ length: last - first + 1 }, (_, index) =>
    recordedCall({ ...call, instanceUrl: `https://instance-${first + index}.example` }),
  );
  const event = apiCallsRecorded({ customerId, sourceId: 'instances', firstSequence, calls });
  return appendEvents(fixture, streams.apiCalls(customerId, '2026-01-31'), [event]);
};

/** Records calls `first`…`last` of a source, as one event; `missing` are those that the server rejected. */
export const record = (
  fixture: Pick<Fixture, 'events'>,
  customerId: CustomerId,
  [first, last]: readonly [number, number],
  {
    sourceId = 'laptop',
    missing = [],
    at,
    call = {},
  }: { sourceId?: string; missing?: number[]; at?: string; call?: Partial<RecordedCall> } = {},
): Promise<Position> => {
  const calls = Array.from({ length: last - first + 1 }, (_, index) =>
    missing.includes(first + index) ? null : recordedCall(call),
  );
  const event = apiCallsRecorded({ customerId, sourceId, firstSequence: first, calls });
  return appendEvents(fixture, streams.apiCalls(customerId, '2026-01-31'), [event], at ? { at } : {});
};

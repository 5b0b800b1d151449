import type { Service } from '../enumerations.ts';
import type { DomainEvent } from '../event.ts';
import type { CustomerId, UserId } from '../ids.ts';

/** One call of the command-line tool to a third-party service. `at` is ISO-8601 UTC, `durationMs` whole milliseconds. */
export type RecordedCall = Readonly<{
  service: Service;
  instanceUrl: string;
  operation: string;
  ok: boolean;
  status: number | null;
  durationMs: number;
  at: string;
}>;

/** A flush of one source: call number `i` has sequence `firstSequence + i`; null replaces a call that the server rejected. */
export type CallFlush = Readonly<{
  userId: UserId;
  sourceId: string;
  firstSequence: number;
  calls: readonly (RecordedCall | null)[];
}>;

/**
 * Flushes of a customer's tools that arrived at about the same time, in order; the same one may be there twice.
 * A call counts once for each (customer, source, sequence), however often it is repeated.
 */
export type ApiCallsRecorded = DomainEvent<'ApiCallsRecorded', { customerId: CustomerId; flushes: readonly CallFlush[] }>;

/** The events of a customer's stream of calls, one stream for each day. */
export type ApiCallsEvent = ApiCallsRecorded;

/** The stream of a customer's calls that the server received on a day (yyyy-mm-dd, UTC). */
export const callStreamOf = (customerId: CustomerId, day: string) => `apiCalls-${customerId}.${day.replaceAll('-', '')}` as const;

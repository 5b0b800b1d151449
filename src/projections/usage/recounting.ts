import type { NotIncludedRow } from '../../database/tables/usage.ts';
import { type CallSlice, sliceOf } from '../../domain/apiCalls/columns.ts';
import type { ServicesSet } from '../../domain/apiCalls/entitled.ts';
import { type ApiCallsRecorded, type CallFlush, callStreamOf } from '../../domain/apiCalls/events.ts';
import { isVoided, type Void } from '../../domain/apiCalls/voids.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { DAY_MS, dayOf } from '../../domain/time.ts';
import type { EventStore, Recorded } from '../../eventstore/port.ts';
import { type CallGroup, createCallGroups, emptyCount } from '../callCounts/counting.ts';
import { notIncludedRows } from '../callCounts/notIncluded.ts';
import { runsOf } from '../calls/events.ts';
import { type CallRanges, type FoundRecord, recordsIn } from '../calls/records.ts';
import type { DatabaseSession } from '../engine/session.ts';
import type { Range } from './ranges.ts';

/** Events that are in memory together. */
const EVENTS_TOGETHER = 64;

/** The calls of a day, divided by a void: those that still count, and those that do not any more, with the sequences of these. */
export type DividedDay = Readonly<{
  kept: readonly CallGroup[];
  voided: readonly CallGroup[];
  sequences: readonly Range[];
  notIncluded: readonly NotIncludedRow[];
}>;

/** What divides a day: the voids that were applied before, and the new one. */
type Dividing = Readonly<{ customerId: CustomerId; before: readonly Void[]; now: Void; sets: readonly ServicesSet[] }>;

type State = 'kept' | 'voided' | null;

/** Calls back with each run of calls of one state, by the first and last index. */
const eachRun = (length: number, stateOf: (index: number) => State, take: (state: State, first: number, last: number) => void) => {
  let first = 0;
  for (let index = 1; index <= length; index++) {
    if (index < length && stateOf(index) === stateOf(first)) continue;
    take(stateOf(first), first, index - 1);
    first = index;
  }
};

/** Whether ascending indexes were counted. */
const within = (ranges: CallRanges | null): ((callIndex: number) => boolean) => {
  let at = 0;
  return (callIndex) => {
    if (ranges === null) return true;
    for (let range = ranges[at]; range && range[1] < callIndex; range = ranges[++at]);
    const range = ranges[at];
    return range !== undefined && range[0] <= callIndex;
  };
};

/** Reads the events with counted calls of the day again, in the order in which they were counted. */
export const divideDay = async (
  session: DatabaseSession,
  schema: string,
  store: Pick<EventStore, 'read'>,
  { customerId, before, now, sets }: Dividing,
  day: string,
): Promise<DividedDay> => {
  const start = Date.parse(day);
  const [kept, voided] = [createCallGroups(), createCallGroups()];
  const ignored = emptyCount();
  const sequences: Range[] = [];
  const notIncluded: NotIncludedRow[] = [];

  const statesOf = (
    flush: CallFlush,
    { columns, from, count }: CallSlice,
    position: bigint,
    isCounted: (index: number) => boolean,
  ) => {
    const applied = before.filter((one) => one.sourceId === flush.sourceId && position < one.position);
    const mayBeVoided = flush.sourceId === now.sourceId && position < now.position;
    return Array.from({ length: count }, (_, index): State => {
      const ms = columns.start + (columns.after[from + index] ?? 0);
      if (!isCounted(index) || columns.instance[from + index] === null || ms < start || ms >= start + DAY_MS) return null;
      const call = { sourceId: flush.sourceId, position, sequence: flush.firstSequence + index, ms };
      if (applied.some((one) => isVoided(one, call))) return null;
      return mayBeVoided && isVoided(now, call) ? 'voided' : 'kept';
    });
  };

  const divide = ({ event, position, meta }: Recorded<ApiCallsRecorded>, ranges: CallRanges | null): void => {
    const isCounted = within(ranges);
    let callIndex = 0;
    for (const flush of event.data.flushes) {
      const slice = sliceOf(flush);
      const flushStart = callIndex;
      const states = statesOf(flush, slice, position, (index) => isCounted(flushStart + index));
      eachRun(
        slice.count,
        (index) => states[index] ?? null,
        (state, first, last) => {
          if (state === null) return;
          const groups = state === 'voided' ? voided : kept;
          groups.counterOf(customerId, flush.userId, meta.at)(slice, { first, last }, ignored, null);
          if (state === 'kept') return;
          sequences.push([flush.firstSequence + first, flush.firstSequence + last]);
          notIncluded.push(...notIncludedRows(customerId, sets, position, slice, [first, last]));
        },
      );
      callIndex += slice.count;
    }
  };

  const received = ({ daysLater }: FoundRecord): number => start / DAY_MS + daysLater;
  const chunks = await session.query<{ records: Buffer }>(
    `select records from ${schema}.call_chunk where day = $1 and customer_id = $2 order by chunk`,
    [day, customerId],
  );
  const records = chunks.flatMap(({ records: bytes }) => recordsIn(bytes));
  for (let from = 0; from < records.length; from += EVENTS_TOGETHER) {
    const some = records.slice(from, from + EVENTS_TOGETHER);
    const events = new Map<string, Recorded<ApiCallsRecorded>>();
    for (const run of runsOf(some.map((record) => ({ customerId, received: received(record), revision: record.revision })))) {
      const stream = callStreamOf(customerId, dayOf(run.received * DAY_MS));
      const limit = run.to - run.from + 1;
      for await (const event of store.read<ApiCallsRecorded>(stream, { from: BigInt(run.from), limit }))
        events.set(`${run.received} ${event.revision}`, event);
    }
    for (const record of some) {
      const event = events.get(`${received(record)} ${record.revision}`);
      if (event) divide(event, record.ranges);
    }
  }
  return { kept: kept.all(), voided: voided.all(), sequences, notIncluded };
};

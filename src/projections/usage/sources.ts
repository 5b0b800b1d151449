import { type SourceRow, usageSourceTable } from '../../database/tables/usage.ts';
import type { CallSlice } from '../../domain/apiCalls/columns.ts';
import type { CallFlush } from '../../domain/apiCalls/events.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { openRowBuffer } from '../engine/rowBuffer.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { addRange, formatRanges, missingFrom, parseRanges, type Range } from './ranges.ts';

/** Which calls of the touched sources were counted already. */
export type Sources = Readonly<{
  preload: (customerId: CustomerId, sourceId: string) => void;
  load: () => Promise<unknown>;
  /**
   * Calls back with each run of calls that were not counted before, by their first and last index in the flush, and remembers that they
   * are now. A place where the server rejected a call stays free: nothing was counted there.
   */
  countOnce: (customerId: CustomerId, flush: CallFlush, slice: CallSlice, count: (first: number, last: number) => void) => void;
  forget: (customerId: CustomerId) => void;
  flush: () => Promise<void>;
}>;

export const openSources = (session: DatabaseSession, schema: string): Sources => {
  const buffer = openRowBuffer<SourceRow>(usageSourceTable, session, schema);
  const touched = new Map<CustomerId, Map<string, Range[]>>();

  const rangesOf = (customerId: CustomerId, sourceId: string): Range[] => {
    const sources = touched.get(customerId) ?? new Map<string, Range[]>();
    touched.set(customerId, sources);
    const known = sources.get(sourceId);
    if (known) return known;
    const ranges = parseRanges(buffer.get(customerId, sourceId)?.seen ?? '{}');
    sources.set(sourceId, ranges);
    return ranges;
  };

  return {
    preload: buffer.preload,
    load: buffer.load,
    countOnce: (customerId, { sourceId, firstSequence }, { columns, from: start, count: calls }, count) => {
      const ranges = rangesOf(customerId, sourceId);
      const take = (from: number, to: number): void => {
        if (from > to) return;
        addRange(ranges, [from, to]);
        count(from - firstSequence, to - firstSequence);
      };
      for (const [first, last] of missingFrom(ranges, [firstSequence, firstSequence + calls - 1])) {
        let from = first;
        for (let sequence = first; sequence <= last; sequence++) {
          if (columns.instance[start + sequence - firstSequence] !== null) continue;
          take(from, sequence - 1);
          from = sequence + 1;
        }
        take(from, last);
      }
    },
    forget: (customerId) => void touched.delete(customerId),
    flush: async () => {
      for (const [customerId, sources] of touched) {
        for (const [sourceId, ranges] of sources) {
          if (ranges.length > 0) buffer.put({ customer_id: customerId, source_id: sourceId, seen: formatRanges(ranges) });
        }
      }
      await buffer.flush();
    },
  };
};

import { type CallChunkRow, callChunkTable } from '../../database/tables/calls.ts';
import { arrayOf } from '../../database/tables/encoding.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { DAY_MS, dayOf } from '../../domain/time.ts';
import type { CallWatcher } from '../callCounts/counting.ts';
import type { DatabaseSession } from '../engine/session.ts';
import { namesOf, rowsFrom, selectedFrom, valuesOf } from '../engine/statements.ts';
import { digestOf, either, encodeRecord, type Property, quartersOf, type Second, serviceBit } from './records.ts';

/** A record that exceeds what is left of a chunk begins the next one; one that is larger than a chunk has it for itself. */
const CHUNK_BYTES = 1_000;
const SECOND_MS = 1_000;

/** Where an event with recorded calls is in the event store. */
export type EventLocation = Readonly<{ stream: string; revision: bigint; position: bigint }>;

/** Takes the counted calls of an event, in runs. */
type EventIndexer = CallWatcher &
  Readonly<{
    /** Begins a run at an index of a flush; `start` is the index of the flush's first call in the flushes, taken as one list. */
    begin: (first: number, start: number) => void;
    /** Ends the run after the call at the index. */
    end: (last: number) => void;
    /** Completes the event. `isWhole`: all of its calls were counted. */
    finish: (isWhole: boolean) => void;
  }>;

/** The index of the calls that a batch counts. */
export type CallIndex = Readonly<{
  /** Null for an event that is not in a stream of a customer's calls. */
  open: (customerId: CustomerId, location: EventLocation) => EventIndexer | null;
  forget: (customerId: CustomerId) => void;
  flush: () => Promise<void>;
}>;

/** The calls of an event that were made on one day. */
type DayCalls = {
  /** ms since 1970 */
  start: number;
  day: string;
  services: number;
  users: Set<string>;
  instances: Set<string>;
  operations: Set<string>;
  statuses: Set<number | null>;
  seconds: Second[];
  ranges: [first: number, last: number][];
};

type Pending = { customerId: CustomerId; day: string; records: { bytes: Buffer; seconds: readonly Second[] }[] };

/** The day of a stream of calls, whose name ends with it. */
const dayOfStream = (stream: string): string | null => {
  const [, year, month, day] = /\.(\d{4})(\d{2})(\d{2})$/.exec(stream) ?? [];
  return year && month && day ? `${year}-${month}-${day}` : null;
};

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/** The entry of a second, in ascending order; calls are mostly in order too. */
const entryOf = (seconds: Second[], second: number): Second => {
  const last = seconds.at(-1);
  if (!last || last.second < second) {
    const added = { second, calls: 0, errors: 0 };
    seconds.push(added);
    return added;
  }
  let [low, high] = [0, seconds.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((seconds[middle]?.second ?? 0) < second) low = middle + 1;
    else high = middle;
  }
  const known = seconds[low];
  if (known?.second === second) return known;
  const added = { second, calls: 0, errors: 0 };
  seconds.splice(low, 0, added);
  return added;
};

const emptyDay = (start: number): DayCalls => ({
  start,
  day: dayOf(start),
  services: 0,
  users: new Set(),
  instances: new Set(),
  operations: new Set(),
  statuses: new Set(),
  seconds: [],
  ranges: [],
});

const digestsOf = ({ users, instances, operations, statuses }: DayCalls): Set<number> => {
  const digests = new Set<number>();
  const add = (property: Property, values: Iterable<string | number | null>): void => {
    for (const value of values) digests.add(digestOf(property, String(value)));
  };
  add('user', users);
  add('instance', instances);
  add('operation', operations);
  add('status', statuses);
  return digests;
};

const columns = namesOf<CallChunkRow>(callChunkTable);

const write = (session: DatabaseSession, schema: string, rows: readonly CallChunkRow[]): Promise<unknown> =>
  session.query(
    `insert into ${schema}.call_chunk (${columns.join(', ')})
     select ${selectedFrom<CallChunkRow>(callChunkTable, columns)} from ${rowsFrom<CallChunkRow>(callChunkTable, columns)}
     on conflict (day, customer_id, chunk) do update
     set early = excluded.early, late = excluded.late, errors = excluded.errors, records = excluded.records`,
    valuesOf<CallChunkRow>(callChunkTable, columns, rows),
  );

/** The last chunks of the customers' days. */
const loadLast = async (
  session: DatabaseSession,
  schema: string,
  pending: readonly Pending[],
): Promise<Map<string, CallChunkRow>> => {
  const customerIds = pending.map(({ customerId }) => customerId);
  const days = pending.map(({ day }) => day);
  const rows = await session.query<CallChunkRow>(
    `select ${columns.map((name) => `c.${name}`).join(', ')}
     from unnest($1::uuid[], $2::date[]) as r(customer_id, day)
     cross join lateral (
       select * from ${schema}.call_chunk k where k.day = r.day and k.customer_id = r.customer_id order by k.chunk desc limit 1
     ) as c`,
    [arrayOf('uuid', customerIds), arrayOf('date', days)],
  );
  return new Map(rows.map((row) => [`${row.customer_id} ${row.day}`, row]));
};

/** The chunks that records are added to, after the last one of the day. Where a chunk ends does not depend on the batches. */
const chunksWith = ({ customerId, day, records }: Pending, last: CallChunkRow | undefined): CallChunkRow[] => {
  const chunks: { row: CallChunkRow; parts: Buffer[]; size: number }[] = [];
  let open = last && { row: { ...last }, parts: [last.records], size: last.records.length };
  for (const { bytes, seconds } of records) {
    if (!open || open.size + bytes.length > CHUNK_BYTES) {
      const row = {
        customer_id: customerId,
        day,
        early: 0,
        late: 0,
        errors: 0,
        records: bytes,
        chunk: open ? open.row.chunk + 1 : 0,
      };
      open = { row, parts: [], size: 0 };
    }
    if (chunks.at(-1) !== open) chunks.push(open);
    open.parts.push(bytes);
    open.size += bytes.length;
    const quarters = quartersOf(seconds.map(({ second }) => second));
    open.row.early = either(open.row.early, quarters.early);
    open.row.late = either(open.row.late, quarters.late);
    open.row.errors += seconds.reduce((sum, { errors }) => sum + errors, 0);
  }
  return chunks.map(({ row, parts }) => ({ ...row, records: Buffer.concat(parts) }));
};

/** Opens the index for one batch. Nothing is read before `flush`. */
export const openCallIndex = (session: DatabaseSession, schema: string): CallIndex => {
  const pending = new Map<string, Pending>();

  const put = (customerId: CustomerId, streamDay: string, revision: number, of: DayCalls, isWhole: boolean): void => {
    const { day, services, seconds, ranges } = of;
    const key = `${customerId} ${day}`;
    const known = pending.get(key) ?? { customerId, day, records: [] };
    pending.set(key, known);
    const daysLater = daysBetween(day, streamDay);
    const bytes = encodeRecord({
      daysLater,
      revision,
      services,
      digests: digestsOf(of),
      ranges: isWhole ? null : ranges,
      seconds,
    });
    known.records.push({ bytes, seconds });
  };

  return {
    open: (customerId, { stream, revision }) => {
      const streamDay = dayOfStream(stream);
      if (streamDay === null) return null;
      const days = new Map<number, DayCalls>();
      let current: DayCalls | undefined;
      let flushStart = 0;
      let from = 0;

      /** Adds the indexes from `from` until before the index to the current day. */
      const addPlaces = (until: number): void => {
        const [first, last] = [flushStart + from, flushStart + until - 1];
        if (!current || first > last) return;
        const before = current.ranges.at(-1);
        if (before && before[1] === first - 1) before[1] = last;
        else current.ranges.push([first, last]);
        from = until;
      };

      return {
        begin: (first, start) => {
          flushStart = start;
          from = first;
        },
        secondOf: (at, index) => {
          const start = Math.floor(at / DAY_MS) * DAY_MS;
          if (current?.start !== start) {
            addPlaces(index);
            current = days.get(start) ?? emptyDay(start);
            days.set(start, current);
          }
          return entryOf(current.seconds, (at - start) / SECOND_MS);
        },
        addGroup: ({ userId, service, instanceUrl, operation, status }) => {
          if (!current) return;
          current.users.add(userId);
          current.instances.add(instanceUrl);
          current.operations.add(operation);
          current.statuses.add(status);
          current.services |= serviceBit(service);
        },
        end: (last) => addPlaces(last + 1),
        finish: (isWhole) => {
          for (const of of days.values()) put(customerId, streamDay, Number(revision), of, isWhole);
        },
      };
    },
    forget: (customerId) => {
      for (const [key, { customerId: id }] of pending) if (id === customerId) pending.delete(key);
    },
    flush: async () => {
      const all = [...pending.values()];
      if (all.length === 0) return;
      const last = await loadLast(session, schema, all);
      await write(
        session,
        schema,
        all.flatMap((of) => chunksWith(of, last.get(`${of.customerId} ${of.day}`))),
      );
    },
  };
};

import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import { NIL_UUID } from '../../domain/ids.ts';
import { DAY_MS, dayOf } from '../../domain/time.ts';
import { EVERYTHING } from '../scope.ts';
import { type FoundRecord, HALF_DAY, QUARTER_SECONDS, searchRecords, type Wanted } from './records.ts';

/** Whose calls are listed. */
export type CallScope = 'all' | { integratorId: IntegratorId } | { customerId: CustomerId };

/**
 * The position of a call in the lists, which descend: the second in which it was made (since 1970), the day of its event's stream (since
 * 1970), the event's revision there, the customer, and the index in the event.
 */
export type CallKey = Readonly<{ second: number; received: number; revision: number; customerId: string; index: number }>;

/** The calls of an event that were made in one second and may be looked for. */
export type FoundSecond = Omit<CallKey, 'customerId' | 'index'> &
  Readonly<{ customerId: CustomerId; record: FoundRecord; calls: number }>;

/** What a search looks for. Seconds since 1970, inclusive. */
export type Search = Readonly<{
  scope: CallScope;
  wanted: Omit<Wanted, 'from' | 'to'>;
  from: number;
  to: number;
  /** The days of the events' streams, counted from 1970, inclusive. */
  receivedDays: Readonly<{ first: number; last: number }>;
  /** Only what comes after it. */
  after: CallKey | null;
}>;

/** Seconds in the order of the list. Nothing else was found up to `reached`. */
export type Found = Readonly<{ seconds: readonly FoundSecond[]; reached: CallKey }>;

const DAY_SECONDS = 86_400;
const QUARTERS = 2 * HALF_DAY;
/** Chunks that a statement reads. */
const BATCH = 1_000;
/** Seconds that are kept while the chunks of a span are searched. */
const KEPT_SECONDS = 5_000;
/** The longest span: so many quarters of an hour. */
const LONGEST = 64 * QUARTERS;

/** Orders two positions as in the list: negative if the first one comes first. */
const compare = (one: Omit<CallKey, 'index'>, other: Omit<CallKey, 'index'>): number =>
  other.second - one.second ||
  other.received - one.received ||
  other.revision - one.revision ||
  (one.customerId === other.customerId ? 0 : one.customerId > other.customerId ? -1 : 1);

/** `day` counts from 1970. */
const dayText = (day: number): string => dayOf(day * DAY_MS);
const dayOfSecond = (second: number): number => Math.floor(second / DAY_SECONDS);

/** After everything of a second. */
const endOf = (second: number): CallKey => ({ second, received: -1, revision: 0, customerId: NIL_UUID, index: 0 });

/** The days with calls, newest first. */
const daysOf = async (db: Database, { scope, from, to, wanted }: Search): Promise<number[]> => {
  const [first, last] = [dayText(dayOfSecond(from)), dayText(dayOfSecond(to))];
  const of =
    typeof scope === 'object' && 'customerId' in scope
      ? sql`usage.day d where d.customer_id = ${scope.customerId}`
      : sql`usage.scope_day d where d.scope = ${scope === 'all' ? EVERYTHING : scope.integratorId}`;
  // A day with voided calls may have no failed ones left to count.
  const { rows } = await sql<{ day: number }>`
    select d.day - date '1970-01-01' as day from ${of} and d.day >= ${first} and d.day <= ${last}
      ${wanted.isFailed ? sql`and (d.errors > 0 or exists (select from usage.void))` : sql``}
    order by d.day desc`.execute(db);
  return rows.map(({ day }) => day);
};

/** A part of a day, or several whole days: quarters of an hour, inclusive. */
type Span = Readonly<{ days: readonly number[]; first: number; last: number }>;

const maskOf = (first: number, last: number): string => {
  let mask = 0;
  for (let quarter = Math.max(first, 0); quarter <= Math.min(last, HALF_DAY - 1); quarter++) mask += 2 ** quarter;
  return String(mask);
};

type Chunk = { day: number; customer_id: CustomerId; chunk: number; records: Buffer };

const conditionOf = ({ days, first, last }: Span, isFailed: boolean): RawBuilder<unknown> => {
  const isWhole = first === 0 && last === QUARTERS - 1;
  const [early, late] = [maskOf(first, last), maskOf(first - HALF_DAY, last - HALF_DAY)];
  const bits = sql`(c.early & ${early}::int8 <> 0 or c.late & ${late}::int8 <> 0)`;
  const conditions = [
    sql`c.day = any(${days.map(dayText)}::date[])`,
    ...(isWhole ? [] : [bits]),
    ...(isFailed ? [sql`c.errors > 0`] : []),
  ];
  return sql.join(conditions, sql` and `);
};

/** The next chunks of a span that may have such calls. An integrator's are read customer by customer, as no index has all of them. */
const chunksOf = async (db: Database, scope: CallScope, condition: RawBuilder<unknown>, after: Chunk | null): Promise<Chunk[]> => {
  const next = after
    ? sql`${condition} and (c.day, c.customer_id, c.chunk) > (${dayText(after.day)}, ${after.customer_id}, ${after.chunk})`
    : condition;
  const columns = sql`c.day - date '1970-01-01' as day, c.customer_id, c.chunk, c.records`;
  const order = sql`order by c.day, c.customer_id, c.chunk limit ${BATCH}`;
  const from =
    scope === 'all'
      ? sql`usage.call_chunk c where ${next}`
      : 'customerId' in scope
        ? sql`usage.call_chunk c where c.customer_id = ${scope.customerId} and ${next}`
        : sql`read.customer k cross join lateral (
            select * from usage.call_chunk c where c.customer_id = k.customer_id and ${next} offset 0) c
          where k.integrator_id = ${scope.integratorId}`;
  const { rows } = await sql<Chunk>`select ${columns} from ${from} ${order}`.execute(db);
  return rows;
};

const firstOf = (seconds: FoundSecond[]): FoundSecond[] => seconds.sort(compare).slice(0, KEPT_SECONDS);

/** The first seconds of a span after a position, and whether there are more. */
const searchSpan = async (
  db: Database,
  { scope, wanted, from, to, receivedDays }: Search,
  span: Span,
  after: CallKey | null,
  onChunks: (count: number) => void,
): Promise<{ seconds: FoundSecond[]; hasMore: boolean }> => {
  const condition = conditionOf(span, wanted.isFailed);
  let seconds: FoundSecond[] = [];
  let hasMore = false;
  let last: Chunk | null = null;
  do {
    const chunks: Chunk[] = await chunksOf(db, scope, condition, last);
    onChunks(chunks.length);
    for (const { day, customer_id: customerId, records } of chunks) {
      const start = day * DAY_SECONDS;
      const limits = {
        from: Math.max(from - start, span.first * QUARTER_SECONDS),
        to: Math.min(to - start, (span.last + 1) * QUARTER_SECONDS - 1, after ? after.second - start : DAY_SECONDS),
      };
      searchRecords(records, { ...wanted, ...limits }, (second, record, calls) => {
        const received = day + record.daysLater;
        if (received < receivedDays.first || received > receivedDays.last) return;
        const found = {
          second: start + second,
          received,
          revision: record.revision,
          customerId,
          record,
          calls,
        };
        const order = after === null ? 1 : compare(found, after);
        if (order > 0 || (order === 0 && after !== null && after.index > 0)) seconds.push(found);
      });
    }
    if (seconds.length > 2 * KEPT_SECONDS) {
      hasMore = true;
      seconds = firstOf(seconds);
    }
    last = chunks.length === BATCH ? (chunks.at(-1) ?? null) : null;
  } while (last);
  return { hasMore: hasMore || seconds.length > KEPT_SECONDS, seconds: firstOf(seconds) };
};

/** Longer spans where little is found. */
const nextLength = (length: number, chunks: number): number => {
  if (chunks > BATCH) return Math.max(1, length >> 1);
  return chunks < BATCH / 40 ? Math.min(LONGEST, length * 4) : chunks < BATCH / 4 ? Math.min(LONGEST, length * 2) : length;
};

/**
 * Finds seconds with calls by the index, newest first. `onChunks` is called with the number of chunks that each statement has read.
 */
export async function* searchSeconds(db: Database, search: Search, onChunks: (count: number) => void): AsyncGenerator<Found> {
  const to = Math.min(search.to, search.after?.second ?? search.to);
  const days = await daysOf(db, { ...search, to });
  let length = 1;
  let quarter = QUARTERS - 1;
  const [newest] = days;
  if (newest === dayOfSecond(to)) quarter = Math.floor((to % DAY_SECONDS) / QUARTER_SECONDS);
  for (let index = 0; index < days.length; ) {
    const isWhole = quarter === QUARTERS - 1 && length >= QUARTERS;
    const first = isWhole ? 0 : Math.max(0, quarter - length + 1);
    const some = days.slice(index, index + (isWhole ? Math.floor(length / QUARTERS) : 1));
    const span: Span = { days: some, first, last: quarter };
    let chunks = 0;
    let { after } = search;
    for (let hasMore = true; hasMore; ) {
      const found: { seconds: FoundSecond[]; hasMore: boolean } = await searchSpan(db, search, span, after, (count) => {
        chunks += count;
        onChunks(count);
      });
      hasMore = found.hasMore;
      const last = found.seconds.at(-1);
      const start = (some.at(-1) ?? 0) * DAY_SECONDS + first * QUARTER_SECONDS;
      after = hasMore && last ? { ...last, index: 0 } : endOf(start);
      yield { seconds: found.seconds, reached: after };
    }
    length = nextLength(length, chunks);
    if (first > 0) {
      quarter = first - 1;
    } else {
      index += some.length;
      quarter = QUARTERS - 1;
    }
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { describedStream, isMetastream, metastreamOf, TOMBSTONE_REVISION, ticksOf } from './event.ts';
import type { EventReader } from './eventReader.ts';
import { revisionColumn } from './eventRow.ts';
import { TOMBSTONE_COLUMN } from './schema.ts';
import type { StreamHead } from './streamHead.ts';
import { readableRange } from './streamMetadata.ts';

/** The number of removed events, the bytes of their payloads, and the position of the last one (0: none). */
export type Scavenged = Readonly<{ events: number; bytes: number; through: number }>;

type Parts = Readonly<{
  databaseUrl: string;
  heads: EventReader['heads'];
  lastPosition: () => number;
  /** Aborting it ends the scavenge after the current batch. */
  signal: AbortSignal;
}>;

/** Events of `stream` below revision `before` are unreadable; those below `from` are already removed. */
type RemovableRange = { readonly stream: string; readonly before: number; from: number };

type RemovedRow = { stream: string; revision: string; events: string; bytes: string; position: string };

const STREAMS_PER_PAGE = 500;
const EVENTS_PER_BATCH = 200;
/** The minimum pause between batches. A pause is as long as the batch before it, so that appends have priority. */
const MIN_PAUSE_MS = 5;
const CONNECT_TIMEOUT_MS = 10_000;

const QUERIES = {
  metastreams: `
    select distinct stream from eventstore.event where stream > $1 and stream < '$%' order by stream limit ${STREAMS_PER_PAGE}`,
  tombstoned: `
    select stream from eventstore.event where revision = ${TOMBSTONE_COLUMN} and stream > $1 order by stream limit ${STREAMS_PER_PAGE}`,
  firstWithinMaxAge: `
    select revision from eventstore.event where stream = $1 and revision >= $2 and created >= $3 order by revision limit 1`,
  // The first event identifies the store and the last one gives its position, so both are kept.
  remove: `
    with doomed as (
      select position from unnest($1::text[], $2::int8[], $3::int8[]) as asked (name, first, before)
      cross join lateral (
        select position from eventstore.event
        where stream = name and revision >= first and revision < before and position > 1 and position < $4
        order by revision limit ${EVENTS_PER_BATCH}
      ) as event
      limit ${EVENTS_PER_BATCH}
    ), removed as (
      delete from eventstore.event using doomed where event.position = doomed.position
      returning event.position, stream, revision, octet_length(data) + octet_length(metadata) as bytes
    ), by_stream as (
      select stream, max(revision) as revision, count(*) as events, sum(bytes) as bytes, max(position) as position
      from removed group by stream
    ), ended as (
      insert into eventstore.stream_end
      select stream, revision from by_stream where not exists (
        select from eventstore.event where event.stream = by_stream.stream and event.revision > by_stream.revision)
      on conflict (stream) do update set revision = greatest(stream_end.revision, excluded.revision)
    )
    select * from by_stream`,
} as const;

/** Sorts before the name of every metastream. */
const BEFORE_METASTREAMS = '$$';

/**
 * Deletes unreadable events permanently: those before a stream's `$tb`, beyond its `$maxCount` or `$maxAge`, all events of a
 * soft-deleted stream, all but the tombstone of a tombstoned stream, and replaced metadata. The remaining events keep their
 * revisions, and appends continue after the last one. Each batch is a separate transaction on a separate connection, so a scavenge
 * may stop after any batch. Throws PostgreSQL's error.
 */
export const scavenge = async ({ databaseUrl, heads, lastPosition, signal }: Parts): Promise<Scavenged> => {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: 'eventstore scavenger',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // The failing query reports a broken connection.
  client.on('error', () => undefined);
  const total = { events: 0, bytes: 0, through: 0 };

  const removeBatch = async (ranges: readonly RemovableRange[]): Promise<number> => {
    const { rows } = await client.query<RemovedRow>(QUERIES.remove, [
      ranges.map(({ stream }) => stream),
      ranges.map(({ from }) => from),
      ranges.map(({ before }) => revisionColumn(before)),
      lastPosition(),
    ]);
    const removed = new Map(rows.map((row) => [row.stream, row]));
    for (const each of ranges) each.from = Number(removed.get(each.stream)?.revision ?? each.from - 1) + 1;
    const events = rows.reduce((sum, row) => sum + Number(row.events), 0);
    total.events += events;
    total.bytes += rows.reduce((sum, row) => sum + Number(row.bytes), 0);
    total.through = rows.reduce((last, row) => Math.max(last, Number(row.position)), total.through);
    return events;
  };

  const remove = async (ranges: readonly RemovableRange[]): Promise<void> => {
    for (let isMore = ranges.length > 0; isMore && !signal.aborted; ) {
      const begun = performance.now();
      isMore = (await removeBatch(ranges)) === EVENTS_PER_BATCH;
      await delay(Math.max(MIN_PAUSE_MS, performance.now() - begun), undefined, { signal }).catch(() => undefined);
    }
  };

  /** The first revision that the stream's metadata keeps. */
  const firstKept = async (stream: string, { revision, metadata }: StreamHead, now: number): Promise<number> => {
    const { firstRevision } = readableRange(metadata, revision, now);
    const first = Math.min(firstRevision, revision + 1);
    const oldest = now - (metadata.maxAge ?? Number.POSITIVE_INFINITY) * 1000;
    if (oldest <= 0) return first;
    const { rows } = await client.query<{ revision: string }>(QUERIES.firstWithinMaxAge, [
      stream,
      revisionColumn(first),
      ticksOf(oldest),
    ]);
    return rows[0] ? Number(rows[0].revision) : revision + 1;
  };

  const eachPage = async (
    query: 'metastreams' | 'tombstoned',
    after: string,
    visit: (streams: readonly string[]) => Promise<void>,
  ): Promise<void> => {
    let last: string | undefined = after;
    while (last !== undefined && !signal.aborted) {
      const { rows }: { rows: { stream: string }[] } = await client.query<{ stream: string }>(QUERIES[query], [last]);
      const streams = rows.map(({ stream }) => stream);
      await visit(streams);
      last = streams.at(-1);
    }
  };

  const below = (stream: string, before: number): RemovableRange => ({ stream, before, from: 0 });

  const removeTombstoned = (streams: readonly string[]): Promise<void> =>
    remove(streams.flatMap((stream) => [below(stream, TOMBSTONE_REVISION), below(metastreamOf(stream), TOMBSTONE_REVISION)]));

  const removeUnreadable = async (metastreams: readonly string[]): Promise<void> => {
    const now = Date.now();
    const ranges: RemovableRange[] = [];
    for (const [stream, head] of await heads(metastreams.map(describedStream))) {
      ranges.push(below(metastreamOf(stream), head.metadataRevision));
      if (!isMetastream(stream)) ranges.push(below(stream, await firstKept(stream, head, now)));
    }
    await remove(ranges);
  };

  try {
    await client.connect();
    await eachPage('tombstoned', '', removeTombstoned);
    await eachPage('metastreams', BEFORE_METASTREAMS, removeUnreadable);
    if (total.events > 0 && !signal.aborted) {
      // Throttled, and without truncation because that needs an exclusive lock.
      await client.query(`set vacuum_cost_delay = '2ms'`);
      await client.query('vacuum (truncate false) eventstore.event');
    }
    return total;
  } finally {
    await client.end().catch(() => undefined);
  }
};

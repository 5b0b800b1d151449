import { setTimeout as delay } from 'node:timers/promises';
import { escapeLiteral, Pool } from 'pg';
import { type Log, reasonOf } from '../log.ts';
import { copyOut } from './copyOut.ts';
import { metastreamOf, NO_REVISION, type StoredEvent } from './event.ts';
import {
  AS_TEXT,
  COPIED_COLUMNS,
  copiedEvents,
  EVENT_COLUMNS,
  type EventRow,
  eventOf,
  revisionColumn,
  revisionOf,
} from './eventRow.ts';
import { limited } from './limited.ts';
import { isRefusedStatement } from './refusedStatement.ts';
import type { StreamHead } from './streamHead.ts';
import { NO_METADATA, parseStreamMetadata } from './streamMetadata.ts';

/** Matches events whose stream name or type begins with one of the prefixes. */
export type PrefixFilter = Readonly<{ on: 'stream' | 'type'; prefixes: readonly string[] }>;

/** The revisions `first` to `last` (inclusive) of a stream. */
export type WrittenRange = Readonly<{ stream: string; first: number; last: number }>;
export type WrittenPosition = Readonly<{ revision: number; position: number }>;
export type WrittenId = WrittenPosition & Readonly<{ id: string; stream: string }>;

/** PostgreSQL is unreachable. The request may be retried. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}

const READ_CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 10_000;
const RETRY_DELAYS_MS: readonly number[] = [20, 100, 400, 1_000];
const PAGE_BYTES = 512 << 10;

/**
 * A page is the start of an index scan. The planner cannot estimate a filter's selectivity and would choose to read and sort ten times as
 * many rows, which makes a replay five times as expensive.
 */
const INDEX_SCANS_ONLY = '-c enable_sort=off -c enable_seqscan=off -c enable_bitmapscan=off';

/** A page ends after `limit` events or `PAGE_BYTES`, whichever comes first, and has at least one event. */
const page = (columns: string, condition: string, order: string, limit: number | '$1'): string => `
  select ${columns} from (
    select *, sum(octet_length(data) + octet_length(metadata))
      over (order by ${order} rows between unbounded preceding and 1 preceding) as bytes_before
    from eventstore.event where ${condition} order by ${order} limit ${limit}
  ) as page
  where bytes_before is null or bytes_before < ${PAGE_BYTES}
  order by ${order}`;

const QUERIES = {
  allBackward: page(EVENT_COLUMNS, 'position < $2', 'position desc', '$1'),
  streamForward: page(EVENT_COLUMNS, 'stream = $2 and revision >= $3', 'revision', '$1'),
  streamBackward: page(EVENT_COLUMNS, 'stream = $2 and revision <= $3', 'revision desc', '$1'),
  heads: `
    select name,
      greatest(
        (select revision from eventstore.event where stream = name order by revision desc limit 1),
        (select revision from eventstore.stream_end where stream = name)),
      greatest(description.revision, (select revision from eventstore.stream_end where stream = metastream)),
      description.data, description.is_json
    from unnest($1::text[], $2::text[]) as asked (name, metastream)
    left join lateral (
      select revision, encode(data, 'hex') as data, is_json from eventstore.event where stream = metastream order by revision desc limit 1
    ) as description on true`,
  written: `
    select id, event.stream, revision, position
    from unnest($1::text[], $2::int8[], $3::int8[]) as range (stream, first, last)
    join eventstore.event on event.stream = range.stream and revision between first and last`,
  recent: `select id, stream, revision, position from eventstore.event order by position desc limit $1`,
} as const;

const beginsWith = ({ on, prefixes }: PrefixFilter): string =>
  `${on} ^@ any (array[${prefixes.map(escapeLiteral).join(',')}]::text[])`;

/** Positions are numbers of our own, and so safe as literals. */
const forwardPage = (after: number, through: number, limit: number, filter: PrefixFilter | undefined): string =>
  page(
    COPIED_COLUMNS,
    `position > ${after} and position <= ${through}${filter ? ` and ${beginsWith(filter)}` : ''}`,
    'position',
    limit,
  );

export type EventReader = Readonly<{
  /** Matching events after position `after` up to `through` (inclusive). `complete` is false when the page limit was reached first. */
  allForward: (
    after: number,
    through: number,
    limit: number,
    filter?: PrefixFilter,
  ) => Promise<{ events: StoredEvent[]; complete: boolean }>;
  /** Events before position `before`, newest first. */
  allBackward: (before: number, limit: number) => Promise<StoredEvent[]>;
  streamForward: (stream: string, from: number, limit: number) => Promise<StoredEvent[]>;
  streamBackward: (stream: string, from: number, limit: number) => Promise<StoredEvent[]>;
  /** The heads of these streams, by name. Metastreams are not allowed. */
  heads: (streams: readonly string[]) => Promise<ReadonlyMap<string, StreamHead>>;
  writtenIn: (ranges: readonly WrittenRange[]) => Promise<WrittenId[]>;
  /** The ids of the newest events, oldest first. */
  recentIds: (count: number) => Promise<WrittenId[]>;
  close: () => Promise<void>;
}>;

const writtenIdOf = ([id, stream, revision, position]: readonly [string, string, string, string]): WrittenId => ({
  id,
  stream,
  revision: revisionOf(revision),
  position: Number(position),
});

/** The key of `meanSizes` for reads without a filter. */
const UNFILTERED = {};

const ignore = (): void => undefined;

/**
 * Reads committed events over a small connection pool. Every call rejects with `StorageUnavailable` when PostgreSQL is unreachable, and
 * with PostgreSQL's error when it refuses the values.
 */
export const openEventReader = (databaseUrl: string, log: Log): EventReader => {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: READ_CONNECTIONS,
    application_name: 'eventstore reader',
    options: INDEX_SCANS_ONLY,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  pool.on('error', (error) => log('warn', `The event store lost an idle connection to PostgreSQL: ${error.message}`));

  /** Waits for a connection here, because a request that waits in the pool fails after the timeout for connecting. */
  const withConnection = limited(READ_CONNECTIONS);
  let isClosed = false;
  /** Mean event size of each filter's last page. For large events it limits a query to about two pages of bytes. */
  const meanSizes = new WeakMap<object, number>();

  /** Retries so that callers do not notice a restart of PostgreSQL. */
  const withRetries = async <Answer>(request: () => Promise<Answer>): Promise<Answer> => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await withConnection(request);
      } catch (error) {
        if (isRefusedStatement(error)) throw error;
        const pause = RETRY_DELAYS_MS[attempt];
        if (pause === undefined) log('warn', `The event store could not read from PostgreSQL: ${reasonOf(error)}`);
        if (pause === undefined || isClosed) throw new StorageUnavailable('PostgreSQL is unavailable', { cause: error });
        await delay(pause);
      }
    }
  };
  const query = <Row extends readonly unknown[]>(name: keyof typeof QUERIES, values: unknown[]): Promise<Row[]> =>
    withRetries(async () => {
      const statement = { name: `eventstore_${name}`, text: QUERIES[name], values, rowMode: 'array', types: AS_TEXT } as const;
      const { rows } = await pool.query<Row & unknown[]>(statement);
      return rows;
    });
  const copy = (text: string): Promise<StoredEvent[]> =>
    withRetries(async () => {
      const client = await pool.connect();
      // Without a listener a broken connection would crash the process; the failing query reports it.
      client.on('error', ignore);
      try {
        const events = copiedEvents(await copyOut(client, text));
        client.off('error', ignore);
        client.release();
        return events;
      } catch (error) {
        client.release(true);
        throw error;
      }
    });
  const events = async (name: keyof typeof QUERIES, values: unknown[]): Promise<StoredEvent[]> =>
    (await query<EventRow>(name, values)).map(eventOf);

  return {
    allForward: async (after, through, limit, filter) => {
      const size = meanSizes.get(filter ?? UNFILTERED) ?? 0;
      const most = size > 0 ? Math.min(limit, Math.ceil((2 * PAGE_BYTES) / size)) : limit;
      const found = await copy(forwardPage(after, through, most, filter));
      let bytes = 0;
      for (const { data, metadata } of found) bytes += data.length + metadata.length;
      if (found.length > 0) meanSizes.set(filter ?? UNFILTERED, bytes / found.length);
      return { events: found, complete: found.length < most && bytes < PAGE_BYTES };
    },
    allBackward: (before, limit) => events('allBackward', [limit, before]),
    streamForward: (stream, from, limit) => events('streamForward', [limit, stream, revisionColumn(from)]),
    streamBackward: (stream, from, limit) => events('streamBackward', [limit, stream, revisionColumn(from)]),
    heads: async (streams) => {
      type HeadRow = readonly [
        name: string,
        revision: string | null,
        metadataRevision: string | null,
        metadata: string | null,
        isJson: string | null,
      ];
      const rows = await query<HeadRow>('heads', [streams, streams.map(metastreamOf)]);
      return new Map(
        rows.map(([name, revision, metadataRevision, metadata, isJson]) => [
          name,
          {
            revision: revision === null ? NO_REVISION : revisionOf(revision),
            metadataRevision: metadataRevision === null ? NO_REVISION : revisionOf(metadataRevision),
            metadata: metadata === null ? NO_METADATA : parseStreamMetadata(Buffer.from(metadata, 'hex'), isJson === 't'),
          },
        ]),
      );
    },
    writtenIn: async (ranges) => {
      const rows = await query<readonly [string, string, string, string]>('written', [
        ranges.map((range) => range.stream),
        ranges.map((range) => range.first),
        ranges.map((range) => range.last),
      ]);
      return rows.map(writtenIdOf);
    },
    recentIds: async (count) =>
      (await query<readonly [string, string, string, string]>('recent', [count])).map(writtenIdOf).reverse(),
    close: () => {
      isClosed = true;
      return pool.end();
    },
  };
};

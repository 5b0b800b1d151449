import type { QueryArrayConfig } from 'pg';
import { type CopyCursor, readBool, readColumn, readInt8, readInt8Digits, readRows, readText, readUuid } from './copyOut.ts';
import { type StoredEvent, TOMBSTONE_REVISION } from './event.ts';
import { TOMBSTONE_COLUMN } from './schema.ts';

/** Leaves every column as text, because parsing by `pg` is not needed here. */
export const AS_TEXT: NonNullable<QueryArrayConfig['types']> = { getTypeParser: () => (text: unknown) => text };

export type EventRow = readonly [
  position: string,
  stream: string,
  revision: string,
  id: string,
  type: string,
  isJson: string,
  data: string,
  metadata: string,
  created: string,
];

/** The columns of an `EventRow`. Explicit hex makes the format independent of `bytea_output`. */
export const EVENT_COLUMNS = `position, stream, revision, id, type, is_json, encode(data, 'hex'), encode(metadata, 'hex'), created`;

export const revisionOf = (column: string): number => (column === TOMBSTONE_COLUMN ? TOMBSTONE_REVISION : Number(column));

export const revisionColumn = (revision: number): string => (revision === TOMBSTONE_REVISION ? TOMBSTONE_COLUMN : String(revision));

export const eventOf = ([position, stream, revision, id, type, isJson, data, metadata, created]: EventRow): StoredEvent => ({
  position: Number(position),
  stream,
  revision: revisionOf(revision),
  id,
  type,
  isJson: isJson === 't',
  data: Buffer.from(data, 'hex'),
  metadata: Buffer.from(metadata, 'hex'),
  created,
});

/** The columns of an event for `copyOut`. */
export const COPIED_COLUMNS = 'position, stream, revision, id, type, is_json, data, metadata, created';

// Reading rounds 2^63 - 1, so compare with a limit that no other revision reaches.
const TOMBSTONE_FROM = 2 ** 62;

const copiedRevision = (cursor: CopyCursor): number => {
  const revision = readInt8(cursor);
  return revision >= TOMBSTONE_FROM ? TOMBSTONE_REVISION : revision;
};

/** The order of the properties must be that of `COPIED_COLUMNS`. */
const copiedEvent = (cursor: CopyCursor): StoredEvent => ({
  position: readInt8(cursor),
  stream: readText(cursor),
  revision: copiedRevision(cursor),
  id: readUuid(cursor),
  type: readText(cursor),
  isJson: readBool(cursor),
  data: readColumn(cursor),
  metadata: readColumn(cursor),
  created: readInt8Digits(cursor),
});

export const copiedEvents = (bytes: Buffer): StoredEvent[] => {
  const events: StoredEvent[] = [];
  readRows(bytes, (cursor) => events.push(copiedEvent(cursor)));
  return events;
};

const NEEDS_ESCAPE = /[\\"]/;
const quoted = (text: string): string => `"${NEEDS_ESCAPE.test(text) ? text.replace(/[\\"]/g, '\\$&') : text}"`;
const array = (elements: readonly (string | number)[]): string => `{${elements.join(',')}}`;

/** One bytea with all payloads and their offsets costs two thirds of one parameter per column and event. */
const INSERT = `
  insert into eventstore.event (position, stream, revision, id, type, is_json, data, metadata, created)
  select position, stream, revision, id, type, is_json,
    substring($7::bytea from start for data_length), substring($7::bytea from start + data_length for metadata_length), created
  from unnest($1::int8[], $2::text[], $3::int8[], $4::uuid[], $5::text[], $6::bool[], $8::int4[], $9::int4[], $10::int4[], $11::int8[])
    as event (position, stream, revision, id, type, is_json, start, data_length, metadata_length, created)`;

/** A group of one event, which a single client sends, costs PostgreSQL a quarter of `INSERT`. */
const INSERT_ONE = `
  insert into eventstore.event (position, stream, revision, id, type, is_json, data, metadata, created)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

type Insert = { name: string; text: string; values: unknown[] };

const insertOneOf = ({ position, stream, revision, id, type, isJson, data, metadata, created }: StoredEvent): Insert => ({
  name: 'eventstore_insert_one',
  text: INSERT_ONE,
  values: [position, stream, revisionColumn(revision), id, type, isJson, data, metadata, created],
});

/** Inserts all events in one statement, and so in one transaction. */
export const insertOf = (events: readonly StoredEvent[]): Insert => {
  const [single] = events;
  if (single && events.length === 1) return insertOneOf(single);
  const payloads: Buffer[] = [];
  const starts: number[] = [];
  let start = 1;
  for (const { data, metadata } of events) {
    payloads.push(data, metadata);
    starts.push(start);
    start += data.length + metadata.length;
  }
  const values = [
    array(events.map((event) => event.position)),
    array(events.map((event) => quoted(event.stream))),
    array(events.map((event) => revisionColumn(event.revision))),
    array(events.map((event) => event.id)),
    array(events.map((event) => quoted(event.type))),
    array(events.map((event) => (event.isJson ? 't' : 'f'))),
    Buffer.concat(payloads),
    array(starts),
    array(events.map((event) => event.data.length)),
    array(events.map((event) => event.metadata.length)),
    array(events.map((event) => event.created)),
  ];
  return { name: 'eventstore_insert', text: INSERT, values };
};

import { millisecondsOf, NO_REVISION, type StoredEvent } from './event.ts';

/** The part of a stream's metadata that determines which events are readable. */
export type StreamMetadata = Readonly<{
  maxCount: number | undefined;
  /** In seconds. */
  maxAge: number | undefined;
  /** First readable revision; `Infinity` once the stream is soft-deleted. */
  truncateBefore: number | undefined;
  json: Buffer | undefined;
}>;

export const NO_METADATA: StreamMetadata = { maxCount: undefined, maxAge: undefined, truncateBefore: undefined, json: undefined };

/** Only the last event of a metastream is readable. */
export const METASTREAM_METADATA: StreamMetadata = { ...NO_METADATA, maxCount: 1 };

// A JavaScript number rounds 2^63 - 1, so compare with a lower limit.
const SOFT_DELETED_FROM = 9.2e18;
const TRUNCATE_BEFORE = /"\$tb"\s*:\s*\d+/;

export const SOFT_DELETED_JSON = Buffer.from('{"$tb":9223372036854775807}');

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;

/** Parses the data of a `$metadata` event. Anything but a JSON object counts as empty metadata. */
export const parseStreamMetadata = (json: Buffer): StreamMetadata => {
  let fields: unknown;
  try {
    fields = JSON.parse(json.toString());
  } catch {
    return { ...NO_METADATA, json };
  }
  if (typeof fields !== 'object' || fields === null) return { ...NO_METADATA, json };
  const of = (name: string): number | undefined => numberOf(Object.getOwnPropertyDescriptor(fields, name)?.value);
  const truncateBefore = of('$tb');
  return {
    maxCount: of('$maxCount'),
    maxAge: of('$maxAge'),
    truncateBefore: truncateBefore !== undefined && truncateBefore >= SOFT_DELETED_FROM ? Number.POSITIVE_INFINITY : truncateBefore,
    json,
  };
};

export const isSoftDeleted = (metadata: StreamMetadata): boolean => metadata.truncateBefore === Number.POSITIVE_INFINITY;

/** The metadata of a soft-deleted stream that is recreated at `revision`. Keeps the other properties. */
export const recreatedFrom = (metadata: StreamMetadata, revision: number): Buffer => {
  const truncation = `"$tb":${revision}`;
  const json = metadata.json?.toString();
  return Buffer.from(json && TRUNCATE_BEFORE.test(json) ? json.replace(TRUNCATE_BEFORE, truncation) : `{${truncation}}`);
};

/** The readable events of a stream. */
export type ReadableRange = Readonly<{ firstRevision: number; isReadable: (event: StoredEvent) => boolean }>;

export const readableRange = (metadata: StreamMetadata, lastRevision: number, now: number): ReadableRange => {
  const byCount = metadata.maxCount === undefined ? 0 : lastRevision - metadata.maxCount + 1;
  const firstRevision = Math.max(0, byCount, metadata.truncateBefore ?? 0);
  const oldest = metadata.maxAge === undefined ? NO_REVISION : now - metadata.maxAge * 1000;
  return {
    firstRevision,
    isReadable: (event) => event.revision >= firstRevision && (oldest < 0 || millisecondsOf(event.created) >= oldest),
  };
};

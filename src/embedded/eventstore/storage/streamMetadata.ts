import { millisecondsOf, NO_REVISION, type StoredEvent } from './event.ts';
import { type JsonProperties, jsonOf, jsonProperties } from './metadataJson.ts';

/** The part of a stream's metadata that determines which events are readable. */
export type StreamMetadata = Readonly<{
  /** Positive. */
  maxCount: number | undefined;
  /** In seconds; positive. */
  maxAge: number | undefined;
  /** First readable revision; `Infinity` once the stream is soft-deleted. */
  truncateBefore: number | undefined;
  /** The data of the `$metadata` event; undefined where it is ignored. */
  json: Buffer | undefined;
}>;

export const NO_METADATA: StreamMetadata = { maxCount: undefined, maxAge: undefined, truncateBefore: undefined, json: undefined };

/** Only the last event of a metastream is readable. */
export const METASTREAM_METADATA: StreamMetadata = { ...NO_METADATA, maxCount: 1 };

/** `$tb` of a soft-deleted stream. */
const DELETED = 2n ** 63n - 1n;
const SMALLEST = -(2n ** 63n);
/** The longest time span of .NET, in seconds. */
const LONGEST_AGE = 922_337_203_685n;

export const SOFT_DELETED_JSON = Buffer.from(`{"$tb":${DELETED}}`);

const INTEGER = /^-?\d+$/;

const isInteger = (text: string): boolean => INTEGER.test(text) && BigInt(text) <= DELETED && BigInt(text) >= SMALLEST;
const isAge = (text: string): boolean => isInteger(text) && BigInt(text) <= LONGEST_AGE && BigInt(text) >= -LONGEST_AGE;

const ROLES_OF: ReadonlySet<string> = new Set(['$r', '$w', '$d', '$mr', '$mw']);
const isRoles = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((role) => typeof role === 'string'));
const isAcl = (text: string): boolean => {
  const value: unknown = JSON.parse(text);
  return (
    jsonProperties(text) !== undefined &&
    Object.entries(Object(value)).every(([name, roles]) => ROLES_OF.has(name) && isRoles(roles))
  );
};

/** The system properties, and whether their JSON text has the type that EventStoreDB requires. */
const SYSTEM_PROPERTIES: Readonly<Record<string, (text: string) => boolean>> = {
  $maxCount: isInteger,
  $maxAge: isAge,
  $tb: isInteger,
  $tmp: (text) => text === 'true' || text === 'false',
  $cacheControl: isAge,
  $acl: isAcl,
};

const hasValidTypes = (properties: JsonProperties): boolean =>
  Object.entries(SYSTEM_PROPERTIES).every(([name, isValid]) => {
    const text = properties.get(name);
    return text === undefined || isValid(text);
  });

/**
 * Parses the data of a `$metadata` event as EventStoreDB does: data that is not a JSON object, or with a system property of the wrong
 * type, counts as empty metadata. Limits that are not positive do not apply.
 */
export const parseStreamMetadata = (data: Buffer, isJson: boolean): StreamMetadata => {
  const properties = isJson ? jsonProperties(data.toString()) : undefined;
  if (!properties || !hasValidTypes(properties)) return NO_METADATA;
  const atLeast = (least: bigint, name: string): bigint | undefined => {
    const value = BigInt(properties.get(name) ?? least - 1n);
    return value >= least ? value : undefined;
  };
  const numberOf = (value: bigint | undefined): number | undefined => (value === undefined ? undefined : Number(value));
  const truncateBefore = atLeast(0n, '$tb');
  return {
    maxCount: numberOf(atLeast(1n, '$maxCount')),
    maxAge: numberOf(atLeast(1n, '$maxAge')),
    truncateBefore: truncateBefore === DELETED ? Number.POSITIVE_INFINITY : numberOf(truncateBefore),
    json: data,
  };
};

export const isSoftDeleted = (metadata: StreamMetadata): boolean => metadata.truncateBefore === Number.POSITIVE_INFINITY;

/** The metadata of a soft-deleted stream that is recreated at `revision`. Keeps the other properties. */
export const recreatedFrom = (metadata: StreamMetadata, revision: number): Buffer => {
  const properties = new Map(jsonProperties(metadata.json?.toString() ?? ''));
  return Buffer.from(jsonOf(properties.set('$tb', String(revision))));
};

/** The readable events of a stream. */
export type ReadableRange = Readonly<{ firstRevision: number; isReadable: (event: StoredEvent) => boolean }>;

/** The revisions that a stream's metadata leave readable. `now` is in ms since 1970. */
export const readableRange = (metadata: StreamMetadata, lastRevision: number, now: number): ReadableRange => {
  const byCount = metadata.maxCount === undefined ? 0 : lastRevision - metadata.maxCount + 1;
  const firstRevision = Math.max(0, byCount, metadata.truncateBefore ?? 0);
  const oldest = metadata.maxAge === undefined ? NO_REVISION : now - metadata.maxAge * 1000;
  return {
    firstRevision,
    isReadable: (event) => event.revision >= firstRevision && (oldest < 0 || millisecondsOf(event.created) >= oldest),
  };
};

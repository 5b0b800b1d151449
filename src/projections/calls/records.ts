import type { Service } from '../../domain/enumerations.ts';

/** Seconds that a bit of a chunk's `early` and `late` covers, and how many of them each has. */
export const QUARTER_SECONDS = 900;
export const HALF_DAY = 48;

const SERVICE_BITS: Readonly<Record<Service, number>> = { jira: 1, azdo: 2, confluence: 4 };
const DIGEST_BYTES = 2;
/** The user, instance, operation and status of a record with one call. */
const DIGESTS_OF_ONE = 4;

export const serviceBit = (service: Service): number => SERVICE_BITS[service];

/** What a filter can look for in the index. */
export type Property = 'user' | 'instance' | 'operation' | 'status';

const SEEDS: Readonly<Record<Property, number>> = {
  user: 0x811c9dc5,
  instance: 0x01000193,
  operation: 0x9e3779b9,
  status: 0x85ebca6b,
};

/**
 * 16 bits that stand for a value: the index has them to skip events without it. Different values may have the same, so a call that is
 * found by them is compared as well.
 */
export const digestOf = (property: Property, value: string): number => {
  let hash = SEEDS[property];
  for (let index = 0; index < value.length; index++) hash = Math.imul(hash ^ value.charCodeAt(index), 0x01000193);
  hash ^= hash >>> 15;
  return (hash ^ (hash >>> 16)) & 0xffff;
};

/** The calls that were made in one second of the day. */
export type Second = { second: number; calls: number; errors: number };

/** The indexes of counted calls in an event, whose flushes are taken as one list: ranges are inclusive and ascending. */
export type CallRanges = readonly (readonly [first: number, last: number])[];

/** What the index knows about the calls of one event that were made on one day. */
export type CallRecord = Readonly<{
  /** The days from the one of the calls to the one of the event's stream. */
  daysLater: number;
  revision: number;
  /** The services' bits. */
  services: number;
  digests: Iterable<number>;
  /** The counted calls; null if all calls of the day are. */
  ranges: CallRanges | null;
  /** At least one, ascending. */
  seconds: readonly Second[];
}>;

let buffer = Buffer.allocUnsafe(1 << 16);
let end = 0;

const ensure = (bytes: number): void => {
  if (end + bytes <= buffer.length) return;
  const larger = Buffer.allocUnsafe(Math.max(2 * buffer.length, end + bytes));
  buffer.copy(larger, 0, 0, end);
  buffer = larger;
};

const LONGEST_NUMBER = 8;

/** Seven bits a byte, the lowest first. */
const putNumber = (value: number): void => {
  ensure(LONGEST_NUMBER);
  let rest = value;
  while (rest > 127) {
    buffer[end++] = (rest % 128) + 128;
    rest = Math.floor(rest / 128);
  }
  buffer[end++] = rest;
};

const putDigests = (digests: readonly number[]): void => {
  ensure(DIGEST_BYTES * digests.length);
  for (const digest of digests) end = buffer.writeUInt16LE(digest, end);
};

const putRanges = (ranges: CallRanges): void => {
  putNumber(ranges.length);
  let next = 0;
  for (const [first, last] of ranges) {
    putNumber(first - next);
    putNumber(last - first);
    next = last + 1;
  }
};

const putSeconds = (seconds: readonly Second[]): void => {
  let next = 0;
  for (const { second, calls, errors } of seconds) {
    putNumber(second - next);
    putNumber(2 * calls + (errors > 0 ? 1 : 0));
    if (errors > 0) putNumber(errors);
    next = second + 1;
  }
};

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

const PARTIAL = 4;
const SINGLE = 2;
const FAILED = 1;

/**
 * The bytes of a record: a head with the days, the services and flags, the revision, the digests, the ranges, and the seconds after
 * their length. One call takes about 14 bytes, and each further second of an event two to three.
 */
export const encodeRecord = ({ daysLater, revision, services, digests, ranges, seconds }: CallRecord): Buffer => {
  end = 0;
  const known = [...digests];
  const [first] = seconds;
  const isSingle = ranges === null && seconds.length === 1 && first?.calls === 1 && known.length === DIGESTS_OF_ONE;
  const hasFailed = seconds.some(({ errors }) => errors > 0);
  putNumber(64 * zigzag(daysLater) + 8 * services + (ranges ? PARTIAL : 0) + (isSingle ? SINGLE : 0) + (hasFailed ? FAILED : 0));
  putNumber(revision);
  if (isSingle) {
    putDigests(known);
    putNumber(first.second);
  } else {
    putNumber(known.length);
    putDigests(known);
    if (ranges) putRanges(ranges);
    const header = Buffer.from(buffer.subarray(0, end));
    end = 0;
    putSeconds(seconds);
    const body = Buffer.from(buffer.subarray(0, end));
    end = 0;
    putNumber(body.length);
    return Buffer.concat([header, buffer.subarray(0, end), body]);
  }
  return Buffer.from(buffer.subarray(0, end));
};

/** An event with calls that a search looks for. */
export type FoundRecord = {
  daysLater: number;
  revision: number;
  ranges: CallRanges | null;
  /** Its counted calls of the day. */
  calls: number;
};

/** What a search looks for in the records of a day. */
export type Wanted = Readonly<{
  digests: readonly number[];
  /** The bits of the services; all of them where the service does not matter. */
  services: number;
  /** Only seconds with failed calls. */
  isFailed: boolean;
  /** Seconds of the day, inclusive. */
  from: number;
  to: number;
}>;

/** All services. */
export const ANY_SERVICE = 7;

/**
 * Calls back with each second of the records that may contain a call that is looked for. Every record that contains one is found;
 * some are found that do not.
 */
export const searchRecords = (
  bytes: Buffer,
  wanted: Wanted,
  found: (second: number, record: FoundRecord, calls: number) => void,
): void => {
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const nextRanges = (): CallRanges => {
    let from = 0;
    return Array.from({ length: next() }, () => {
      const first = from + next();
      const last = first + next();
      from = last + 1;
      return [first, last] as const;
    });
  };
  const hasDigests = (count: number): boolean => {
    const until = at + DIGEST_BYTES * count;
    const all = wanted.digests.every((digest) => {
      for (let digestAt = at; digestAt < until; digestAt += DIGEST_BYTES) if (bytes.readUInt16LE(digestAt) === digest) return true;
      return false;
    });
    at = until;
    return all;
  };

  while (at < bytes.length) {
    const head = next();
    const days = Math.floor(head / 64);
    const daysLater = days % 2 === 1 ? -(days + 1) / 2 : days / 2;
    const revision = next();
    const fits = ((head >> 3) & 7 & wanted.services) !== 0 && (!wanted.isFailed || (head & FAILED) !== 0);
    if ((head & SINGLE) !== 0) {
      const isFound = hasDigests(DIGESTS_OF_ONE) && fits;
      const second = next();
      if (isFound && second >= wanted.from && second <= wanted.to)
        found(second, { daysLater, revision, ranges: null, calls: 1 }, 1);
      continue;
    }
    const isFound = hasDigests(next()) && fits;
    const ranges = (head & PARTIAL) !== 0 ? nextRanges() : null;
    const until = next() + at;
    if (!isFound) {
      at = until;
      continue;
    }
    const record: FoundRecord = { daysLater, revision, ranges, calls: 0 };
    for (let second = 0; at < until; second += 1) {
      second += next();
      const count = next();
      const calls = Math.floor(count / 2);
      const errors = count % 2 === 1 ? next() : 0;
      record.calls += calls;
      if (second < wanted.from || second > wanted.to || (wanted.isFailed && errors === 0)) continue;
      found(second, record, wanted.isFailed ? errors : calls);
    }
  }
};

const ALL: Wanted = { digests: [], services: ANY_SERVICE, isFailed: false, from: 0, to: Number.POSITIVE_INFINITY };

/** The events of a chunk with calls of its day, in the order in which they were counted. */
export const recordsIn = (bytes: Buffer): FoundRecord[] => {
  const records = new Set<FoundRecord>();
  searchRecords(bytes, ALL, (_second, record) => records.add(record));
  return [...records];
};

/** The bits of seconds of a day in a chunk's `early` and `late`. */
export const quartersOf = (seconds: Iterable<number>): { early: number; late: number } => {
  const quarters = new Set<number>();
  for (const second of seconds) quarters.add(Math.floor(second / QUARTER_SECONDS));
  let [early, late] = [0, 0];
  for (const quarter of quarters) {
    if (quarter < HALF_DAY) early += 2 ** quarter;
    else late += 2 ** (quarter - HALF_DAY);
  }
  return { early, late };
};

const TWO_TO_24 = 2 ** 24;

/** The bits of both numbers of 48 bits. */
export const either = (one: number, other: number): number =>
  (Math.floor(one / TWO_TO_24) | Math.floor(other / TWO_TO_24)) * TWO_TO_24 + ((one % TWO_TO_24) | (other % TWO_TO_24));

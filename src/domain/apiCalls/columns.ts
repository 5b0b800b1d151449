import type { Service } from '../enumerations.ts';
import { createInstants } from '../instant.ts';
import type { CallFlush, RecordedCall } from './events.ts';

type Call = RecordedCall | null;
type Instance = readonly [service: Service, instanceUrl: string];

/**
 * Calls as one list per property, and each distinct text once: they are numerous and repetitive. `instance` and `operation` contain
 * indexes into `instances` and `operations`.
 */
export type CallColumns = Readonly<{
  instances: readonly Instance[];
  operations: readonly string[];
  /** Null for a rejected call, whose values in the other lists are 0. */
  instance: readonly (number | null)[];
  operation: readonly number[];
  /** 0 for no status. */
  status: readonly number[];
  durationMs: readonly number[];
  /** ms since 1970; the time of a call is `after` ms later. */
  start: number;
  after: readonly number[];
  /** Indexes of the calls that failed, ascending. */
  failed: readonly number[];
}>;

/** The calls of one flush: `count` of the columns' calls from index `from` on. */
export type CallSlice = Readonly<{ columns: CallColumns; from: number; count: number }>;

const LAST_INSTANT = 8.64e15;
const instants = createInstants();

/** Parses any format of an instant to ms since 1970. Throws a RangeError if it is none. */
export const timeOf = (at: string): number => {
  const exact = instants.read(at);
  const ms = Number.isNaN(exact) ? Date.parse(at) : exact;
  if (Number.isNaN(ms)) throw new RangeError(`ApiCallsRecorded has the time ${at}, which is no instant`);
  return ms;
};

/** Returns the index of a text; calls `add` for each new text. */
const createIndex = (add: (text: string) => number): ((text: string) => number) => {
  const known = new Map<string, number>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const index = add(text);
    known.set(text, index);
    return index;
  };
};

/** Converts the calls of all flushes, in order, to columns. Throws for an invalid time. */
export const columnsOf = (flushes: readonly (readonly Call[])[]): CallColumns => {
  const [instances, operations]: [Instance[], string[]] = [[], []];
  const instancesOf = (service: Service) => createIndex((url) => instances.push([service, url]) - 1);
  const instanceIndexOf = { jira: instancesOf('jira'), azdo: instancesOf('azdo'), confluence: instancesOf('confluence') };
  const operationIndexOf = createIndex((text) => operations.push(text) - 1);
  const instance: (number | null)[] = [];
  const [operation, status, durationMs, after]: [number[], number[], number[], number[]] = [[], [], [], []];
  const failed: number[] = [];
  let start: number | null = null;
  for (const calls of flushes) {
    for (const call of calls) {
      if (call?.ok === false) failed.push(instance.length);
      const at = call ? timeOf(call.at) : null;
      start ??= at;
      instance.push(call && instanceIndexOf[call.service](call.instanceUrl));
      operation.push(call ? operationIndexOf(call.operation) : 0);
      status.push(call?.status ?? 0);
      durationMs.push(call?.durationMs ?? 0);
      after.push(at !== null && start !== null ? at - start : 0);
    }
  }
  return { instances, operations, instance, operation, status, durationMs, start: start ?? 0, after, failed };
};

/** Whether the columns have the same length, and each index and each time exists. */
export const areConsistent = (columns: CallColumns): boolean => {
  const { instances, operations, instance, operation, status, durationMs, start, after, failed } = columns;
  if ([operation, status, durationMs, after].some(({ length }) => length !== instance.length)) return false;
  let previous = -1;
  for (const index of failed) {
    if (index <= previous || index >= instance.length || instance[index] === null) return false;
    previous = index;
  }
  for (let index = 0; index < instance.length; index++) {
    const of = instance[index] ?? null;
    if (of === null) continue;
    if (of >= instances.length || (operation[index] ?? 0) >= operations.length) return false;
    if (!(Math.abs(start + (after[index] ?? 0)) <= LAST_INSTANT)) return false;
  }
  return true;
};

/** The index in `failed` of the first call that failed at or after an index. */
export const failureFrom = ({ failed }: CallColumns, index: number): number => {
  let [low, high] = [0, failed.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((failed[middle] ?? 0) < index) low = middle + 1;
    else high = middle;
  }
  return low;
};

const callsOf = ({ columns, from, count }: CallSlice): Call[] => {
  const { instances, operations, instance, operation, status, durationMs, start, after, failed } = columns;
  let failure = failureFrom(columns, from);
  return Array.from({ length: count }, (_, place): Call => {
    const index = from + place;
    const [service, instanceUrl] = instances[instance[index] ?? -1] ?? [];
    if (service === undefined || instanceUrl === undefined) return null;
    const ok = failed[failure] !== index;
    if (!ok) failure += 1;
    return {
      service,
      instanceUrl,
      operation: operations[operation[index] ?? 0] ?? '',
      ok,
      status: status[index] || null,
      durationMs: durationMs[index] ?? 0,
      at: instants.write(start + (after[index] ?? 0)),
    };
  });
};

const slices = new WeakMap<CallFlush, CallSlice>();

/** A flush with the calls of consistent columns. They become objects when they are first read: most readers only count them. */
export const flushOf = (source: Omit<CallFlush, 'calls'>, slice: CallSlice): CallFlush => {
  let calls: Call[] | undefined;
  const flush: CallFlush = {
    ...source,
    get calls() {
      calls ??= callsOf(slice);
      return calls;
    },
  };
  slices.set(flush, slice);
  return flush;
};

/** The calls of a flush as columns: those that it was made of, or else converted. Throws for an invalid time. */
export const sliceOf = (flush: CallFlush): CallSlice => {
  const known = slices.get(flush);
  if (known) return known;
  const slice = { columns: columnsOf([flush.calls]), from: 0, count: flush.calls.length };
  slices.set(flush, slice);
  return slice;
};

/** How many calls a flush has, rejected ones included. */
export const lengthOf = (flush: CallFlush): number => slices.get(flush)?.count ?? flush.calls.length;

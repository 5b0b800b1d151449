import type { RecordedCall } from '../../domain/apiCalls/events.ts';
import type { Service } from '../../domain/credential/events.ts';
import { createInstants } from '../../domain/instant.ts';

type Call = RecordedCall | null;
type Instance = readonly [service: Service, instanceUrl: string];

/**
 * The stored form of calls: one list per property, and each distinct text once. Calls are numerous and repetitive, so this takes a
 * tenth of the bytes, and of the CPU time to transfer them.
 */
export type CallLists = Readonly<{
  /** Distinct values; `instance` and `operation` contain indexes into `instances` and `operations`. */
  instances: readonly Instance[];
  operations: readonly string[];
  /** ISO-8601 UTC; the time of a call is `after` ms later. */
  from: string;
  /** Null for a rejected call, whose values in the other lists are 0. */
  instance: readonly (number | null)[];
  operation: readonly number[];
  /** 0 for no status. */
  status: readonly number[];
  durationMs: readonly number[];
  after: readonly number[];
  /** Indexes of the calls that failed, ascending. */
  failed: readonly number[];
}>;

/** How many fields `CallLists` has. */
export const LISTS = 9;
const NO_TIME = '1970-01-01T00:00:00.000Z';

const instants = createInstants();

export const refuse = (): never => {
  throw new Error('Not the data of ApiCallsRecorded');
};

const isService = (value: unknown): value is Service => value === 'jira' || value === 'azdo' || value === 'confluence';

export const isText = (value: unknown): value is string => typeof value === 'string';

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

export const isCount = (value: unknown): value is number => isWhole(value) && value >= 0;

export const isListOf = <Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] =>
  Array.isArray(value) && value.every(isItem);

const isInstance = (value: unknown): value is Instance =>
  Array.isArray(value) && value.length === 2 && isService(value[0]) && isText(value[1]);

const isIndexOrNull = (value: unknown): value is number | null => value === null || isCount(value);

/** Hand-written, because a zod schema would dominate the cost of decoding. */
export const isCallLists = (value: object): value is CallLists =>
  'instances' in value &&
  isListOf(value.instances, isInstance) &&
  'operations' in value &&
  isListOf(value.operations, isText) &&
  'from' in value &&
  isText(value.from) &&
  'instance' in value &&
  isListOf(value.instance, isIndexOrNull) &&
  'operation' in value &&
  isListOf(value.operation, isCount) &&
  'status' in value &&
  isListOf(value.status, isCount) &&
  'durationMs' in value &&
  isListOf(value.durationMs, isCount) &&
  'after' in value &&
  isListOf(value.after, isWhole) &&
  'failed' in value &&
  isListOf(value.failed, isCount);

export const isCall = (call: unknown): call is RecordedCall =>
  typeof call === 'object' &&
  call !== null &&
  'service' in call &&
  isService(call.service) &&
  'instanceUrl' in call &&
  isText(call.instanceUrl) &&
  'operation' in call &&
  isText(call.operation) &&
  'ok' in call &&
  typeof call.ok === 'boolean' &&
  'status' in call &&
  (call.status === null || (isCount(call.status) && call.status > 0)) &&
  'durationMs' in call &&
  isCount(call.durationMs) &&
  'at' in call &&
  isText(call.at);

/** Parses any format of an instant to ms since 1970. */
const timeOf = (at: string): number => {
  const exact = instants.read(at);
  const ms = Number.isNaN(exact) ? Date.parse(at) : exact;
  return Number.isNaN(ms) ? refuse() : ms;
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

/** Converts the calls of all flushes, in order, to lists. Throws for an invalid time. */
export const listsOf = (flushes: readonly (readonly Call[])[]): CallLists => {
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
  const from = start === null ? NO_TIME : instants.write(start);
  return { instances, operations, from, instance, operation, status, durationMs, after, failed };
};

/** Texts that are kept, of any event. */
const MAX_TEXTS = 2_000;
let texts = new Map<string, string>();

/** The same string object for equal texts of different events: comparing identical strings does not read them. */
const shared = (text: string): string => {
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= MAX_TEXTS) texts = new Map();
  texts.set(text, text);
  return text;
};

/** Converts lists to calls. Throws if the lists are inconsistent. */
export const callsOf = (lists: CallLists): Call[] => {
  const { instance, operation, status, durationMs, after, failed } = lists;
  const instances = lists.instances.map(([service, url]): Instance => [service, shared(url)]);
  const operations = lists.operations.map(shared);
  if ([operation, status, durationMs, after].some(({ length }) => length !== instance.length)) return refuse();
  const start = timeOf(lists.from);
  let failures = 0;
  const calls = instance.map((instanceIndex, index): Call => {
    if (instanceIndex === null) return null;
    const [service, instanceUrl] = instances[instanceIndex] ?? refuse();
    const ok = failed[failures] !== index;
    if (!ok) failures += 1;
    return {
      service,
      instanceUrl,
      operation: operations[operation[index] ?? 0] ?? refuse(),
      ok,
      status: status[index] || null,
      durationMs: durationMs[index] ?? 0,
      at: instants.write(start + (after[index] ?? 0)),
    };
  });
  return failures === failed.length ? calls : refuse();
};

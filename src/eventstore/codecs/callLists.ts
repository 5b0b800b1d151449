import { areConsistent, type CallColumns, columnsOf, timeOf } from '../../domain/apiCalls/columns.ts';
import type { CallFlush, RecordedCall } from '../../domain/apiCalls/events.ts';
import { isService } from '../../domain/enumerations.ts';
import { createInstants } from '../../domain/instant.ts';

type Instance = CallColumns['instances'][number];

/**
 * The stored form of calls: their columns take a tenth of the bytes of objects, and of the CPU time to transfer them. `from` is the
 * columns' start as ISO-8601 UTC.
 */
export type CallLists = Omit<CallColumns, 'start'> & Readonly<{ from: string }>;

/** How many fields `CallLists` has. */
export const LISTS = 9;

const instants = createInstants();

export const refuse = (): never => {
  throw new Error('Not the data of ApiCallsRecorded');
};

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

/** Converts the calls of all flushes, in order, to lists. Throws for an invalid time. */
export const listsOf = (flushes: readonly CallFlush['calls'][]): CallLists => {
  const { instances, operations, start, ...lists } = columnsOf(flushes);
  return { instances, operations, from: instants.write(start), ...lists };
};

/** Texts that are kept, of any event. */
const MAX_TEXTS = 2_000;
let texts = new Map<string, string>();

/** Returns one string object for equal texts of different events: comparing identical strings does not read them. */
const shared = (text: string): string => {
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= MAX_TEXTS) texts = new Map();
  texts.set(text, text);
  return text;
};

/** Converts lists to columns. Throws if the lists are inconsistent. */
export const columnsIn = (lists: CallLists): CallColumns => {
  const { instance, operation, status, durationMs, after, failed } = lists;
  const instances = lists.instances.map(([service, url]): Instance => [service, shared(url)]);
  const start = timeOf(lists.from);
  const columns = {
    instances,
    operations: lists.operations.map(shared),
    instance,
    operation,
    status,
    durationMs,
    start,
    after,
    failed,
  };
  return areConsistent(columns) ? columns : refuse();
};

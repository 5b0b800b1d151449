import type { ApiCallsEvent, ApiCallsRecorded, RecordedCall } from '../../domain/apiCalls/events.ts';
import type { Service } from '../../domain/credential/events.ts';
import { createInstants } from '../../domain/instant.ts';
import { type CategoryCodec, eventCodec } from './codec.ts';
import { isUuid } from './fields.ts';

type Data = ApiCallsRecorded['data'];
type Instance = readonly [service: Service, instanceUrl: string];

/**
 * The event as it stands in the store: a list for each property of its calls, and each text once. There are millions of calls and they
 * are much alike, so this is a tenth of their bytes, and of the work of whoever carries them.
 */
type Stored = Omit<Data, 'calls'> & {
  /** Each once; `instance` and `operation` are indexes into them. */
  instances: readonly Instance[];
  operations: readonly string[];
  /** ISO-8601 UTC; the calls' own times are so many ms `after` it. */
  from: string;
  /** Null where the server rejected a call; of that one the other lists hold a 0. */
  instance: readonly (number | null)[];
  operation: readonly number[];
  /** 0 where there is none. */
  status: readonly number[];
  durationMs: readonly number[];
  after: readonly number[];
  /** Indexes of the calls that failed, ascending. */
  failed: readonly number[];
};

const STORED_FIELDS = 13;
const NO_TIME = '1970-01-01T00:00:00.000Z';

const instants = createInstants();

const refuse = (): never => {
  throw new Error('Not the data of ApiCallsRecorded');
};

const isService = (value: unknown): value is Service => value === 'jira' || value === 'azdo' || value === 'confluence';

const isText = (value: unknown): value is string => typeof value === 'string';

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

const isCount = (value: unknown): value is number => isWhole(value) && value >= 0;

const isListOf = <Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] =>
  Array.isArray(value) && value.every(isItem);

const isInstance = (value: unknown): value is Instance =>
  Array.isArray(value) && value.length === 2 && isService(value[0]) && isText(value[1]);

const isPlace = (value: unknown): value is number | null => value === null || isCount(value);

/** What both forms have in common. By hand, since a schema would cost more than all the rest. */
const isOfSource = (value: unknown): value is Omit<Data, 'calls'> =>
  typeof value === 'object' &&
  value !== null &&
  'customerId' in value &&
  isUuid(value.customerId) &&
  'userId' in value &&
  isUuid(value.userId) &&
  'sourceId' in value &&
  isText(value.sourceId) &&
  'firstSequence' in value &&
  isCount(value.firstSequence);

const isStored = (value: unknown): value is Stored =>
  isOfSource(value) &&
  'instances' in value &&
  isListOf(value.instances, isInstance) &&
  'operations' in value &&
  isListOf(value.operations, isText) &&
  'from' in value &&
  isText(value.from) &&
  'instance' in value &&
  isListOf(value.instance, isPlace) &&
  'operation' in value &&
  isListOf(value.operation, isCount) &&
  'status' in value &&
  isListOf(value.status, isCount) &&
  'durationMs' in value &&
  isListOf(value.durationMs, isCount) &&
  'after' in value &&
  isListOf(value.after, isWhole) &&
  'failed' in value &&
  isListOf(value.failed, isCount) &&
  Object.keys(value).length === STORED_FIELDS;

const isCall = (call: unknown): call is RecordedCall =>
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

const isData = (value: unknown): value is Data =>
  isOfSource(value) &&
  'calls' in value &&
  Array.isArray(value.calls) &&
  value.calls.every((call: unknown) => call === null || isCall(call));

/** ms since 1970, of any spelling of an instant. */
const timeOf = (at: string): number => {
  const exact = instants.read(at);
  const ms = Number.isNaN(exact) ? Date.parse(at) : exact;
  return Number.isNaN(ms) ? refuse() : ms;
};

/** Gives every text that was not there before the place that `add` says. */
const createPlaces = (add: (text: string) => number): ((text: string) => number) => {
  const known = new Map<string, number>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const place = add(text);
    known.set(text, place);
    return place;
  };
};

const store = (data: unknown): Stored => {
  if (!isData(data)) return refuse();
  const { customerId, userId, sourceId, firstSequence, calls } = data;
  const [instances, operations]: [Instance[], string[]] = [[], []];
  const instancesOf = (service: Service) => createPlaces((url) => instances.push([service, url]) - 1);
  const placeOf = { jira: instancesOf('jira'), azdo: instancesOf('azdo'), confluence: instancesOf('confluence') };
  const placeOfOperation = createPlaces((text) => operations.push(text) - 1);
  const instance: (number | null)[] = [];
  const [operation, status, durationMs, after]: [number[], number[], number[], number[]] = [[], [], [], []];
  const failed: number[] = [];
  const start = timeOf(calls.find((call) => call !== null)?.at ?? NO_TIME);
  for (const call of calls) {
    if (call?.ok === false) failed.push(instance.length);
    instance.push(call && placeOf[call.service](call.instanceUrl));
    operation.push(call ? placeOfOperation(call.operation) : 0);
    status.push(call?.status ?? 0);
    durationMs.push(call?.durationMs ?? 0);
    after.push(call ? timeOf(call.at) - start : 0);
  }
  const from = instants.write(start);
  const lists = { instance, operation, status, durationMs, after, failed };
  return { customerId, userId, sourceId, firstSequence, instances, operations, from, ...lists };
};

const parse = (stored: unknown): Data => {
  if (!isStored(stored)) return refuse();
  const { customerId, userId, sourceId, firstSequence, instances, operations, instance, operation, status, after, failed } = stored;
  if ([operation, status, stored.durationMs, after].some(({ length }) => length !== instance.length)) return refuse();
  const start = timeOf(stored.from);
  let failures = 0;
  const calls = instance.map((place, index): RecordedCall | null => {
    if (place === null) return null;
    const [service, instanceUrl] = instances[place] ?? refuse();
    const ok = failed[failures] !== index;
    if (!ok) failures += 1;
    return {
      service,
      instanceUrl,
      operation: operations[operation[index] ?? 0] ?? refuse(),
      ok,
      status: status[index] || null,
      durationMs: stored.durationMs[index] ?? 0,
      at: instants.write(start + (after[index] ?? 0)),
    };
  });
  return failures === failed.length ? { customerId, userId, sourceId, firstSequence, calls } : refuse();
};

export const apiCallsCodec: CategoryCodec<ApiCallsEvent> = {
  ownerOf: () => null,
  events: { ApiCallsRecorded: eventCodec({ 1: { sealed: [], parse, store } }) },
};

import { flushOf } from '../../domain/apiCalls/columns.ts';
import type { ApiCallsEvent, ApiCallsRecorded, CallFlush } from '../../domain/apiCalls/events.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { isUuid } from '../../domain/ids.ts';
import { type CallLists, columnsIn, isCall, isCallLists, isCount, isListOf, isText, LISTS, listsOf, refuse } from './callLists.ts';
import { type CategoryCodec, eventCodec } from './codec.ts';

type Data = ApiCallsRecorded['data'];
type Source = Omit<CallFlush, 'calls'>;
/** `count` calls of the lists belong to this flush, after those of the previous flush. */
type StoredFlush = Source & Readonly<{ count: number }>;

/** Stored data of version 1: an event contains one flush. */
type Stored1 = CallLists & Source & Readonly<{ customerId: CustomerId }>;
const FIELDS_1 = LISTS + 4;

/** Stored data of version 2. All flushes share the lists, so that each distinct text is stored once. */
type Stored2 = CallLists & Readonly<{ customerId: CustomerId; flushes: readonly StoredFlush[] }>;
const FIELDS_2 = LISTS + 2;
const FLUSH_FIELDS = 4;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isOfCustomer = (value: object): value is { customerId: CustomerId } => 'customerId' in value && isUuid(value.customerId);

const isSource = (value: object): value is Source =>
  'userId' in value &&
  isUuid(value.userId) &&
  'sourceId' in value &&
  isText(value.sourceId) &&
  'firstSequence' in value &&
  isCount(value.firstSequence);

const isStored1 = (value: unknown): value is Stored1 =>
  isObject(value) && isOfCustomer(value) && isSource(value) && isCallLists(value) && Object.keys(value).length === FIELDS_1;

const isStoredFlush = (value: unknown): value is StoredFlush =>
  isObject(value) && isSource(value) && 'count' in value && isCount(value.count) && Object.keys(value).length === FLUSH_FIELDS;

const isStored2 = (value: unknown): value is Stored2 =>
  isObject(value) &&
  isOfCustomer(value) &&
  'flushes' in value &&
  isListOf(value.flushes, isStoredFlush) &&
  isCallLists(value) &&
  Object.keys(value).length === FIELDS_2;

const isFlush = (value: unknown): value is CallFlush =>
  isObject(value) &&
  isSource(value) &&
  'calls' in value &&
  Array.isArray(value.calls) &&
  value.calls.every((call: unknown) => call === null || isCall(call));

const isData = (value: unknown): value is Data =>
  isObject(value) && isOfCustomer(value) && 'flushes' in value && isListOf(value.flushes, isFlush);

const parse1 = (stored: unknown): Data => {
  if (!isStored1(stored)) return refuse();
  const { customerId, userId, sourceId, firstSequence } = stored;
  const columns = columnsIn(stored);
  return {
    customerId,
    flushes: [flushOf({ userId, sourceId, firstSequence }, { columns, from: 0, count: columns.instance.length })],
  };
};

const store = (data: unknown): Stored2 => {
  if (!isData(data)) return refuse();
  const flushes = data.flushes.map(({ userId, sourceId, firstSequence, calls }) => ({
    userId,
    sourceId,
    firstSequence,
    count: calls.length,
  }));
  return { customerId: data.customerId, flushes, ...listsOf(data.flushes.map(({ calls }) => calls)) };
};

const parse2 = (stored: unknown): Data => {
  if (!isStored2(stored)) return refuse();
  const columns = columnsIn(stored);
  let from = 0;
  const flushes = stored.flushes.map(({ userId, sourceId, firstSequence, count }): CallFlush => {
    const slice = { columns, from, count };
    from += count;
    return flushOf({ userId, sourceId, firstSequence }, slice);
  });
  return from === columns.instance.length ? { customerId: stored.customerId, flushes } : refuse();
};

export const apiCallsCodec: CategoryCodec<ApiCallsEvent> = {
  ownerOf: () => null,
  events: {
    ApiCallsRecorded: eventCodec({ 1: { sealed: [], parse: parse1 }, 2: { sealed: [], parse: parse2, store } }),
  },
};

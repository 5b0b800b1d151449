import type { ApiCallsEvent, ApiCallsRecorded, RecordedCall } from '../../domain/apiCalls/events.ts';
import { type CategoryCodec, eventCodec } from './codec.ts';
import { isUuid } from './fields.ts';

type Data = ApiCallsRecorded['data'];

const CALL_FIELDS = 7;
const DATA_FIELDS = 5;

const isCall = (call: unknown): call is RecordedCall =>
  typeof call === 'object' &&
  call !== null &&
  'service' in call &&
  (call.service === 'jira' || call.service === 'azdo' || call.service === 'confluence') &&
  'instanceUrl' in call &&
  typeof call.instanceUrl === 'string' &&
  'operation' in call &&
  typeof call.operation === 'string' &&
  'ok' in call &&
  typeof call.ok === 'boolean' &&
  'status' in call &&
  (call.status === null || typeof call.status === 'number') &&
  'durationMs' in call &&
  typeof call.durationMs === 'number' &&
  'at' in call &&
  typeof call.at === 'string' &&
  Object.keys(call).length === CALL_FIELDS;

/** By hand, since this is the one event there are millions of: a twentieth of what a schema costs. */
const isData = (data: unknown): data is Data =>
  typeof data === 'object' &&
  data !== null &&
  'customerId' in data &&
  isUuid(data.customerId) &&
  'userId' in data &&
  isUuid(data.userId) &&
  'sourceId' in data &&
  typeof data.sourceId === 'string' &&
  'firstSequence' in data &&
  Number.isSafeInteger(data.firstSequence) &&
  'calls' in data &&
  Array.isArray(data.calls) &&
  data.calls.every((call) => call === null || isCall(call)) &&
  Object.keys(data).length === DATA_FIELDS;

const parse = (data: unknown): Data => {
  if (!isData(data)) throw new Error('Not the data of ApiCallsRecorded');
  return data;
};

export const apiCallsCodec: CategoryCodec<ApiCallsEvent> = {
  ownerOf: () => null,
  events: { ApiCallsRecorded: eventCodec({ 1: { sealed: [], parse } }) },
};

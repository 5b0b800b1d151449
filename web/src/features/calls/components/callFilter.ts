import { CHART_RANGES, type ChartRange } from '../../../../../src/contracts/chartSpans.ts';
import { SERVICES } from '../../../../../src/domain/enumerations.ts';
import type { Area } from '../../../areas.ts';
import { idIn, oneOf } from '../../../lib/listAddress.ts';
import type { CallFilter } from '../api/calls.ts';

/** The area of a list of calls, and whether its calls are those of several users. */
export type CallFields = Readonly<{ area: Area; hasUsers: boolean }>;

/** The ranges up to now. */
export const RANGES = Object.keys(CHART_RANGES) as ChartRange[]; // the keys of a constant
const ENTITLEMENTS = ['', 'included', 'not_included'] as const;
export const OUTCOMES = ['all', 'successful', 'failed'] as const;

const momentIn = (text: string | null): string =>
  text !== null && text !== '' && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : '';
const numberIn = (text: string | null): string => (text !== null && /^\d{1,8}$/.test(text) ? text : '');
const statusIn = (text: string | null): string => (text !== null && /^([1-5]\d\d|[1-5]xx|none)$/.test(text) ? text : '');

/** The filter of an address. What a user edited into something invalid does not filter. */
export const filterOf = (address: URLSearchParams): CallFilter => {
  const service = oneOf(['', ...SERVICES], address.get('service'), '');
  const entitlement = oneOf(ENTITLEMENTS, address.get('entitlement'), '');
  const [from, to] = [momentIn(address.get('from')), momentIn(address.get('to'))];
  const range = from === '' && to === '' ? oneOf(['', ...RANGES], address.get('window'), '') : '';
  const outcome = oneOf(OUTCOMES, address.get('outcome'), 'all');
  return {
    customerId: idIn(address.get('customer')),
    serviceIntegratorId: idIn(address.get('integrator')),
    userId: idIn(address.get('user')),
    service: service === '' ? undefined : service,
    operation: address.get('operation')?.trim() ?? '',
    instanceUrl: address.get('instance')?.trim() ?? '',
    outcome: outcome === 'all' ? undefined : outcome,
    entitlement: entitlement === '' ? undefined : entitlement,
    status: statusIn(address.get('status')),
    sourceId: address.get('source')?.trim() ?? '',
    minDurationMs: numberIn(address.get('slower')),
    range: range === '' ? undefined : range,
    from,
    to,
    receivedFrom: momentIn(address.get('receivedFrom')),
    receivedTo: momentIn(address.get('receivedTo')),
  };
};

/** The address of a filter that has none. */
export const NO_FILTERS = {
  customer: '',
  integrator: '',
  user: '',
  service: '',
  operation: '',
  instance: '',
  outcome: '',
  status: '',
  entitlement: '',
  source: '',
  slower: '',
  window: '',
  from: '',
  to: '',
  receivedFrom: '',
  receivedTo: '',
};

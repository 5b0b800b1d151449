import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CallSourcesReply, CallsReply, RecordedCallEntry } from '../../../../../src/contracts/calls.ts';
import type { ChartRange } from '../../../../../src/contracts/chartSpans.ts';
import { type Topic, topic } from '../../../../../src/contracts/topics.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { callTexts } from '../texts.ts';

/** The filter of a list of calls; what is empty or undefined does not filter. */
export type CallFilter = {
  customerId: string;
  serviceIntegratorId: string;
  userId: string;
  service: RecordedCallEntry['service'] | undefined;
  operation: string;
  instanceUrl: string;
  outcome: 'successful' | 'failed' | undefined;
  status: string;
  entitlement: 'included' | 'not_included' | undefined;
  sourceId: string;
  minDurationMs: string;
  /** A range up to now, or moments, ISO-8601 UTC. */
  range: ChartRange | undefined;
  from: string;
  to: string;
  /** When the server received the calls. */
  receivedFrom: string;
  receivedTo: string;
};

/** A list of calls: where it is read, and the topic whose changes may add to it. */
export type CallList = Readonly<{ path: string; changes: Topic }>;

/** The calls of all customers that an administrator or a service integrator sees, or of one of them. */
export const callsOf = (area: 'admin' | 'service-integrator', customerId: string): CallList => ({
  path: `/api/${area}/calls`,
  changes: customerId === '' ? topic.calls() : topic.usage(customerId as CustomerId),
});

/** The calls of a customer in the portal: all of them, or those of the named user of the session. */
export const portalCalls = (id: CustomerId, of: 'customer' | 'user'): CallList => ({
  path: of === 'customer' ? '/api/customer/calls' : '/api/customer/own-calls',
  changes: topic.usage(id),
});

const PAGE_SIZE = 50;

/** A page of calls, newest first. The first one is read again when calls arrive; older ones do not change. */
export const callsQuery = ({ path, changes }: CallList, filter: CallFilter, cursor: string, limit = PAGE_SIZE) =>
  queryOptions({
    queryKey: cursor === '' ? [...changes, 'calls', path, filter, limit] : ['older calls', path, filter, cursor, limit],
    queryFn: ({ signal }) =>
      api.get<CallsReply>(path, { query: { ...filter, limit, cursor }, signal, fallback: callTexts.loadFailed }),
    placeholderData: keepPreviousData,
  });

/** Where the sources of a list are; null for calls of several customers, and of one user. */
export const sourcesPathOf = (listPath: string, customerId: string): string | null => {
  if (listPath === '/api/customer/calls') return '/api/customer/call-sources';
  if (customerId === '' || listPath.startsWith('/api/customer/')) return null;
  return `${listPath.slice(0, -'/calls'.length)}/customers/${customerId}/call-sources`;
};

/** Sources of a customer that begin with a text. Below no topic on purpose: each recorded call would read them again. */
export const callSourcesQuery = (path: string, search: string) =>
  queryOptions({
    queryKey: ['call sources', path, search],
    queryFn: ({ signal }) => api.get<CallSourcesReply>(path, { query: { search }, signal, fallback: callTexts.loadFailed }),
    placeholderData: keepPreviousData,
  });

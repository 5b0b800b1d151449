import { lengthOf } from '../domain/apiCalls/columns.ts';
import type { AnyEvent } from '../domain/events.ts';
import type { CustomerId } from '../domain/ids.ts';
import type { GroupDefinition } from './engine/projection.ts';
import type { RecordedEvent } from './engine/recordedEvent.ts';
import { monitoring } from './monitoring/projection.ts';
import { usage } from './usage/projection.ts';
import { openUsageRows, type UsageRows } from './usage/rows.ts';

/** So many calls of an event weigh as much as an event; a flush's own place in the batch as much as some calls. */
const CALLS_PER_WEIGHT = 125;
const CALLS_PER_FLUSH = 8;

/** More than any batch: calls are voided, and customers move, in a batch of their own, when all before are written. */
const WEIGHT_OF_RECOUNT = 1_000_000;

const weigh = (event: AnyEvent): number => {
  if (event.type === 'ApiCallsVoided' || event.type === 'CustomerMoved') return WEIGHT_OF_RECOUNT;
  if (event.type !== 'ApiCallsRecorded') return 1;
  const calls = event.data.flushes.reduce((sum, flush) => sum + CALLS_PER_FLUSH + lengthOf(flush), 0);
  return 1 + Math.floor(calls / CALLS_PER_WEIGHT);
};

const preload = ({ event, subject }: RecordedEvent, rows: UsageRows): void => {
  switch (event.type) {
    case 'ApiCallsRecorded':
      rows.preloadCustomer(event.data.customerId);
      for (const { sourceId } of event.data.flushes) rows.preloadSource(event.data.customerId, sourceId);
      break;
    case 'UserConnected':
    case 'UserDisconnected':
      rows.preloadCustomer(event.data.customerId);
      rows.connections.preload(event.data.connectionId);
      rows.connections.preloadBy('user_id', event.data.userId);
      break;
    case 'ApiCallsVoided':
    case 'LicenseEntitlementsSet':
    case 'CustomerMoved':
      rows.preloadCustomer(subject as CustomerId);
      break;
    case 'CustomerDeleted':
      rows.preloadCustomer(subject as CustomerId); // of a customer's stream
      rows.connections.preloadBy('customer_id', subject);
      break;
  }
};

/** The read models of API calls, apart from the others so that a flood of calls holds up no command. */
export const usageGroup: GroupDefinition<UsageRows> = {
  name: 'usage',
  schema: 'usage',
  categories: ['apiCalls', 'customer', 'userActivity'],
  lingerMs: 100,
  awaited: false,
  announceEveryMs: 1_000,
  slowTopics: new Set(['customers']),
  weigh,
  buildBatch: 4_000,
  lookUpIndexes: new Set(['connection_of_user', 'connection_of_customer']),
  sparseIndexes: new Set(),
  transient: ['second', 'minute', 'hour'],
  projections: [monitoring, usage],
  open: openUsageRows,
  preload,
};

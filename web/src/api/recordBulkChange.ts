import type { BulkChangeReply, FinishBulkChange } from '../../../src/contracts/bulkChanges.ts';
import { api, type RecordOptions } from './client.ts';
import type { CustomerManager } from './customersPath.ts';

const paths = { admin: '/api/admin/bulk-changes', integrator: '/api/service-integrator/bulk-changes' } as const;

/** `POST …/bulk-changes`: one entry of the history for all changes of a bulk action. */
export const recordBulkChange = (
  manager: CustomerManager,
  body: FinishBulkChange,
  options: RecordOptions,
): Promise<BulkChangeReply> => api.post<BulkChangeReply>(paths[manager], body, options);

import { type Log, reasonOf } from '../log.ts';
import { StorageUnavailable } from '../storage/eventReader.ts';
import { StoreClosing } from '../storage/operation.ts';
import type { Store } from '../storage/store.ts';
import { CallError } from './callError.ts';
import type { OpenCalls } from './openCalls.ts';

/** Dependencies of all gRPC handlers. */
export type Service = Readonly<{
  store: Store;
  calls: OpenCalls;
  /** In bytes; see `appendSizeOf`. */
  maxAppendSize: number;
  log: Log;
}>;

/** Logs an error, except for caller errors, a shutdown, and an unreachable database, which is logged elsewhere. */
export const report = ({ log }: Service, call: string, error: unknown): void => {
  if (error instanceof CallError || error instanceof StorageUnavailable || error instanceof StoreClosing) return;
  log('error', `${call} failed: ${error instanceof Error ? (error.stack ?? error.message) : reasonOf(error)}`);
};

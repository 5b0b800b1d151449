import type { DomainEvent } from '../event.ts';
import type { IntegratorId } from '../ids.ts';
import type { BulkChangeKind } from '../limits.ts';
import type { AlertEvent } from './alertEvents.ts';

/**
 * A process of the server started. `replaced` is the version of the start before it, of whichever process; null for the first start.
 * `roles` are those of the process.
 */
export type ServerStarted = DomainEvent<
  'ServerStarted',
  { version: string; replaced: string | null; roles: readonly ('api' | 'projector' | 'embedded')[] }
>;
/** Read models were built again from the first event: those of calls (`usage`), or all others (`main`). */
export type ReadModelsRebuilt = DomainEvent<'ReadModelsRebuilt', { group: 'main' | 'usage' }>;

/**
 * A file was imported. `integratorId` is null for an import of administrators. The counts are those of its lines; `isComplete` is false
 * if it was stopped before the last one.
 */
export type ImportFinished = DomainEvent<
  'ImportFinished',
  {
    integratorId: IntegratorId | null;
    kind: ImportKind;
    file: string;
    created: number;
    changed: number;
    unchanged: number;
    refused: number;
    isComplete: boolean;
  }
>;
/**
 * Several customers, or service integrators, were changed by one action of the console, each by a command of its own with the same
 * correlation id. `integratorId` is null for an action of administrators. `changed` and `refused` are numbers of what was changed.
 */
export type BulkChangeFinished = DomainEvent<
  'BulkChangeFinished',
  { integratorId: IntegratorId | null; kind: BulkChangeKind; changed: number; refused: number }
>;
/** What an imported file has a line for. */
export type ImportKind = 'customers' | 'users';

/** The events of the stream `operations-servers`. */
export type ServerEvent = ServerStarted | ReadModelsRebuilt;
/** The events about the operation of the installation. */
export type OperationsEvent = ServerEvent | AlertEvent | ImportFinished | BulkChangeFinished;

import type { DomainEvent } from '../event.ts';
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

/** The events of the stream `operations-servers`. */
export type ServerEvent = ServerStarted | ReadModelsRebuilt;
/** The events about the operation of the installation. */
export type OperationsEvent = ServerEvent | AlertEvent;

import type { OperationsEvent } from '../../domain/operations/events.ts';
import type { Projection } from '../engine/projection.ts';
import type { MainRows } from '../main/rows.ts';
import { record } from './entries.ts';

/** The operation of the installation belongs to the history of the administration. */
export const operationsEntries = {
  ServerStarted: (recorded, rows) => {
    const { version, replaced, roles } = recorded.event.data;
    record(recorded, rows, { now: { version, roles: roles.join(', ') }, before: replaced === null ? {} : { version: replaced } });
  },
  ReadModelsRebuilt: (recorded, rows) => record(recorded, rows, { now: { group: recorded.event.data.group } }),
} satisfies Exclude<Projection<MainRows>['on']['operations'], 'ignored'> & Record<OperationsEvent['type'], unknown>;

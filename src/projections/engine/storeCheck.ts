import { type EventStore, holds } from '../../eventstore/port.ts';
import type { ProjectionCheckpoint } from './checkpoint.ts';

/**
 * Whether a checkpoint was made from this event store as it is now. A store with the checkpoint's last event at its position has all
 * events before it, whatever its identity is; one that was rolled back ends earlier, or has another event in its place.
 */
export const checkStore = async (
  events: EventStore,
  { position, store, last }: Pick<ProjectionCheckpoint, 'position' | 'store' | 'last'>,
): Promise<{ store: string; differs: string | null }> => {
  const identity = await events.identity();
  if (position === null) return { store: identity, differs: null };
  const found = last ? await holds(events, last) : null;
  if (store !== null && identity !== store && !found) return { store: identity, differs: 'This is a different event store' };
  if (last === null) return { store: identity, differs: null };
  const head = await events.head();
  const rolledBack = head === null || head < last.position || found === false;
  return { store: identity, differs: rolledBack ? 'The event store was rolled back' : null };
};

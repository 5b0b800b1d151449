import type { EventStore, StreamName } from '../../eventstore/port.ts';
import type { Checkpoint } from './checkpoint.ts';

/**
 * Whether a checkpoint was made from this event store as it is now. Another store has another first event; one that was rolled
 * back ends before the checkpoint's last event, or has another event in its place.
 */
export const checkStore = async (
  events: EventStore,
  { position, store, last }: Checkpoint,
): Promise<{ store: string | null; differs: string | null }> => {
  const identity = await events.identity();
  if (position === null) return { store: identity, differs: null };
  if (store !== null && identity !== store) return { store: identity, differs: 'This is a different event store' };
  if (last === null) return { store: identity, differs: null };
  const head = await events.head();
  const rolledBack = head === null || head < last.position || !(await holds(events, last));
  return { store: identity, differs: rolledBack ? 'The event store was rolled back' : null };
};

/** Streams that go with their customer. That one of them is empty proves nothing; the other checks have to do. */
const ERASABLE = /^(credential|userActivity|apiCalls)-/;

const holds = async (events: EventStore, { stream, revision, id }: NonNullable<Checkpoint['last']>): Promise<boolean> => {
  for await (const recorded of events.read(stream as StreamName, { from: revision })) return recorded.id === id;
  return ERASABLE.test(stream);
};

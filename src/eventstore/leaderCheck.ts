import { BACKWARDS, END, type EventStoreDBClient } from '@eventstore/db-client';
import { outageOf } from './outage.ts';
import { withTimeout } from './retry.ts';

const ATTEMPT_MS = 3_500;

/** Whether the node of the client's connection replies that it is not the leader, or that it knows none. */
const deniesLeadership = async (client: EventStoreDBClient): Promise<boolean> => {
  const reading = async (): Promise<void> => {
    const newest = { direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true } as const;
    for await (const _ of client.readAll(newest)); // to its end, because cancelling it closes the connection
  };
  try {
    await withTimeout(ATTEMPT_MS, reading());
    return false;
  } catch (error) {
    return outageOf(error) === 'no_leader';
  }
};

/**
 * Calls `onLost` if the node that `client` is connected to turns out not to be the leader. A subscription must ask: the store checks
 * `requires-leader` only when a subscription opens, and a deposed leader without a connection to the others sends no events and no
 * error. Asks every `everyMs` ms as long as `isQuiet` says that nothing was received since it was last called. Returns the function
 * that ends it.
 */
export const watchLeader = (
  client: EventStoreDBClient,
  { everyMs, isQuiet, onLost }: { everyMs: number; isQuiet: () => boolean; onLost: () => void },
): (() => void) => {
  let asking = false;
  const ask = async (): Promise<void> => {
    if (asking || !isQuiet()) return;
    asking = true;
    if (await deniesLeadership(client)) onLost();
    asking = false;
  };
  const timer = setInterval(() => void ask(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
};

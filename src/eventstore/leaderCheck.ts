import { BACKWARDS, END, type EventStoreDBClient } from '@eventstore/db-client';
import type { StoreNode } from './client.ts';
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

/** A subscription that reads from the leader. */
type Watched = Readonly<{
  client: EventStoreDBClient;
  /** Null while the client is not connected. */
  node: () => StoreNode | null;
  /** Whether nothing was received since it was last called. */
  isQuiet: () => boolean;
  /** Called when its node may not be the leader any more. */
  onLost: () => void;
}>;

/** Asks the nodes of quiet subscriptions whether they still lead. */
export type LeaderCheck = Readonly<{
  watch: (subscription: Watched) => void;
  unwatch: (subscription: Watched) => void;
  /** Calls `onLost` of all subscriptions, because another call was rejected by a node that is not the leader. */
  onNotLeader: () => void;
}>;

/**
 * Subscriptions must ask whether their node leads: the store checks `requires-leader` only when a subscription opens, and a deposed
 * leader without a connection to the others sends no events and no error. Every `everyMs` ms, one quiet subscription of each node asks
 * for all subscriptions of that node.
 */
export const createLeaderCheck = (everyMs: number): LeaderCheck => {
  const watched = new Set<Watched>();
  const asked = new Set<StoreNode>();
  let timer: NodeJS.Timeout | undefined;

  const ask = async (node: StoreNode, subscription: Watched): Promise<void> => {
    asked.add(node);
    // Next time another connection is used, since this one may be half-open.
    watched.delete(subscription);
    watched.add(subscription);
    const isLost = await deniesLeadership(subscription.client);
    asked.delete(node);
    if (isLost) for (const other of [...watched].filter((one) => one.node() === node)) other.onLost();
  };

  const check = (): void => {
    for (const subscription of [...watched].filter(({ isQuiet }) => isQuiet())) {
      const node = subscription.node();
      if (node !== null && !asked.has(node)) void ask(node, subscription);
    }
  };

  return {
    watch: (subscription) => {
      watched.add(subscription);
      timer ??= setInterval(check, everyMs).unref();
    },
    unwatch: (subscription) => {
      watched.delete(subscription);
      if (watched.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
    onNotLeader: () => {
      for (const { onLost } of watched) onLost();
    },
  };
};

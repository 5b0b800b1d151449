import type { Database } from '../database/database.ts';
import type { Notices } from '../database/listen.ts';
import type { ConnectionId, CustomerId } from '../domain/ids.ts';
import { createLeaseQueue } from './leaseQueue.ts';
import { type Connection, leasesOf } from './leases.ts';
import { subscribeToPresence, type UserPresence } from './presence.ts';

export type Connections = Readonly<{
  /** Takes a lease. `taken` if the id belongs to another user; the same user's older socket with that id is replaced. */
  open: (connection: Connection) => Promise<'open' | 'taken'>;
  /** Releases the lease, unless the connection has moved to another node. */
  close: (connection: Connection) => Promise<void>;
  /** A customer moved to another service integrator, which sees its connections from now on. */
  followCustomer: (customerId: CustomerId) => Promise<void>;
  /** Called on every node soon after users connected or disconnected, with their present state. */
  onPresence: (handler: (presence: readonly UserPresence[]) => void) => () => void;
  /** Called for leases of nodes that died. */
  onLost: (handler: (connection: Connection) => void) => () => void;
  /** Called when another node took over one of this node's connections. */
  onMoved: (handler: (connectionId: ConnectionId) => void) => () => void;
  /** Whether leases are being renewed in time. */
  isHealthy: () => boolean;
  start: () => Promise<void>;
  /** Resolves once pending writes are done. */
  stop: () => Promise<void>;
}>;

const LEASE_S = 30;
const RENEW_MS = 10_000;
/** How soon a failed renewal is retried. */
const RETRY_MS = 1_000;
const SWEEP_MS = 5_000;

/** A set of handlers; each is called with every value. */
const handlersOf = <Value>() => {
  const handlers = new Set<(value: Value) => void>();
  return {
    add: (handler: (value: Value) => void) => {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    notify: (value: Value) => {
      for (const handler of handlers) handler(value);
    },
  };
};

/**
 * Leases of open sockets in PostgreSQL, so that every node knows who is connected, and a dead node's leases expire after `leaseS`
 * seconds. `node` names this process.
 */
export const createConnections = ({
  db,
  notices,
  node,
  onError,
  leaseS = LEASE_S,
  renewMs = RENEW_MS,
  sweepMs = SWEEP_MS,
}: {
  db: Database;
  notices: Notices;
  node: string;
  onError: (error: unknown) => void;
  leaseS?: number;
  renewMs?: number;
  sweepMs?: number;
}): Connections => {
  const held = new Map<ConnectionId, Connection>();
  const leases = leasesOf(db, { node, seconds: leaseS });
  const queue = createLeaseQueue(leases.write);
  const presences = handlersOf<readonly UserPresence[]>();
  const losses = handlersOf<Connection>();
  const moves = handlersOf<ConnectionId>();
  const retryMs = Math.min(RETRY_MS, renewMs);
  /** After so long without a renewal this process was partitioned or suspended. */
  const lateMs = renewMs + 2 * retryMs;
  let renewedAt = performance.now();
  /** Since when leases are renewed in time; null while they are not. */
  let steadySince: number | null = null;
  let renewal: NodeJS.Timeout | undefined;
  let sweeps: NodeJS.Timeout | undefined;
  let renewing: Promise<void> | null = null;
  let stopped = false;

  const move = (connectionId: ConnectionId): void => {
    if (held.delete(connectionId)) moves.notify(connectionId);
  };

  const renew = (): Promise<void> =>
    queue.runBetweenWrites(async () => {
      const settled = new Map([...held].filter(([connectionId]) => !queue.isOpening(connectionId)));
      const renewed = await leases.renew();
      const isLate = performance.now() - renewedAt > lateMs;
      // Some could not be released when their sockets closed, or were swept while this process was suspended.
      if (renewed !== settled.size) for (const connectionId of await leases.reconcile(settled)) move(connectionId);
      renewedAt = performance.now();
      if (isLate) steadySince = null;
      steadySince ??= renewedAt;
    });

  const renewNow = (): void => {
    if (stopped || renewing) return;
    clearTimeout(renewal);
    renewing = renew()
      .then(
        () => renewMs,
        (error: unknown) => {
          steadySince = null;
          onError(error);
          return retryMs;
        },
      )
      .then((pause) => {
        renewing = null;
        if (!stopped) renewal = setTimeout(renewNow, pause);
      });
  };

  /** Waits after an outage until every node, this one included, has had the time to renew its leases. */
  const sweep = async (): Promise<void> => {
    const now = performance.now();
    if (steadySince === null || now - steadySince < lateMs || now - renewedAt > lateMs) return;
    for (const connection of await leases.sweep()) losses.notify(connection);
  };

  const presenceUpdates = subscribeToPresence({
    db,
    notices,
    onPresence: presences.notify,
    onMoved: ({ connectionId, to }) => {
      if (to !== node) move(connectionId);
    },
    onError,
  });
  const unsubscribeFromGaps = notices.onGap(() => {
    steadySince = null;
    renewNow();
  });

  return {
    open: async (connection) => {
      const { connectionId } = connection;
      held.set(connectionId, connection);
      const forget = (): void => {
        if (held.get(connectionId) === connection) held.delete(connectionId);
      };
      const taken = await queue.open(connection).catch((error: unknown) => {
        forget();
        throw error;
      });
      if (!taken) forget();
      return taken ? 'open' : 'taken';
    },
    close: (connection) => {
      held.delete(connection.connectionId);
      return queue.close(connection);
    },
    followCustomer: leases.followCustomer,
    onPresence: presences.add,
    onLost: losses.add,
    onMoved: moves.add,
    isHealthy: () => performance.now() - renewedAt < leaseS * 1000,
    start: async () => {
      await renew();
      renewal = setTimeout(renewNow, renewMs);
      sweeps = setInterval(() => void sweep().catch(onError), sweepMs);
    },
    stop: async () => {
      stopped = true;
      clearTimeout(renewal);
      clearInterval(sweeps);
      unsubscribeFromGaps();
      await renewing;
      await queue.settle();
      await presenceUpdates.stop();
    },
  };
};

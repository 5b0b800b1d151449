import type { Database } from '../database/database.ts';
import type { Notices } from '../database/listen.ts';
import type { ConnectionId } from '../domain/ids.ts';
import { createLeaseQueue } from './leaseQueue.ts';
import { type Connection, leasesOf } from './leases.ts';
import { hearPresence, type UserPresence } from './presence.ts';

export type Connections = Readonly<{
  /** Takes a lease. `taken` when the id is another user's; the same user's older socket of that id is replaced. */
  open: (connection: Connection) => Promise<'open' | 'taken'>;
  /** Gives the lease back, unless the connection has moved to another node. */
  close: (connection: Connection) => Promise<void>;
  /** Called on every node soon after users came or went, with how they are now. */
  onPresence: (handler: (presence: readonly UserPresence[]) => void) => () => void;
  /** Called for leases of nodes that died. */
  onLost: (handler: (connection: Connection) => void) => () => void;
  /** Called when another node took one of this node's connections over. */
  onMoved: (handler: (connectionId: ConnectionId) => void) => () => void;
  /** Whether leases are being renewed in time. */
  isHealthy: () => boolean;
  start: () => Promise<void>;
  /** Waits for what is under way. */
  stop: () => Promise<void>;
}>;

const LEASE_S = 30;
const RENEW_MS = 10_000;
/** How soon a renewal that failed is tried again. */
const RETRY_MS = 1_000;
const SWEEP_MS = 5_000;

/** Handlers that come and go, and are all told. */
const handlersOf = <Told>() => {
  const handlers = new Set<(told: Told) => void>();
  return {
    add: (handler: (told: Told) => void) => {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    tell: (told: Told) => {
      for (const handler of handlers) handler(told);
    },
  };
};

/**
 * Leases of open sockets in Postgres, so that every node knows who is connected and a dead node's sockets are over `leaseS`
 * seconds later. `node` names this process.
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
  /** After so long without a renewal this process was cut off, or stood still. */
  const lateMs = renewMs + 2 * retryMs;
  let renewedAt = performance.now();
  /** Since when leases are renewed in time; null while they are not. */
  let steadySince: number | null = null;
  let renewal: NodeJS.Timeout | undefined;
  let sweeps: NodeJS.Timeout | undefined;
  let renewing: Promise<void> | null = null;
  let stopped = false;

  const move = (connectionId: ConnectionId): void => {
    if (held.delete(connectionId)) moves.tell(connectionId);
  };

  const renew = (): Promise<void> =>
    queue.between(async () => {
      const settled = new Map([...held].filter(([connectionId]) => !queue.isOpening(connectionId)));
      const renewed = await leases.renew();
      const isLate = performance.now() - renewedAt > lateMs;
      // Some could not be given back when their sockets closed, or were swept while this process stood still.
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

  /** Not before every node that was cut off as well, this one included, had the time to renew what it holds. */
  const sweep = async (): Promise<void> => {
    const now = performance.now();
    if (steadySince === null || now - steadySince < lateMs || now - renewedAt > lateMs) return;
    for (const connection of await leases.sweep()) losses.tell(connection);
  };

  const hearing = hearPresence({
    db,
    notices,
    onPresence: presences.tell,
    onMoved: ({ connectionId, to }) => {
      if (to !== node) move(connectionId);
    },
    onError,
  });
  const stopHearingGaps = notices.onGap(() => {
    steadySince = null;
    renewNow();
  });

  return {
    open: async (connection) => {
      const { connectionId } = connection;
      held.set(connectionId, connection);
      const letGo = (): void => {
        if (held.get(connectionId) === connection) held.delete(connectionId);
      };
      const taken = await queue.open(connection).catch((error: unknown) => {
        letGo();
        throw error;
      });
      if (!taken) letGo();
      return taken ? 'open' : 'taken';
    },
    close: (connection) => {
      held.delete(connection.connectionId);
      return queue.close(connection);
    },
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
      stopHearingGaps();
      await renewing;
      await queue.settle();
      await hearing.stop();
    },
  };
};

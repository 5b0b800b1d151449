import { type EventStoreDBClient, NotLeaderError } from '@eventstore/db-client';
import { clientInternals } from './clientInternals.ts';
import { clientOf } from './connect.ts';
import { AppendTimeout } from './outage.ts';
import { isStoreReply, withTimeout } from './retry.ts';

const CLOSE_TIMEOUT_MS = 2_000;
const KEEP_ALIVE_MS = 10_000;
const KEEP_ALIVE = /([?&])keepAliveInterval=(\d+)/i;

/**
 * Creates clients of one store with separate connections. gRPC shares a connection between channels with equal settings: the
 * backpressure of a subscription would block reads, and after an outage all clients would wait for the same reconnect backoff.
 * So the keep-alive interval of each client differs by some milliseconds.
 */
export const clientFactoryOf = (url: string): (() => EventStoreDBClient) => {
  let count = 0;
  return () => {
    count = (count + 1) % 1_000;
    const given = KEEP_ALIVE.exec(url);
    if (given) return clientOf(url.replace(KEEP_ALIVE, `$1keepAliveInterval=${Number(given[2]) + count}`));
    return clientOf(`${url}${url.includes('?') ? '&' : '?'}keepAliveInterval=${KEEP_ALIVE_MS + count}`);
  };
};

/** Ends a client's calls and closes its connection, which `dispose` leaves open. */
export const closeClient = async (client: EventStoreDBClient): Promise<void> => {
  await withTimeout(CLOSE_TIMEOUT_MS, client.dispose()).catch(() => undefined);
  const internals = clientInternals(client);
  const channel = internals && (await withTimeout(CLOSE_TIMEOUT_MS, internals.getChannel()).catch(() => null));
  channel?.close();
};

/** A node of the store: its address, or a client that is connected to it if the address is unknown. */
export type StoreNode = string | EventStoreDBClient;

/** The node that a client is connected to. Waits for its discovery, and throws if that fails. */
export const nodeOf = async (client: EventStoreDBClient): Promise<StoreNode> =>
  (await clientInternals(client)?.getChannel())?.getTarget() ?? client;

/** Holds a client and replaces it after a call that failed without a reply of the store. A client follows a new leader by itself. */
export type ReplaceableClient = Readonly<{
  use: <T>(work: (client: EventStoreDBClient) => Promise<T>) => Promise<T>;
  /**
   * Like `use`, for reads. Throws if the client was replaced during the read: a cancelled read ends without an error, although its
   * result may be incomplete.
   */
  read: <T>(work: (client: EventStoreDBClient) => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
}>;

/** `onNotLeader` is called if the client was connected to a node that is no longer the leader. */
export const createReplaceableClient = (
  connect: () => EventStoreDBClient,
  onNotLeader: () => void = () => undefined,
): ReplaceableClient => {
  let current = Promise.resolve(connect());
  const use: ReplaceableClient['use'] = async (work) => {
    const used = current;
    const client = await used;
    try {
      return await work(client);
    } catch (error) {
      const keeps = isStoreReply(error) || error instanceof NotLeaderError || error instanceof AppendTimeout;
      if (error instanceof NotLeaderError) onNotLeader();
      // Connect only after the old client's calls have ended, because an error of its appends would fail those of the new client.
      if (!keeps && current === used) current = closeClient(client).then(connect);
      throw error;
    }
  };
  return {
    use,
    read: async (work) => {
      const used = current;
      const result = await use(work);
      if (current !== used) throw new Error('The client was replaced while it read');
      return result;
    },
    close: async () => closeClient(await current),
  };
};

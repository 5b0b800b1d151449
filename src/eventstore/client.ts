import type { EventStoreDBClient } from '@eventstore/db-client';
import { clientOf } from './connect.ts';
import { isAnswer, within } from './retry.ts';

const FAREWELL_MS = 2_000;
const KEEP_ALIVE_MS = 10_000;
const KEEP_ALIVE = /([?&])keepAliveInterval=(\d+)/i;

/**
 * Makes clients of one store, each with a connection of its own: gRPC lets all channels with equal settings share one, so that a
 * subscription which waits for its consumer would hold up reads, and after an outage all would wait out one ever longer pause.
 * So each client's keep-alive interval is a few milliseconds longer than the last one's.
 */
export const freshClientsOf = (url: string): (() => EventStoreDBClient) => {
  let made = 0;
  return () => {
    made = (made + 1) % 1_000;
    const given = KEEP_ALIVE.exec(url);
    if (given) return clientOf(url.replace(KEEP_ALIVE, `$1keepAliveInterval=${Number(given[2]) + made}`));
    return clientOf(`${url}${url.includes('?') ? '&' : '?'}keepAliveInterval=${KEEP_ALIVE_MS + made}`);
  };
};

/** Ends a client's calls and its connection; `dispose` alone leaves the connection open. */
export const closeClient = async (client: EventStoreDBClient): Promise<void> => {
  await within(FAREWELL_MS, client.dispose()).catch(() => undefined);
  // biome-ignore lint/complexity/useLiteralKeys: the client keeps its channel protected and offers nothing that closes it
  const channel = await within(FAREWELL_MS, client['getChannel']()).catch(() => null);
  channel?.close();
};

/** One client at a time; a call that fails without an answer has it replaced. */
export type RenewedClient = Readonly<{
  use: <T>(work: (client: EventStoreDBClient) => Promise<T>) => Promise<T>;
  /**
   * The same for reads. One that is cancelled because the client is being replaced ends as if it were whole: it fails instead, since what it
   * gave may be half a stream, or nothing of one that is there.
   */
  read: <T>(work: (client: EventStoreDBClient) => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
}>;

export const createRenewedClient = (connect: () => EventStoreDBClient): RenewedClient => {
  let current = Promise.resolve(connect());
  const use: RenewedClient['use'] = async (work) => {
    const used = current;
    const client = await used;
    try {
      return await work(client);
    } catch (error) {
      // The new client begins once the old one's calls have ended: an error of one client's appends would fail the other's.
      if (!isAnswer(error) && current === used) current = closeClient(client).then(connect);
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

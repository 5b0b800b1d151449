import type { EventStoreDBClient } from '@eventstore/db-client';
import { within } from './retry.ts';

const FAREWELL_MS = 2_000;

/** Ends a client's calls and its connection; `dispose` alone leaves the connection open. */
export const closeClient = async (client: EventStoreDBClient): Promise<void> => {
  await within(FAREWELL_MS, client.dispose()).catch(() => undefined);
  // biome-ignore lint/complexity/useLiteralKeys: the client keeps its channel protected and offers nothing that closes it
  const channel = await client['getChannel']().catch(() => null);
  channel?.close();
};

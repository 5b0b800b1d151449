import type { AnyEvent } from '../domain/events.ts';
import type { Sealing } from '../security/sealing.ts';
import { createAppender } from './appender.ts';
import { clientFactoryOf } from './client.ts';
import { createDecoder } from './decode.ts';
import { encodeEvent } from './encode.ts';
import type { EventStore, Recorded, StreamName } from './port.ts';
import { createReader } from './reader.ts';
import { subscribeToAll } from './subscription.ts';

/**
 * The event store over `@eventstore/db-client`, with one client for appends, one for reads and one per subscription. `url` is a
 * connection string for `clientOf`, `attemptTimeoutMs` the timeout of one append, `retryTimeoutMs` how long a call is retried.
 */
export const createEventStore = ({
  url,
  sealing,
  attemptTimeoutMs = 5_000,
  retryTimeoutMs = 10_000,
}: {
  url: string;
  sealing: Sealing;
  attemptTimeoutMs?: number;
  retryTimeoutMs?: number;
}): EventStore => {
  const connect = clientFactoryOf(url);
  const reader = createReader(connect, retryTimeoutMs);
  const appender = createAppender({ connect, attemptTimeoutMs, retryTimeoutMs, positionOf: reader.positionOf });
  const decode = createDecoder(sealing);

  return {
    append: async (stream, events, { expected, meta, eventIds }) => {
      const metas = 'actor' in meta ? events.map(() => meta) : meta;
      const encoded = await Promise.all(
        events.map((event, index) => {
          const own = metas[index];
          if (!own) throw new Error(`No metadata for event ${index} of ${stream}`);
          return encodeEvent(sealing, stream, event, own, eventIds?.[index]);
        }),
      );
      return appender.append(stream, encoded, expected);
    },
    read: async function* <E extends AnyEvent>(stream: StreamName, { from = 0n }: { from?: bigint } = {}) {
      for await (const page of reader.pages(stream, from)) {
        for (const item of await Promise.all(page.map(decode))) {
          if (item.kind === 'undecodable') {
            const { type, revision, reason } = item.undecodable;
            throw new Error(`${type} at revision ${revision} of ${stream} cannot be read: ${reason}`);
          }
          yield item.recorded as Recorded<E>;
        }
      }
    },
    subscribe: (options) => subscribeToAll({ connect, decode }, options),
    deleteStream: reader.deleteStream,
    head: async () => (await reader.edge('newest'))?.position ?? null,
    identity: async () => (await reader.edge('first'))?.id ?? null,
    close: async () => {
      await Promise.all([appender.close(), reader.close()]);
    },
  };
};

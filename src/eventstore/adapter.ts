import type { AnyEvent } from '../domain/events.ts';
import type { Sealing } from '../security/sealing.ts';
import { createAppender } from './appender.ts';
import { clientFactoryOf } from './client.ts';
import { createClockSkew } from './clockSkew.ts';
import { categoriesOf } from './codecs/codecs.ts';
import { createDecoder, type Decoded, type StoredEvent } from './decode.ts';
import { encodeEvent } from './encode.ts';
import { currentOutage } from './examine.ts';
import { createIdentity } from './identity.ts';
import { createLeaderCheck } from './leaderCheck.ts';
import type { EventStore, Recorded, StoredEvents, StreamName, TypedItem } from './port.ts';
import { createReader } from './reader.ts';
import { skippedOf, storedItemOf, storedRecordOf } from './stored.ts';
import { subscribeToAll } from './subscription.ts';

/** Then subscriptions may read from followers; all other calls use the leader. */
const FOLLOWERS_PREFERRED = /[?&]nodePreference=(?:follower|read_?only_?replica)/i;

/**
 * The event store over `@eventstore/db-client`, with one client for appends, one for reads and one per subscription. `url` is a
 * connection string for `clientOf`, `attemptTimeoutMs` the timeout of one append, `retryTimeoutMs` how long a call is retried,
 * `leaderCheckMs` after how many ms without an event subscriptions ask whether their node is still the leader.
 */
export const createEventStore = ({
  url,
  sealing,
  attemptTimeoutMs = 5_000,
  retryTimeoutMs = 10_000,
  leaderCheckMs = 2_000,
}: {
  url: string;
  sealing: Sealing;
  attemptTimeoutMs?: number;
  retryTimeoutMs?: number;
  leaderCheckMs?: number;
}): EventStore & StoredEvents => {
  const connect = clientFactoryOf(url);
  const leaderCheck = createLeaderCheck(leaderCheckMs);
  const { onNotLeader } = leaderCheck;
  const reader = createReader(connect, { retryTimeoutMs, onNotLeader });
  const positionOf = async (stream: string, revision: bigint) => (await reader.eventAt(stream, revision)).position.commit;
  const appender = createAppender({ connect, attemptTimeoutMs, retryTimeoutMs, positionOf, onNotLeader });
  const clockSkew = createClockSkew(async (stream, revision) => (await reader.eventAt(stream, revision)).created);
  const decode = createDecoder(sealing);
  const subscribing = { connect, requiresLeader: !FOLLOWERS_PREFERRED.test(url), leaderCheck };

  /** Leaves out events of other applications in the same store. */
  const own = (stored: StoredEvent): Decoded | Promise<Decoded> | null => {
    const decoded = decode(stored);
    return 'isForeign' in decoded && decoded.isForeign ? null : decoded;
  };

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
      const sentAt = Date.now();
      const appended = await appender.append(stream, encoded, expected);
      if (appended.ok) clockSkew.observe({ stream, revision: appended.revision, sentAt, repliedAt: Date.now() });
      return appended;
    },
    read: async function* <E extends AnyEvent>(
      stream: StreamName,
      { from = 0n, limit = Number.POSITIVE_INFINITY }: { from?: bigint; limit?: number } = {},
    ) {
      for await (const page of reader.pages(stream, from, limit)) {
        for (const item of await Promise.all(page.map(decode))) {
          if (item.kind === 'undecodable') {
            const { type, revision, reason } = item.undecodable;
            throw new Error(`${type} at revision ${revision} of ${stream} cannot be read: ${reason}`);
          }
          yield item.recorded as Recorded<E>;
        }
      }
    },
    subscribe: (options) => subscribeToAll(subscribing, options, own),
    subscribeToTypes: ({ after, eventTypes }) => {
      const types = new Set<string>(eventTypes);
      const read = (stored: StoredEvent): TypedItem | Promise<TypedItem> | null => skippedOf(stored, types) ?? own(stored);
      return subscribeToAll<TypedItem>(subscribing, { after, categories: categoriesOf(eventTypes) }, read);
    },
    subscribeStored: (options) => subscribeToAll(subscribing, { ...options, digests: true }, storedItemOf),
    storedAt: async (position, id) => {
      const found = await reader.storedAt(position, id);
      return found && storedRecordOf(found);
    },
    deleteStream: reader.deleteStream,
    head: async () => (await reader.edge('newest'))?.position ?? null,
    identity: createIdentity({ reader, appender }),
    examine: async () => {
      const outage = await currentOutage(() => reader.probe(), { url, appendFailure: appender.failure() });
      return { outage, clockSkewMs: clockSkew.skewMs() };
    },
    close: async () => {
      await Promise.all([appender.close(), reader.close()]);
    },
  };
};

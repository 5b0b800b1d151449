import { type AllStreamSubscription, type EventStoreDBClient, START, streamNameFilter } from '@eventstore/db-client';
import type { StreamCategory } from '../domain/events.ts';
import { closeClient } from './client.ts';
import type { Decoded, StoredEvent } from './decode.ts';
import { type AllSubscription, EventStoreUnavailable, type Position, type SubscriptionItem } from './port.ts';

/** Events that are held ready for the consumer, decoded together so that their data keys are loaded together. */
const WINDOW = 64;
/** A checkpoint at least each so many events that do not concern us (times the server's window of 32). */
const CHECKPOINT_INTERVAL = 32;

type Mark = Exclude<SubscriptionItem, Decoded>;
type Raw = Readonly<{ event?: StoredEvent }> | Mark;

const isMark = (raw: Raw): raw is Mark => 'kind' in raw;

const prefixOf = (category: StreamCategory): string => (category === 'adminActivity' ? category : `${category}-`);

/** What is at hand, at most a window. Marks were pushed in their place among the events. */
const takeWindow = (source: AllStreamSubscription): Raw[] => {
  const taken: Raw[] = [];
  while (taken.length < WINDOW) {
    const raw: Raw | null = source.read();
    if (raw === null) break;
    taken.push(raw);
  }
  return taken;
};

/**
 * A catch-up subscription to `$all` with a client of its own, since to cancel one call closes the client's connection. It holds no more
 * than a few windows of events; while the consumer is busy, the server waits. It ends by `close`, or throws `EventStoreUnavailable`.
 */
export const subscribeToAll = (
  { connect, decode }: { connect: () => EventStoreDBClient; decode: (stored: StoredEvent) => Decoded | Promise<Decoded> },
  { after, categories }: { after: Position | null; categories: readonly StreamCategory[] },
): AllSubscription => {
  const client = connect();
  let failure: Error | null = null;
  let closing: Promise<void> | null = null;
  let wake = (): void => undefined;
  const push = (subscription: AllStreamSubscription, mark: Mark): void => {
    subscription.push(mark);
  };
  const source = client.subscribeToAll(
    {
      fromPosition: after === null ? START : { commit: after, prepare: after },
      filter: streamNameFilter({
        prefixes: categories.map(prefixOf),
        checkpointInterval: CHECKPOINT_INTERVAL,
        checkpointReached: (subscription, { commit }) => push(subscription, { kind: 'checkpoint', position: commit }),
      }),
    },
    { highWaterMark: WINDOW },
  );
  source.on('caughtUp', () => push(source, { kind: 'caughtUp' }));
  source.on('error', (error) => {
    failure ??= error;
    wake();
  });
  for (const event of ['readable', 'end', 'close']) source.on(event, () => wake());

  const close = (): Promise<void> => {
    closing ??= closeClient(client).then(() => {
      source.destroy();
    });
    return closing;
  };

  const itemsOf = (raw: Raw): (SubscriptionItem | Promise<SubscriptionItem>)[] => {
    if (isMark(raw)) return [raw];
    // A system event, as the one that ends a tombstoned stream, is nobody's fact.
    return raw.event && !raw.event.type.startsWith('$') ? [decode(raw.event)] : [];
  };

  async function* items(): AsyncGenerator<SubscriptionItem, void, undefined> {
    try {
      while (!closing) {
        const window = takeWindow(source);
        if (window.length > 0) {
          yield* await Promise.all(window.flatMap(itemsOf));
          continue;
        }
        if (failure || source.readableEnded || source.destroyed) break;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (!closing) throw new EventStoreUnavailable('The subscription was dropped', { cause: failure });
    } finally {
      await close();
    }
  }

  return Object.assign(items(), { close });
};

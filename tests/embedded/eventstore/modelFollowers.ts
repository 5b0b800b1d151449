import { setTimeout as delay } from 'node:timers/promises';
import { type AllStreamResolvedEvent, type EventStoreDBClient, type Position, streamNameFilter } from '@eventstore/db-client';
import { type ModelStore, typeOf } from './modelStore.ts';
import { isRetryable } from './serverSupport.ts';

/** What a subscription has received, in order. */
type Received<Item> = Readonly<{
  items: readonly Item[];
  /** Resolves when there are so many items. Rejects when the subscription failed, or after `withinMs`. */
  reach: (count: number, withinMs: number) => Promise<void>;
}>;

const receivedItems = <Item>() => {
  const items: Item[] = [];
  const looks = new Set<() => void>();
  let failure: unknown;
  const look = (): void => {
    for (const each of looks) each();
  };
  const reach: Received<Item>['reach'] = (count, withinMs) =>
    new Promise((resolve, reject) => {
      if (items.length >= count) return resolve();
      const settle = (end: () => void): void => {
        clearTimeout(timer);
        looks.delete(whenThere);
        end();
      };
      const timer = setTimeout(
        () => settle(() => reject(new Error(`A subscription received ${items.length} of ${count} events`))),
        withinMs,
      );
      const whenThere = (): void => {
        if (failure !== undefined) settle(() => reject(failure));
        else if (items.length >= count) settle(resolve);
      };
      looks.add(whenThere);
      whenThere();
    });
  return {
    items,
    reach,
    push: (item: Item) => {
      items.push(item);
      look();
    },
    fail: (error: unknown) => {
      failure = error;
      look();
    },
  };
};

export type AllFollower = Received<string> & Readonly<{ stop: () => Promise<void> }>;

/**
 * The ids of the events of streams whose names begin with `prefix`, from a subscription to `$all` that is resumed after each kill. The
 * server selects them if `isFiltered`.
 */
export const followAll = (store: ModelStore, prefix: string, after: Position, isFiltered: boolean): AllFollower => {
  const received = receivedItems<string>();
  const options = isFiltered ? { filter: streamNameFilter({ prefixes: [prefix] }) } : {};
  let position = after;
  let isStopping = false;
  let subscription: ReturnType<EventStoreDBClient['subscribeToAll']> | undefined;
  const receive = ({ event }: AllStreamResolvedEvent): void => {
    if (!event) return;
    position = event.position;
    if (event.streamId.startsWith(prefix) && event.type === 'SeatClaimed') received.push(event.id);
  };
  const run = async (): Promise<void> => {
    while (!isStopping) {
      const client = await store.client();
      if (isStopping) return;
      subscription = client.subscribeToAll({ fromPosition: position, ...options });
      try {
        for await (const resolved of subscription) receive(resolved);
      } catch (error) {
        if (!isRetryable(error) && !isStopping) throw error;
      }
      if (!isStopping) await delay(1);
    }
  };
  const running = run().catch(received.fail);
  return {
    items: received.items,
    reach: received.reach,
    stop: async () => {
      isStopping = true;
      await subscription?.unsubscribe();
      await running;
    },
  };
};

/** The revisions that a subscription to a stream received; `ended` is the type of the server's error. */
export type StreamFollower = Received<number> & Readonly<{ ended: Promise<string>; stop: () => Promise<void> }>;

/** Subscribes after the revision, and resolves when the subscription has caught up or ended. */
export const followStream = async (
  client: EventStoreDBClient,
  stream: string,
  from: 'start' | 'end' | number,
): Promise<StreamFollower> => {
  const received = receivedItems<number>();
  const subscription = client.subscribeToStream(stream, { fromRevision: typeof from === 'number' ? BigInt(from) : from });
  subscription.on('data', ({ event }) => {
    if (event?.type === 'SeatClaimed') received.push(Number(event.revision));
  });
  const caughtUp = new Promise<void>((resolve) => subscription.once('caughtUp', () => resolve()));
  const ended = new Promise<string>((resolve, reject) => {
    subscription.on('error', (error) => {
      try {
        resolve(typeOf(error));
      } catch (unexpected) {
        received.fail(unexpected);
        reject(unexpected);
      }
    });
  });
  ended.catch(() => undefined); // a kill ends it, too
  await Promise.race([caughtUp, ended]);
  return { items: received.items, reach: received.reach, ended, stop: () => subscription.unsubscribe() };
};

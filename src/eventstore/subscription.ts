import type { EventStoreDBClient } from '@eventstore/db-client';
import type { ClientReadableStream } from '@grpc/grpc-js';
import type { StreamCategory } from '../domain/events.ts';
import { closeClient } from './client.ts';
import type { Decoded, StoredEvent } from './decode.ts';
import { type AllSubscription, EventStoreUnavailable, type Position, type SubscriptionItem } from './port.ts';
import { openReadAllRpc } from './readAllRpc.ts';
import { type Response, readResponses } from './readResponse.ts';

/** Responses are decoded in batches of this size, so that their data keys are loaded together. The last message may exceed it. */
const WINDOW_RESPONSES = 1_000;

const prefixOf = (category: StreamCategory): string => (category === 'adminActivity' ? category : `${category}-`);

/** Reads the buffered responses, up to about one batch. */
const readAvailable = (call: ClientReadableStream<Buffer>): Response[] => {
  const taken: Response[] = [];
  while (taken.length < WINDOW_RESPONSES) {
    const message: Buffer | null = call.read();
    if (message === null) break;
    readResponses(message, taken);
  }
  return taken;
};

/** Resolves to the items, in order, when all are decoded. */
const settled = async (items: readonly (SubscriptionItem | Promise<SubscriptionItem>)[]): Promise<SubscriptionItem[]> => {
  await Promise.all(items.filter((item) => item instanceof Promise));
  const decoded: SubscriptionItem[] = [];
  for (const item of items) decoded.push(item instanceof Promise ? await item : item);
  return decoded;
};

/**
 * A catch-up subscription to `$all` with a separate client, because cancelling a call closes the client's connection. It buffers at
 * most a few batches of events and applies backpressure to the server. It ends after `close`, or throws `EventStoreUnavailable`.
 */
export const subscribeToAll = (
  { connect, decode }: { connect: () => EventStoreDBClient; decode: (stored: StoredEvent) => Decoded | Promise<Decoded> },
  { after, categories }: { after: Position | null; categories: readonly StreamCategory[] },
): AllSubscription => {
  const client = connect();
  let failure: unknown = null;
  let closing: Promise<void> | null = null;
  let wake = (): void => undefined;

  const opened = openReadAllRpc(client, { after, prefixes: categories.map(prefixOf) });
  opened.then(
    (call) => {
      call.on('error', (error) => {
        failure ??= error;
      });
      for (const event of ['readable', 'end', 'error', 'close']) call.on(event, () => wake());
    },
    (error: unknown) => {
      failure ??= error;
    },
  );

  /** Resolves on `close`, which must not wait for the discovery of a cluster node. */
  let giveUp = (): void => undefined;
  const closed = new Promise<null>((resolve) => {
    giveUp = () => resolve(null);
  });

  const close = (): Promise<void> => {
    if (closing) return closing;
    opened.then(
      (call) => call.cancel(),
      () => undefined,
    );
    closing = closeClient(client);
    giveUp();
    wake();
    return closing;
  };

  const itemOf = (response: Response): (SubscriptionItem | Promise<SubscriptionItem>)[] => {
    if (response.kind !== 'event') return [response];
    // Skips system events, such as the tombstone of a stream.
    return response.event.type.startsWith('$') ? [] : [decode(response.event)];
  };

  const isOver = (call: ClientReadableStream<Buffer>): boolean => failure !== null || call.readableEnded || call.destroyed;

  let window: readonly SubscriptionItem[] = [];
  let at = 0;

  /** Waits for the next items; false when the subscription is closed. */
  const fill = async (): Promise<boolean> => {
    const call = await Promise.race([opened.catch(() => null), closed]);
    while (call && !closing) {
      const items = readAvailable(call).flatMap(itemOf);
      if (items.length > 0) {
        [window, at] = [await settled(items), 0];
        return closing === null;
      }
      if (isOver(call)) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (closing) return false;
    throw new EventStoreUnavailable('The subscription was dropped', { cause: failure });
  };

  const next = async (): Promise<IteratorResult<SubscriptionItem, undefined>> => {
    try {
      const item = window[at++] ?? ((await fill()) ? window[at++] : undefined);
      if (item) return { done: false, value: item };
    } catch (error) {
      await close();
      throw error;
    }
    await close();
    return { done: true, value: undefined };
  };

  return {
    // Not an async generator, which takes three microtask turns per item.
    [Symbol.asyncIterator]: () => ({
      next,
      return: async () => {
        await close();
        return { done: true, value: undefined };
      },
    }),
    close,
  };
};

import { setTimeout as delay } from 'node:timers/promises';
import { convertToCommandError, type EventStoreDBClient, NotLeaderError, TimeoutError } from '@eventstore/db-client';
import type { StreamCategory } from '../domain/events.ts';
import { closeClient, nodeOf, type StoreNode } from './client.ts';
import type { StoredEvent } from './decode.ts';
import type { LeaderCheck } from './leaderCheck.ts';
import { describeOutage, outageOf, READ_ALL } from './outage.ts';
import { EventStoreUnavailable, type Position } from './port.ts';
import type { Response } from './readResponse.ts';
import { openResponseSource, type ResponseSource } from './responseSource.ts';

/** How often a subscription is resumed without a response in between, and the pause before each of these attempts but the first. */
const MAX_RESUMES = 5;
const RESUME_PAUSE_MS = 50;

/** The prefix of the names of a category's streams. */
export const prefixOf = (category: StreamCategory): string => (category === 'adminActivity' ? category : `${category}-`);

/** What is not an event, and how a subscription yields an event: as null if it is skipped. */
type NoEvent = Exclude<Response, { kind: 'event' }>;
type Read<Item> = (stored: StoredEvent) => Item | null | Promise<Item | null>;

/** Resolves to the items, in order, when all are decoded. */
const settled = async <Item>(items: readonly (Item | null | Promise<Item | null>)[]): Promise<Item[]> => {
  await Promise.all(items.filter((item) => item instanceof Promise));
  const decoded: Item[] = [];
  for (const item of items) {
    const given = item instanceof Promise ? await item : item;
    if (given !== null) decoded.push(given);
  }
  return decoded;
};

const itemOf =
  <Item>(read: Read<Item>) =>
  (response: Response): Item | NoEvent | null | Promise<Item | null> => {
    if (response.kind !== 'event') return response;
    // Skips system events, such as the tombstone of a stream.
    return response.event.type.startsWith('$') ? null : read(response.event);
  };

/** The position up to which responses were taken; undefined if none of them has one. */
const reachedBy = (responses: readonly Response[]): Position | undefined => {
  const last = responses.findLast(({ kind }) => kind !== 'caughtUp');
  return last?.kind === 'event' ? last.event.position?.commit : last?.kind === 'checkpoint' ? last.position : undefined;
};

const commandErrorOf = (error: unknown): unknown => (error instanceof Error ? convertToCommandError(error) : error);

type SubscriptionDeps = Readonly<{
  connect: () => EventStoreDBClient;
  /** Whether to read from the leader only. */
  requiresLeader: boolean;
  leaderCheck: LeaderCheck;
}>;

/**
 * A catch-up subscription to `$all` with a separate client, because cancelling a call closes the client's connection. It buffers at
 * most a few batches of events and applies backpressure to the server. It resumes after the last event by itself when the server ends
 * it because this consumer is slow (ABORTED), or when another node became the leader. It ends after `close`, or throws
 * `EventStoreUnavailable`. `read` makes an item of an event, or null to skip it.
 */
export const subscribeToAll = <Item>(
  { connect, requiresLeader, leaderCheck }: SubscriptionDeps,
  { after, categories, digests }: { after: Position | null; categories: readonly StreamCategory[]; digests?: true },
  read: Read<Item>,
): AsyncIterable<Item | NoEvent> & { close: () => Promise<void> } => {
  const client = connect();
  const prefixes = categories.map(prefixOf);
  let reached = after;
  let resumes = 0;
  let isStale = false;
  let closing: Promise<void> | null = null;
  let wake = (): void => undefined;
  let node: StoreNode | null = null;
  const open = async (): Promise<ResponseSource> => {
    const options = { after: reached, prefixes, requiresLeader, ...(digests && { digests }) };
    const source = await openResponseSource(client, options, () => wake());
    nodeOf(client).then(
      (found) => {
        node = found;
      },
      () => undefined, // unknown, so that other subscriptions of the node ask
    );
    return source;
  };
  let opened = open();
  opened.catch(() => undefined);

  let isQuiet = false;
  const watched = {
    client,
    node: () => node,
    isQuiet: (): boolean => {
      const wasQuiet = isQuiet;
      isQuiet = true;
      return wasQuiet;
    },
    onLost: (): void => {
      isStale = true;
      wake();
    },
  };
  if (requiresLeader) leaderCheck.watch(watched);

  /** Resolves on `close`, which must not wait for the discovery of a cluster node. */
  let giveUp = (): void => undefined;
  const closed = new Promise<null>((resolve) => {
    giveUp = () => resolve(null);
  });

  const close = (): Promise<void> => {
    if (closing) return closing;
    leaderCheck.unwatch(watched);
    opened.then(
      (source) => source.cancel(),
      () => undefined,
    );
    closing = closeClient(client);
    giveUp();
    wake();
    return closing;
  };

  /** Opens the call again, after the last response. */
  const resume = async (): Promise<void> => {
    node = null;
    resumes += 1;
    if (resumes > 1) await Promise.race([delay(RESUME_PAUSE_MS * resumes), closed]);
    if (closing) return;
    isStale = false;
    opened = open();
    opened.catch(() => undefined);
  };

  const canResumeAfter = (error: unknown): boolean =>
    resumes < MAX_RESUMES && (error instanceof TimeoutError || error instanceof NotLeaderError);

  /** Resolves to the next responses; to none if the call was opened again. Throws the error that ended it. */
  const responsesOf = async (source: ResponseSource): Promise<Response[]> => {
    for (;;) {
      const responses = source.take();
      if (responses.length > 0 || closing) return responses;
      if (source.hasEnded()) throw source.failure();
      if (isStale) {
        source.cancel();
        await resume();
        return [];
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };

  const receive = async (): Promise<Response[]> => {
    try {
      const source = await Promise.race([opened, closed]);
      return source ? await responsesOf(source) : [];
    } catch (thrown) {
      if (closing) return [];
      const error = commandErrorOf(thrown);
      if (!canResumeAfter(error)) {
        const outage = outageOf(error);
        const text = outage === 'unreachable' ? 'The subscription was dropped' : describeOutage(outage, READ_ALL);
        throw new EventStoreUnavailable(text, { cause: thrown, outage });
      }
      await resume();
      return [];
    }
  };

  let window: readonly (Item | NoEvent)[] = [];
  let at = 0;

  /** Waits for the next items; false when the subscription is closed. */
  const fill = async (): Promise<boolean> => {
    [window, at] = [[], 0];
    while (!closing && window.length === 0) {
      const responses = await receive();
      if (responses.length === 0) continue;
      resumes = 0;
      isQuiet = false;
      reached = reachedBy(responses) ?? reached;
      window = await settled<Item | NoEvent>(responses.map(itemOf(read)));
    }
    return closing === null;
  };

  const next = async (): Promise<IteratorResult<Item | NoEvent, undefined>> => {
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

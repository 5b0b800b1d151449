import { setTimeout as delay } from 'node:timers/promises';
import type { ApiCallsRecorded, CallFlush, RecordedCall } from '../domain/apiCalls/events.ts';
import type { EventMeta } from '../domain/event.ts';
import type { CustomerId } from '../domain/ids.ts';
import { dayOf } from '../domain/time.ts';
import type { EventStore, Position, StreamName } from '../eventstore/port.ts';
import { streams } from './streams.ts';

export type ApiCallBatch = CallFlush & Readonly<{ customerId: CustomerId }>;

/**
 * Resolves to the position of a durable event that holds the batch. It goes to the stream of the day on which the server received it
 * (`meta.at`), not of the calls' own days. Throws `EventStoreUnavailable`; the batch may then be there or not, and a repetition counts once.
 */
export type ApiCallRecorder = (batch: ApiCallBatch, meta: EventMeta) => Promise<Position>;

/** Below the event store's limit of 1 MiB per append. */
const MAX_BYTES = 900_000;
/** The most bytes of an event without its flushes, with its metadata; and of a flush without its source and its calls. */
const EVENT_BYTES = 2_500;
const FLUSH_BYTES = 150;
/** The most flushes in one event. */
const MAX_FLUSHES = 500;
/** Flushes up to this average size are coalesced: an event and a commit of their own would cost far more. */
const SMALL_BYTES = 4_000;
/** After coalesced appends, the next ones start when all of them are complete, or after this time if one of them is slow. */
const ROUND_MS = 50;
/** The coalescing window: the longest wait for the next flushes of the clients that were just answered. */
const WINDOW_MS = 4;
/** The most bytes of a call's numbers in the store, and of a text that the event does not contain yet. */
const CALL_BYTES = 50;
const TEXT_BYTES = 20;
/** The most bytes of a character in JSON. */
const CHARACTER_BYTES = 3;

type Waiting = Readonly<{
  flush: CallFlush;
  meta: EventMeta;
  bytes: number;
  resolve: (position: Position) => void;
  reject: (error: unknown) => void;
}>;

type Part = { first: number; calls: (RecordedCall | null)[]; texts: Set<string>; bytes: number };

/** An event stores each text once, an address once per service. */
const bytesOf = (call: RecordedCall | null, texts: ReadonlySet<string>): number => {
  if (call === null) return CALL_BYTES;
  const { instanceUrl, operation } = call;
  const url = texts.has(instanceUrl) ? 0 : TEXT_BYTES + CHARACTER_BYTES * instanceUrl.length;
  return CALL_BYTES + 3 * url + (texts.has(operation) ? 0 : TEXT_BYTES + CHARACTER_BYTES * operation.length);
};

/** Splits a batch that is too large for one event; nearly every batch is one flush. */
const flushesOf = ({ userId, sourceId, firstSequence, calls }: ApiCallBatch): { flush: CallFlush; bytes: number }[] => {
  const overhead = FLUSH_BYTES + CHARACTER_BYTES * sourceId.length;
  const parts: Part[] = [];
  let part: Part | undefined;
  for (const [index, call] of calls.entries()) {
    if (!part || part.bytes + bytesOf(call, part.texts) > MAX_BYTES - EVENT_BYTES) {
      part = { first: firstSequence + index, calls: [], texts: new Set(), bytes: overhead };
      parts.push(part);
    }
    part.bytes += bytesOf(call, part.texts);
    part.calls.push(call);
    if (call) part.texts.add(call.instanceUrl).add(call.operation);
  }
  return parts.map(({ first, calls: some, bytes }) => ({ flush: { userId, sourceId, firstSequence: first, calls: some }, bytes }));
};

/** Removes as many flushes from the queue as fit into one event; at least one. */
const nextGroup = (waiting: Waiting[]): Waiting[] => {
  let bytes = EVENT_BYTES;
  const end = waiting.findIndex((item, index) => {
    bytes += item.bytes;
    return index > 0 && (bytes > MAX_BYTES || index >= MAX_FLUSHES);
  });
  return waiting.splice(0, end === -1 ? waiting.length : end);
};

/** The metadata of the first request. Its actor is the customer if the requests are of several users; each flush names its user. */
const metaOfAll = (customerId: CustomerId, first: Waiting, group: readonly Waiting[]): EventMeta => {
  const { actor } = first.meta;
  const isOfOne = group.every(({ meta }) => meta.actor.kind === actor.kind && meta.actor.id === actor.id);
  return isOfOne ? first.meta : { ...first.meta, actor: { kind: 'customer', id: customerId } };
};

/** The queue of a customer's stream of one day, while it has appends or waiting flushes. */
type StreamQueue = { readonly customerId: CustomerId; waiting: Waiting[]; isAppending: boolean };

/**
 * Records batches of API calls. Flushes that arrive during an append to the same stream are appended after it as one event, because an
 * event costs the same however small it is. If many small flushes arrive at the same time, the appends of all customers start together,
 * after a short window in which the clients that were just answered send again, so that they share a transaction of the store.
 */
export const createApiCallRecorder = ({
  events,
  windowMs = WINDOW_MS,
}: {
  events: Pick<EventStore, 'append'>;
  windowMs?: number;
}): ApiCallRecorder => {
  const queues = new Map<StreamName, StreamQueue>();
  let isScheduled = false;
  let flushesWaiting = 0;
  let onArrival = (): void => undefined;

  const append = async (stream: StreamName, queue: StreamQueue, group: readonly Waiting[]): Promise<void> => {
    const [first] = group;
    if (!first) return;
    const { customerId } = queue;
    queue.isAppending = true;
    try {
      const event: ApiCallsRecorded = {
        type: 'ApiCallsRecorded',
        data: { customerId, flushes: group.map(({ flush }) => flush) },
      };
      const appended = await events.append(stream, [event], { expected: 'any', meta: metaOfAll(customerId, first, group) });
      if (!appended.ok) throw new Error(`${stream} refused API calls`);
      for (const { resolve } of group) resolve(appended.position);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    queue.isAppending = false;
    if (queue.waiting.length === 0) queues.delete(stream);
    else schedule();
  };

  /** Resolves when that many flushes wait, or at the end of the coalescing window. */
  const coalesced = (flushes: number): Promise<void> =>
    new Promise((resolve) => {
      const timeout = setTimeout(resolve, windowMs);
      onArrival = () => {
        if (flushesWaiting < flushes) return;
        clearTimeout(timeout);
        resolve();
      };
      onArrival();
    });

  /** Starts an append to every stream that has waiting flushes and no append in progress. */
  const startAppends = async (): Promise<void> => {
    const appends: Promise<void>[] = [];
    let flushes = 0;
    let bytes = 0;
    for (const [stream, queue] of queues) {
      if (queue.isAppending || queue.waiting.length === 0) continue;
      const group = nextGroup(queue.waiting);
      flushes += group.length;
      for (const item of group) bytes += item.bytes;
      appends.push(append(stream, queue, group));
    }
    flushesWaiting -= flushes;
    if (flushes > 1 && bytes < flushes * SMALL_BYTES) {
      await Promise.race([Promise.all(appends), delay(ROUND_MS)]);
      await coalesced(flushes + flushesWaiting);
    }
    isScheduled = false;
    for (const { isAppending, waiting } of queues.values()) if (!isAppending && waiting.length > 0) schedule();
  };

  /** Flushes that arrive in the same turn of the event loop, or in the coalescing window, are appended together. */
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => void startAppends());
  };

  return async (batch, meta) => {
    const { customerId } = batch;
    const stream = streams.apiCalls(customerId, dayOf(meta.at));
    const positions = flushesOf(batch).map(
      ({ flush, bytes }) =>
        new Promise<Position>((resolve, reject) => {
          const queue = queues.get(stream) ?? { customerId, waiting: [], isAppending: false };
          queues.set(stream, queue);
          queue.waiting.push({ flush, meta, bytes, resolve, reject });
          flushesWaiting += 1;
          onArrival();
          schedule();
        }),
    );
    const reached = await Promise.all(positions);
    return reached.reduce((latest, position) => (position > latest ? position : latest));
  };
};

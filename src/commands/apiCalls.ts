import { setTimeout as delay } from 'node:timers/promises';
import type { ApiCallsRecorded, CallFlush, RecordedCall } from '../domain/apiCalls/events.ts';
import type { EventMeta } from '../domain/event.ts';
import type { CustomerId } from '../domain/ids.ts';
import type { EventStore, Position, StreamName } from '../eventstore/port.ts';
import { streams } from './streams.ts';

export type ApiCallBatch = CallFlush & Readonly<{ customerId: CustomerId }>;

/**
 * Resolves to the position of a durable event that holds the batch. It goes to the stream of the day on which the server received it
 * (`meta.at`), not of the calls' own days. Throws `EventStoreUnavailable`; the batch may then be there or not, and a repetition counts once.
 */
export type ApiCallRecorder = (batch: ApiCallBatch, meta: EventMeta) => Promise<Position>;

/** An event store takes up to 1 MiB at once. */
const MAX_BYTES = 900_000;
/** What an event takes beside its flushes at most, with its metadata; and a flush beside its source and its calls. */
const EVENT_BYTES = 2_500;
const FLUSH_BYTES = 150;
/** Flushes that may join in one event. */
const MAX_FLUSHES = 500;
/** Flushes that are as small as this on average begin together: an event and a commit of its own would cost far more than they do. */
const SMALL_BYTES = 4_000;
/** The next ones wait until the events of such company are written, or for a while where one of them takes long. */
const ROUND_MS = 50;
/** Then who was answered sends again, and is waited for, though not for longer than this. */
const GATHER_MS = 4;
/** What a call's numbers take in the store at most; and what a text takes that the event does not hold yet. */
const CALL_BYTES = 50;
const TEXT_BYTES = 20;
/** The most bytes a letter can take in JSON. */
const LETTER_BYTES = 3;

type Waiting = Readonly<{
  flush: CallFlush;
  meta: EventMeta;
  bytes: number;
  resolve: (position: Position) => void;
  reject: (error: unknown) => void;
}>;

type Part = { first: number; calls: (RecordedCall | null)[]; texts: Set<string>; bytes: number };

/** The store keeps each text once, an address once for each service. */
const bytesOf = (call: RecordedCall | null, texts: ReadonlySet<string>): number => {
  if (call === null) return CALL_BYTES;
  const { instanceUrl, operation } = call;
  const url = texts.has(instanceUrl) ? 0 : TEXT_BYTES + LETTER_BYTES * instanceUrl.length;
  return CALL_BYTES + 3 * url + (texts.has(operation) ? 0 : TEXT_BYTES + LETTER_BYTES * operation.length);
};

/** One flush for nearly every batch; more when it would be too large for an event. */
const flushesOf = ({ userId, sourceId, firstSequence, calls }: ApiCallBatch): { flush: CallFlush; bytes: number }[] => {
  const beside = FLUSH_BYTES + LETTER_BYTES * sourceId.length;
  const parts: Part[] = [];
  let part: Part | undefined;
  for (const [index, call] of calls.entries()) {
    if (!part || part.bytes + bytesOf(call, part.texts) > MAX_BYTES - EVENT_BYTES) {
      part = { first: firstSequence + index, calls: [], texts: new Set(), bytes: beside };
      parts.push(part);
    }
    part.bytes += bytesOf(call, part.texts);
    part.calls.push(call);
    if (call) part.texts.add(call.instanceUrl).add(call.operation);
  }
  return parts.map(({ first, calls: some, bytes }) => ({ flush: { userId, sourceId, firstSequence: first, calls: some }, bytes }));
};

/** As many as fit into one event; at least one. */
const nextGroup = (waiting: Waiting[]): Waiting[] => {
  let bytes = EVENT_BYTES;
  const end = waiting.findIndex((item, index) => {
    bytes += item.bytes;
    return index > 0 && (bytes > MAX_BYTES || index >= MAX_FLUSHES);
  });
  return waiting.splice(0, end === -1 ? waiting.length : end);
};

/** An event of several requests is the first one's; unless they are of one user, its actor is the customer, and each flush says whose it is. */
const metaOfAll = (customerId: CustomerId, first: Waiting, group: readonly Waiting[]): EventMeta => {
  const { actor } = first.meta;
  const isOfOne = group.every(({ meta }) => meta.actor.kind === actor.kind && meta.actor.id === actor.id);
  return isOfOne ? first.meta : { ...first.meta, actor: { kind: 'customer', id: customerId } };
};

/** A customer's stream of a day, while calls are on their way to it. */
type Lane = { readonly customerId: CustomerId; waiting: Waiting[]; isAppending: boolean };

/**
 * Records batches of API calls. While one append to a customer's stream is under way, what arrives for the same stream waits and goes
 * as one event after it: an event costs the same however little is in it. Where many send little at once, the events of all customers
 * are begun together once everybody who was just answered has sent again, so that they also share a transaction of the store.
 */
export const createApiCallRecorder = ({
  events,
  gatherMs = GATHER_MS,
}: {
  events: Pick<EventStore, 'append'>;
  gatherMs?: number;
}): ApiCallRecorder => {
  const lanes = new Map<StreamName, Lane>();
  let isGathering = false;
  let flushesWaiting = 0;
  let onArrival = (): void => undefined;

  const append = async (stream: StreamName, lane: Lane, group: readonly Waiting[]): Promise<void> => {
    const [first] = group;
    if (!first) return;
    const { customerId } = lane;
    lane.isAppending = true;
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
    lane.isAppending = false;
    if (lane.waiting.length === 0) lanes.delete(stream);
    else gather();
  };

  /** Resolves when so many flushes wait as `company` says, or when there was time enough. */
  const gathered = (company: number): Promise<void> =>
    new Promise((resolve) => {
      const late = setTimeout(resolve, gatherMs);
      onArrival = () => {
        if (flushesWaiting < company) return;
        clearTimeout(late);
        resolve();
      };
      onArrival();
    });

  /** Begins an event for every stream that none is under way for. */
  const begin = async (): Promise<void> => {
    const appends: Promise<void>[] = [];
    let flushes = 0;
    let bytes = 0;
    for (const [stream, lane] of lanes) {
      if (lane.isAppending || lane.waiting.length === 0) continue;
      const group = nextGroup(lane.waiting);
      flushes += group.length;
      for (const item of group) bytes += item.bytes;
      appends.push(append(stream, lane, group));
    }
    flushesWaiting -= flushes;
    if (flushes > 1 && bytes < flushes * SMALL_BYTES) {
      await Promise.race([Promise.all(appends), delay(ROUND_MS)]);
      await gathered(flushes + flushesWaiting);
    }
    isGathering = false;
    for (const { isAppending, waiting } of lanes.values()) if (!isAppending && waiting.length > 0) gather();
  };

  /** What arrives in this turn of the event loop goes together; after company, what arrives until that has gathered again. */
  const gather = (): void => {
    if (isGathering) return;
    isGathering = true;
    setImmediate(() => void begin());
  };

  return async (batch, meta) => {
    const { customerId } = batch;
    const stream = streams.apiCalls(customerId, meta.at.slice(0, 10));
    const positions = flushesOf(batch).map(
      ({ flush, bytes }) =>
        new Promise<Position>((resolve, reject) => {
          const lane = lanes.get(stream) ?? { customerId, waiting: [], isAppending: false };
          lanes.set(stream, lane);
          lane.waiting.push({ flush, meta, bytes, resolve, reject });
          flushesWaiting += 1;
          onArrival();
          gather();
        }),
    );
    const reached = await Promise.all(positions);
    return reached.reduce((latest, position) => (position > latest ? position : latest));
  };
};

import type { ApiCallsRecorded, RecordedCall } from '../domain/apiCalls/events.ts';
import type { EventMeta } from '../domain/event.ts';
import type { EventStore, Position, StreamName } from '../eventstore/port.ts';
import { streams } from './streams.ts';

export type ApiCallBatch = ApiCallsRecorded['data'];

/**
 * Resolves to the position of a durable event that holds the batch. It goes to the stream of the day on which the server received it
 * (`meta.at`), not of the calls' own days. Throws `EventStoreUnavailable`; the batch may then be there or not, and a repetition counts once.
 */
export type ApiCallRecorder = (batch: ApiCallBatch, meta: EventMeta) => Promise<Position>;

/** An event store takes up to 1 MiB at once. */
const MAX_BYTES = 900_000;
/** What an event takes beside its calls at most: its own fields and its metadata. */
const EVENT_BYTES = 2_500;
/** Events that may join in one append. */
const MAX_EVENTS = 500;
/** What a call's numbers take in the store at most; and what a text takes that the event does not hold yet. */
const CALL_BYTES = 50;
const TEXT_BYTES = 20;
/** The most bytes a letter can take in JSON. */
const LETTER_BYTES = 3;

type Waiting = Readonly<{
  event: ApiCallsRecorded;
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

/** One event for nearly every batch; more when it would be too large for the store. */
const eventsOf = ({
  customerId,
  userId,
  sourceId,
  firstSequence,
  calls,
}: ApiCallBatch): { event: ApiCallsRecorded; bytes: number }[] => {
  const parts: Part[] = [];
  let part: Part | undefined;
  for (const [index, call] of calls.entries()) {
    if (!part || part.bytes + bytesOf(call, part.texts) > MAX_BYTES) {
      part = { first: firstSequence + index, calls: [], texts: new Set(), bytes: 0 };
      parts.push(part);
    }
    part.bytes += bytesOf(call, part.texts);
    part.calls.push(call);
    if (call) part.texts.add(call.instanceUrl).add(call.operation);
  }
  return parts.map(({ first, calls: some, bytes }) => ({
    event: { type: 'ApiCallsRecorded', data: { customerId, userId, sourceId, firstSequence: first, calls: some } },
    bytes: EVENT_BYTES + bytes,
  }));
};

/** As many as fit into one append; at least one. */
const nextGroup = (waiting: Waiting[]): Waiting[] => {
  let bytes = 0;
  const end = waiting.findIndex((item, index) => {
    bytes += item.bytes;
    return index > 0 && (bytes > MAX_BYTES || index >= MAX_EVENTS);
  });
  return waiting.splice(0, end === -1 ? waiting.length : end);
};

/**
 * Records batches of API calls. While one append to a customer's stream is under way, what arrives for the same stream waits and goes
 * as one append after it; each batch stays an event of its own.
 */
export const createApiCallRecorder = ({ events }: { events: Pick<EventStore, 'append'> }): ApiCallRecorder => {
  const lanes = new Map<StreamName, Waiting[]>();

  const append = async (stream: StreamName, group: readonly Waiting[]): Promise<void> => {
    try {
      const appended = await events.append(
        stream,
        group.map(({ event }) => event),
        { expected: 'any', meta: group.map(({ meta }) => meta) },
      );
      if (!appended.ok) throw new Error(`${stream} refused API calls`);
      for (const { resolve } of group) resolve(appended.position);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  const drain = async (stream: StreamName, waiting: Waiting[]): Promise<void> => {
    while (waiting.length > 0) await append(stream, nextGroup(waiting));
    lanes.delete(stream);
  };

  return async (batch, meta) => {
    const stream = streams.apiCalls(batch.customerId, meta.at.slice(0, 10));
    const positions = eventsOf(batch).map(
      ({ event, bytes }) =>
        new Promise<Position>((resolve, reject) => {
          const item = { event, meta, bytes, resolve, reject };
          const lane = lanes.get(stream);
          if (lane) return void lane.push(item);
          const opened = [item];
          lanes.set(stream, opened);
          void drain(stream, opened);
        }),
    );
    const reached = await Promise.all(positions);
    return reached.reduce((latest, position) => (position > latest ? position : latest));
  };
};

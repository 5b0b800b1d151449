import { randomUUID } from 'node:crypto';
import type { EventData, EventStoreDBClient } from '@eventstore/db-client';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { HOUR_MS } from '../../domain/time.ts';
import { openBatchAppendCall, replyKeyOf, resultOf } from '../appendRpc.ts';
import { encodeBatchAppend } from '../batchAppendRequest.ts';
import type { ExpectedRevision } from '../port.ts';
import { type Reply, repliesIn } from './appendReplies.ts';

/** Longer than any outage that the connection survives: appends after one that expired would be written without it. */
const DEADLINE_MS = HOUR_MS;

/** Appends that the store commits in the order of the calls, without a wait for the replies in between. */
export type OrderedAppends = Readonly<{
  /** Resolves to the revision of the last event. Rejects if the events were not written, or if that is unknown. */
  append: (stream: string, events: readonly EventData[], expected: ExpectedRevision) => Promise<bigint>;
}>;

/** An event with bytes that are sent as they are. */
export const eventOfBytes = (
  id: string,
  type: string,
  { contentType, data, metadata }: { contentType: string | undefined; data: Uint8Array; metadata: Uint8Array },
): EventData =>
  // The client's type of JSON data excludes bytes, which `encodeBatchAppend` sends unchanged.
  ({ id, type, contentType: contentType ?? '', data, metadata }) as EventData;

/** `implied` is the revision of the last event if the append is written as requested; null if the request does not imply it. */
type Pending = Readonly<{
  stream: string;
  implied: bigint | null;
  resolve: (revision: bigint) => void;
  reject: (error: unknown) => void;
}>;

/** Many times the size of a usual append, and far below the limit of a message. */
const MESSAGE_BYTES = 64 << 10;

/** Sends the requests of one turn of the event loop in few messages, once the store accepts that: messages are what a copy costs most. */
const createCoalescer = (write: (message: Buffer) => void) => {
  let coalesces = false;
  let waiting: Buffer[] = [];
  let bytes = 0;
  const flush = (): void => {
    if (waiting.length > 0) write(Buffer.concat(waiting, bytes));
    waiting = [];
    bytes = 0;
  };
  return {
    begin: () => {
      coalesces = true;
    },
    coalesces: () => coalesces,
    send: (request: Buffer): void => {
      if (!coalesces) {
        write(request);
        return;
      }
      if (bytes + request.length > MESSAGE_BYTES) flush();
      if (waiting.length === 0) setImmediate(flush);
      waiting.push(request);
      bytes += request.length;
    },
  };
};

const impliedRevision = (expected: ExpectedRevision, count: number): bigint | null => {
  if (expected === 'no_stream') return BigInt(count - 1);
  return typeof expected === 'bigint' ? expected + BigInt(count) : null;
};

/** The revision of the last event of an append. Throws if it was not written, or if that is unknown. */
const revisionOf = (reply: BatchAppendResp, stream: string): bigint => {
  const result = resultOf(reply, stream);
  if (!result.success) throw new Error(`${stream} of the target has other events than the source`);
  return result.nextExpectedRevision;
};

const COUNTER_DIGITS = 12;

/** Unique ids of this form cost a fraction of random ones. */
const createIds = (): (() => string) => {
  const prefix = randomUUID().slice(0, -COUNTER_DIGITS);
  let counter = 0;
  return () => prefix + (counter++).toString(16).padStart(COUNTER_DIGITS, '0');
};

/** All appends share one RPC, because the store commits those of one RPC in their order. */
export const openOrderedAppends = async (client: EventStoreDBClient): Promise<OrderedAppends> => {
  const pending = new Map<string, Pending>();
  const nextId = createIds();
  let failure: unknown;
  const settleBefore = (key: string): void => {
    for (const [earlier, { implied, resolve }] of pending) {
      if (earlier === key) return;
      if (implied === null) continue;
      pending.delete(earlier);
      resolve(implied);
    }
  };
  const settle = (reply: Reply): void => {
    const append = pending.get(reply.key);
    if (!append) return;
    if (requests.coalesces() && 'revision' in reply) settleBefore(reply.key);
    pending.delete(reply.key);
    try {
      append.resolve('revision' in reply ? reply.revision : revisionOf(reply.other, append.stream));
    } catch (error) {
      append.reject(error);
    }
  };
  const onEnd = (reason: unknown): void => {
    failure ??= reason;
    for (const { reject } of pending.values()) reject(failure);
    pending.clear();
  };
  const requests = createCoalescer((message) => call?.write(message));
  const call = await openBatchAppendCall(client, {
    decode: repliesIn,
    onMessage: (replies) => replies.forEach(settle),
    onEnd,
    onCoalescing: requests.begin,
  });
  if (!call) throw new Error('The event store does not support batch appends. Use EventStoreDB 23.10 or newer.');
  return {
    append: (stream, events, expected) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure);
        const correlationId = nextId();
        pending.set(replyKeyOf(correlationId), { stream, implied: impliedRevision(expected, events.length), resolve, reject });
        requests.send(encodeBatchAppend({ correlationId, stream, expected, deadlineMs: DEADLINE_MS, events }));
      }),
  };
};

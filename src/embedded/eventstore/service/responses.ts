import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, type ServerDuplexStream, type ServerWritableStream } from '@grpc/grpc-js';
import type { BatchAppendRequest } from '../codec/batchAppendRequest.ts';

/** Sends the encoded responses of a call. */
export type Responses = Readonly<{
  /** Returns undefined below the high-water mark, else a promise that resolves on drain. Ignored after the call has ended. */
  send: (response: Buffer) => Promise<void> | void;
  /** Sends what waits for later responses of this turn. Needed only before the call is ended by other means. */
  flush: () => void;
  /** Whether the client takes the SHA-256 of large data in place of the data. */
  digestsData: boolean;
  /** A reusable buffer for encoding a response, if `send` copies responses. */
  scratch: Buffer | undefined;
  /** The client has disconnected, or the call has ended. */
  isClosed: () => boolean;
  onClose: (listener: () => void) => void;
}>;

/** Unsent bytes per call: enough to keep the connection busy, few enough for ten thousand slow clients. */
const HIGH_WATER_MARK_BYTES = 256 << 10;
const MESSAGE_BYTES = 128 << 10;

/**
 * A client with this header accepts several concatenated responses in one message, which reduces the cost per response. EventStoreDB
 * ignores the header, so the client must also accept one response per message. The reply has the same header: only then may the client
 * send several requests of a batch append in one message.
 */
const COALESCING_HEADER = 'several-a-message';

/** A client with this header knows that a reply to a batch append acknowledges the ones before it; see `acknowledgementsOf`. */
const CUMULATIVE_HEADER = 'cumulative-replies';

/** A client with this header needs hashes only, which spares the transport of large data. EventStoreDB ignores it. */
const DIGESTS_HEADER = 'digests-of-data';

type Call = ServerWritableStream<ReadReq, Buffer> | ServerDuplexStream<BatchAppendRequest[], Buffer>;

/** Shared by all calls, because a response is copied in the same turn in which it is encoded. */
const SCRATCH = Buffer.allocUnsafeSlow(64 << 10);
const NO_BYTES = Buffer.alloc(0);

const asksForCoalescing = ({ metadata }: Call): boolean => metadata.get(COALESCING_HEADER).length > 0;

/** Permits the client of a batch append to send several requests in one message, if it knows the header. */
export const acceptSeveralRequests = (call: Call): void => {
  if (!asksForCoalescing(call)) return;
  const metadata = new Metadata();
  metadata.set(COALESCING_HEADER, 'true');
  call.sendMetadata(metadata);
};

export const acceptsCumulativeReplies = ({ metadata }: Call): boolean => metadata.get(CUMULATIVE_HEADER).length > 0;

export const responsesOf = (call: Call): Responses => {
  const listeners = new Set<() => void>();
  const coalesces = asksForCoalescing(call);
  /** The free memory for the current and later messages. */
  let buffer = NO_BYTES;
  let bufferedBytes = 0;
  let unsentBytes = 0;
  let isClosed = call.cancelled;
  let drained: (() => void) | undefined;
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    drained?.();
    for (const listener of listeners) listener();
  };
  for (const event of ['cancelled', 'close', 'error']) call.on(event, close);

  const write = (message: Buffer): void => {
    if (isClosed) return;
    unsentBytes += message.length;
    call.write(message, () => {
      unsentBytes -= message.length;
      if (unsentBytes < HIGH_WATER_MARK_BYTES) drained?.();
    });
  };
  const flush = (): void => {
    if (bufferedBytes === 0) return;
    const message = buffer.subarray(0, bufferedBytes);
    buffer = buffer.subarray(bufferedBytes);
    bufferedBytes = 0;
    write(message);
  };
  const enqueue = (response: Buffer): void => {
    if (bufferedBytes + response.length > buffer.length) {
      flush();
      buffer = Buffer.allocUnsafeSlow(Math.max(MESSAGE_BYTES, response.length));
    }
    if (bufferedBytes === 0) queueMicrotask(flush); // coalesces the responses of this turn
    bufferedBytes += response.copy(buffer, bufferedBytes);
  };

  return {
    digestsData: call.metadata.get(DIGESTS_HEADER).length > 0,
    send: (response) => {
      if (isClosed) return undefined;
      if (coalesces) enqueue(response);
      else write(response);
      if (unsentBytes < HIGH_WATER_MARK_BYTES) return undefined;
      return new Promise((resolve) => {
        drained = resolve;
      });
    },
    flush,
    scratch: coalesces ? SCRATCH : undefined,
    isClosed: () => isClosed,
    onClose: (listener) => {
      if (isClosed) listener();
      else listeners.add(listener);
    },
  };
};

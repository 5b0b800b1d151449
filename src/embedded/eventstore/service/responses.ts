import type { ServerWritableStream } from '@grpc/grpc-js';

/** Sends the encoded responses of a read. */
export type Responses = Readonly<{
  /** Returns undefined below the high-water mark, else a promise that resolves on drain. Ignored after the call has ended. */
  send: (response: Buffer) => Promise<void> | void;
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
 * ignores the header, so the client must also accept one response per message.
 */
const COALESCING_HEADER = 'several-a-message';

/** Shared by all calls, because a response is copied in the same turn in which it is encoded. */
const SCRATCH = Buffer.allocUnsafeSlow(64 << 10);
const NO_BYTES = Buffer.alloc(0);

export const responsesOf = <Request>(call: ServerWritableStream<Request, Buffer>): Responses => {
  const listeners = new Set<() => void>();
  const coalesces = call.metadata.get(COALESCING_HEADER).length > 0;
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
  call.on('cancelled', close);
  call.on('close', close);
  call.on('error', close);

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
    send: (response) => {
      if (isClosed) return undefined;
      if (coalesces) enqueue(response);
      else write(response);
      if (unsentBytes < HIGH_WATER_MARK_BYTES) return undefined;
      return new Promise((resolve) => {
        drained = resolve;
      });
    },
    scratch: coalesces ? SCRATCH : undefined,
    isClosed: () => isClosed,
    onClose: (listener) => {
      if (isClosed) listener();
      else listeners.add(listener);
    },
  };
};

import type { ServerWritableStream } from '@grpc/grpc-js';

/** The replies of a reading call, already encoded. */
export type Responses = Readonly<{
  /** Resolves when the reader can take more; at once while little waits. What is sent after the end is dropped. */
  send: (response: Buffer) => Promise<void> | void;
  /** The reader has gone, or the call was ended. */
  isClosed: () => boolean;
  onClose: (listener: () => void) => void;
}>;

/** How much may wait for a reader: enough to keep the connection busy, little enough for ten thousand slow readers. */
const UNREAD_BYTES = 64 << 10;

export const responsesOf = <Request>(call: ServerWritableStream<Request, Buffer>): Responses => {
  const listeners = new Set<() => void>();
  let unread = 0;
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
  call.on('drain', () => {
    unread = 0;
    drained?.();
  });
  return {
    send: (response) => {
      if (isClosed) return undefined;
      unread += response.length;
      if (call.write(response)) {
        unread = 0;
        return undefined;
      }
      if (unread < UNREAD_BYTES) return undefined;
      return new Promise((resolve) => {
        drained = resolve;
      });
    },
    isClosed: () => isClosed,
    onClose: (listener) => {
      if (isClosed) listener();
      else listeners.add(listener);
    },
  };
};

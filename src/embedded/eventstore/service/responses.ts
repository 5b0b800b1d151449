import type { ServerWritableStream } from '@grpc/grpc-js';

/** The replies of a reading call, already encoded. */
export type Responses = Readonly<{
  /** Resolves when the reader can take more; at once while little waits. What is sent after the end is dropped. */
  send: (response: Buffer) => Promise<void> | void;
  /** Where there is one, what is sent is copied at once, and so may be written here each time anew. */
  scratch: Buffer | undefined;
  /** The reader has gone, or the call was ended. */
  isClosed: () => boolean;
  onClose: (listener: () => void) => void;
}>;

/** How much may wait for a reader: enough to keep the connection busy, little enough for ten thousand slow readers. */
const UNREAD_BYTES = 256 << 10;
const MESSAGE_BYTES = 128 << 10;

/**
 * With this header a reader says that it takes several responses in one message, one after the other as protobuf allows for: what a
 * message costs, a hundred responses then cost together. EventStoreDB ignores it, and so must a reader be ready for one in each.
 */
const SEVERAL_A_MESSAGE = 'several-a-message';

/** Of all calls, since nothing comes between writing there and sending. */
const SCRATCH = Buffer.allocUnsafeSlow(64 << 10);
const NOTHING = Buffer.alloc(0);

export const responsesOf = <Request>(call: ServerWritableStream<Request, Buffer>): Responses => {
  const listeners = new Set<() => void>();
  const several = call.metadata.get(SEVERAL_A_MESSAGE).length > 0;
  /** Memory for this message and the next ones. */
  let room = NOTHING;
  let gathered = 0;
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

  const write = (message: Buffer): void => {
    if (isClosed) return;
    unread += message.length;
    call.write(message, () => {
      unread -= message.length;
      if (unread < UNREAD_BYTES) drained?.();
    });
  };
  const flush = (): void => {
    if (gathered === 0) return;
    const message = room.subarray(0, gathered);
    room = room.subarray(gathered);
    gathered = 0;
    write(message);
  };
  const gather = (response: Buffer): void => {
    if (gathered + response.length > room.length) {
      flush();
      room = Buffer.allocUnsafeSlow(Math.max(MESSAGE_BYTES, response.length));
    }
    if (gathered === 0) queueMicrotask(flush); // what follows at once goes with it
    gathered += response.copy(room, gathered);
  };

  return {
    send: (response) => {
      if (isClosed) return undefined;
      if (several) gather(response);
      else write(response);
      if (unread < UNREAD_BYTES) return undefined;
      return new Promise((resolve) => {
        drained = resolve;
      });
    },
    scratch: several ? SCRATCH : undefined,
    isClosed: () => isClosed,
    onClose: (listener) => {
      if (isClosed) listener();
      else listeners.add(listener);
    },
  };
};

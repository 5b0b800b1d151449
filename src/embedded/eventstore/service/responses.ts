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
const UNREAD_BYTES = 256 << 10;
const MESSAGE_BYTES = 128 << 10;

/**
 * With this header a reader says that it takes several responses in one message, one after the other as protobuf allows for: what a
 * message costs, a hundred responses then cost together. EventStoreDB ignores it, and so must a reader be ready for one in each.
 */
const SEVERAL_A_MESSAGE = 'several-a-message';

export const responsesOf = <Request>(call: ServerWritableStream<Request, Buffer>): Responses => {
  const listeners = new Set<() => void>();
  const several = call.metadata.get(SEVERAL_A_MESSAGE).length > 0;
  let gathered: Buffer[] = [];
  let gatheredBytes = 0;
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
    if (gathered.length === 0) return;
    const message = Buffer.concat(gathered, gatheredBytes);
    [gathered, gatheredBytes] = [[], 0];
    write(message);
  };
  const gather = (response: Buffer): void => {
    if (gathered.length === 0) queueMicrotask(flush); // what follows at once goes with it
    gathered.push(response);
    gatheredBytes += response.length;
    if (gatheredBytes >= MESSAGE_BYTES) flush();
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
    isClosed: () => isClosed,
    onClose: (listener) => {
      if (isClosed) listener();
      else listeners.add(listener);
    },
  };
};

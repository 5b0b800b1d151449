import { status } from '@grpc/grpc-js';
import { CallError, serviceErrorOf } from './callError.ts';

/** The part of a gRPC streaming call that is needed to end it. */
type StreamingCall = {
  on: (event: 'close' | 'cancelled', listener: () => void) => unknown;
  emit: (event: 'error', error: Error) => unknown;
};

/** The open streaming calls. The server ends them when it shuts down, because clients keep them open indefinitely. */
export type OpenCalls = Readonly<{
  add: (call: StreamingCall) => void;
  /** Ends all calls with `UNAVAILABLE`, also those that are added later, so that clients reconnect. Responses sent before are delivered. */
  end: () => void;
}>;

/** Tracks the streaming calls of a server, so that its shutdown can end all of them. */
export const openCalls = (): OpenCalls => {
  const open = new Set<StreamingCall>();
  let hasEnded = false;
  const endCall = (call: StreamingCall): void => {
    call.emit('error', serviceErrorOf(new CallError(status.UNAVAILABLE, 'The event store is shutting down')));
  };
  return {
    add: (call) => {
      // The call's handler adds its listeners in this turn.
      if (hasEnded) setImmediate(endCall, call);
      open.add(call);
      const forget = (): void => {
        open.delete(call);
      };
      call.on('close', forget);
      call.on('cancelled', forget);
    },
    end: () => {
      hasEnded = true;
      for (const call of open) endCall(call);
    },
  };
};

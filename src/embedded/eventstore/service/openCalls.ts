import { status } from '@grpc/grpc-js';
import { CallError, serviceErrorOf } from './callError.ts';

/** A streaming call as far as ending it goes. */
type StreamingCall = {
  on: (event: 'close' | 'cancelled', listener: () => void) => unknown;
  emit: (event: 'error', error: Error) => unknown;
};

/** Streaming calls last as long as a client likes; when the server goes, somebody has to end them. */
export type OpenCalls = Readonly<{
  add: (call: StreamingCall) => void;
  /** Ends all of them so that clients look for the server anew. What was sent before still arrives. */
  end: () => void;
}>;

export const openCalls = (): OpenCalls => {
  const open = new Set<StreamingCall>();
  return {
    add: (call) => {
      open.add(call);
      const forget = (): void => {
        open.delete(call);
      };
      call.on('close', forget);
      call.on('cancelled', forget);
    },
    end: () => {
      const reason = serviceErrorOf(new CallError(status.UNAVAILABLE, 'The event store is shutting down'));
      for (const call of open) call.emit('error', reason);
    },
  };
};

import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A load of recorded calls: one connection a source, with sequential requests. */
export type Load = {
  url: string;
  path: string;
  sources: readonly { token: string; sourceId: string }[];
  /** Calls a request. */
  batch: number;
  seconds: number;
  /** Seconds before the measurement. */
  warmUp: number;
  /** After a rejected request: retry within 20 ms (the default), or wait as long as `Retry-After` says. */
  onRefusal?: 'retry' | 'wait';
};

/** `acknowledged` is the total number of calls, by index of the source; rates and latencies are of the measured seconds. */
export type LoadResult = {
  acknowledged: number[];
  callsPerSecond: number;
  requestsPerSecond: number;
  /** Milliseconds from request to response. */
  latency: { p50: number; p99: number };
  refused: number;
  /** Rejected requests a second during the measurement. */
  refusedPerSecond: number;
  /** CPU seconds of the load process during the measurement. */
  cpuSeconds: number;
  bytesPerCall: number;
};

/** Runs a load in a child process. `onCounting` is called when the measurement begins and ends. */
export const runLoad = async (load: Load, onCounting: (phase: 'begin' | 'end') => void = () => undefined): Promise<LoadResult> => {
  const child = fork(new URL('./loadProcess.js', import.meta.url));
  try {
    return await new Promise<LoadResult>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`The load ended with ${code}`)));
      child.on('message', (message: LoadResult | 'begin' | 'end') => {
        if (message === 'begin' || message === 'end') onCounting(message);
        else resolve(message);
      });
      child.send(load);
    });
  } finally {
    if (child.exitCode === null) {
      child.kill();
      await once(child, 'exit');
    }
  }
};

import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Who records calls, and how: one connection a source, each request after the answer to the one before. */
export type Load = {
  url: string;
  path: string;
  sources: readonly { token: string; sourceId: string }[];
  /** Calls in a request. */
  batch: number;
  seconds: number;
  /** Seconds before it counts. */
  warmUp: number;
  /** What who is refused does: come back at once, or wait as `Retry-After` says. At once when it is left out. */
  patience?: 'none' | 'as told';
};

/** `acknowledged` calls in all, by the index of their source; rates and times of the seconds that counted. */
export type LoadResult = {
  acknowledged: number[];
  callsPerSecond: number;
  requestsPerSecond: number;
  /** Milliseconds from request to answer. */
  latency: { p50: number; p99: number };
  refused: number;
  /** Requests refused a second, while it counted. */
  refusedPerSecond: number;
  /** CPU seconds of the process that made the load, while it counted. */
  cpuSeconds: number;
  bytesPerCall: number;
};

/** Runs a load in a process of its own; `onCounting` is called when it begins to count and when it ends. */
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

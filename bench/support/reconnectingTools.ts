import { setTimeout as delay } from 'node:timers/promises';
import { startProcess } from './socketProcesses.ts';

const POLL_MS = 50;
const TIMEOUT_MS = 300_000;

/** Tools that reconnect after each lost connection, as the command line does. */
export type ReconnectingTools = {
  connected: () => number;
  /** Seconds until exactly `count` tools are connected. */
  until: (count: number) => Promise<number>;
  kill: () => void;
};

/** Starts one tool for each token in `processes` processes. All tools connect concurrently. */
export const startReconnectingTools = (url: string, tokens: readonly string[], processes: number): ReconnectingTools => {
  const each = Math.ceil(tokens.length / processes);
  const counts: number[] = [];
  const children = Array.from({ length: processes }, (_, index) => {
    const child = startProcess('toolsProcess.js');
    child.on('message', (count: number) => {
      counts[index] = count;
    });
    child.send({ url, tokens: tokens.slice(index * each, (index + 1) * each) });
    return child;
  });
  const connected = (): number => counts.reduce((sum, count) => sum + count, 0);
  return {
    connected,
    until: async (count) => {
      const begun = performance.now();
      while (connected() !== count) {
        if (performance.now() - begun > TIMEOUT_MS) throw new Error(`${connected()} tools are connected instead of ${count}`);
        await delay(POLL_MS);
      }
      return (performance.now() - begun) / 1000;
    },
    kill: () => {
      for (const child of children) child.kill('SIGKILL');
    },
  };
};

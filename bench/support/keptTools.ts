import { setTimeout as delay } from 'node:timers/promises';
import { startProcess } from './holders.ts';

const LOOK_EVERY_MS = 50;
const GIVE_UP_MS = 300_000;

/** Tools that come back whenever they are lost, as the command line does. */
export type KeptTools = {
  connected: () => number;
  /** Seconds until so many are connected. */
  until: (count: number) => Promise<number>;
  kill: () => void;
};

/** One tool a token, in `processes` processes; all of them set out at once. */
export const keepTools = (url: string, tokens: readonly string[], processes: number): KeptTools => {
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
        if (performance.now() - begun > GIVE_UP_MS) throw new Error(`${connected()} tools are connected instead of ${count}`);
        await delay(LOOK_EVERY_MS);
      }
      return (performance.now() - begun) / 1000;
    },
    kill: () => {
      for (const child of children) child.kill('SIGKILL');
    },
  };
};

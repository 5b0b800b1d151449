import { randomUUID } from 'node:crypto';
import { once, setMaxListeners } from 'node:events';
import { keepConnected } from '../../src/cli/connect/presence.ts';

/** Keeps a tool connected for each token, reconnects as the command line does, and reports the number of connected tools. */

const REPORT_MS = 50;

const [{ url, tokens }] = (await once(process, 'message')) as [{ url: string; tokens: readonly string[] }];

const connected = new Set<number>();
const never = new AbortController();
setMaxListeners(0, never.signal);
const ended = tokens.map((token, index) =>
  keepConnected({
    server: url,
    token,
    connectionId: randomUUID(),
    env: {},
    userAgent: 'latchkey-bench',
    onFrame: (_raw, frame) => {
      if (frame?.type === 'welcome') connected.add(index);
    },
    onLost: () => connected.delete(index),
    signal: never.signal,
    waitsForSeat: false,
    giveUpAfterMs: null,
  }),
);
setInterval(() => process.send?.(connected.size), REPORT_MS);
throw new Error(`A tool gave up: ${(await Promise.race(ended))?.message}`);

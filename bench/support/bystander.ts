import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { io, type Socket } from 'socket.io-client';
import { DATABASES } from '../../src/bootstrap/embeddedStores.ts';
import type { ServerToBrowser } from '../../src/contracts/live.ts';
import { PRESENCE_CHANNEL } from '../../src/live/presence.ts';
import { adminCookie, callerOf, type Tool } from './people.ts';
import type { Product } from './product.ts';

const EVERY_MS = 100;

/** What others had of it while many tools came or went: answers in ms, and what was sent to one browser and between nodes. */
export type Seen = {
  lists: number[];
  signIns: number[];
  unanswered: number;
  browserMessages: number;
  busiestSecond: number;
  notices: number;
};

/** Asks for a list and signs a known tool in, again and again, beside an administrator's browser, until it is stopped. */
export const standBy = async (product: Product, { licenseKey }: Tool): Promise<{ stop: () => Promise<Seen> }> => {
  const { url, dataDir } = product;
  const cookie = await adminCookie(url);
  const seen: Seen = { lists: [], signIns: [], unanswered: 0, browserMessages: 0, busiestSecond: 0, notices: 0 };
  const perSecond = new Map<number, number>();

  const browser: Socket<ServerToBrowser> = io(url, { transports: ['websocket'], extraHeaders: { cookie }, forceNew: true });
  await new Promise<void>((resolve) => browser.once('connect', resolve));
  browser.onAny((name: string) => {
    if (name === 'metrics') return; // sent every second anyway
    const second = Math.floor(performance.now() / 1000);
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
    seen.browserMessages += 1;
  });
  const socketDir = join(dataDir, 'postgres/cluster');
  const listener = new pg.Client({ host: socketDir, port: 5432, user: 'latchkey', database: DATABASES.product });
  listener.on('error', () => undefined); // it ends with the product
  await listener.connect();
  await listener.query(`listen ${PRESENCE_CHANNEL}`);
  listener.on('notification', () => {
    seen.notices += 1;
  });

  const admin = callerOf(url, { cookie });
  const anyone = callerOf(url, {});
  let over = false;
  const again = async (times: number[], ask: () => Promise<unknown>): Promise<void> => {
    while (!over) {
      const begun = performance.now();
      try {
        await ask();
        times.push(performance.now() - begun);
      } catch {
        seen.unanswered += 1;
      }
      await delay(Math.max(0, begun + EVERY_MS - performance.now()));
    }
  };
  const login = { licenseKey, username: 'user-0', email: 'user-0@acme.example', machineId: 'machine-of-user-0' };
  const running = [
    again(seen.lists, () => admin('GET', '/api/admin/customers?limit=50')),
    again(seen.signIns, () => anyone('POST', '/api/cli/login', login)),
  ];
  return {
    stop: async () => {
      over = true;
      await Promise.all(running);
      browser.disconnect();
      await listener.end().catch(() => undefined);
      return { ...seen, busiestSecond: Math.max(0, ...perSecond.values()) };
    },
  };
};

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { io, type Socket } from 'socket.io-client';
import { DATABASES } from '../../src/bootstrap/embeddedStores.ts';
import type { ServerToBrowser } from '../../src/contracts/live.ts';
import { PRESENCE_CHANNEL } from '../../src/live/presence.ts';
import { adminCookie, callerOf, type Tool } from './apiClients.ts';
import type { Product } from './product.ts';

const INTERVAL_MS = 100;

/** Latencies in ms of background requests, the messages to one browser, and the notifications between nodes. */
export type BackgroundFigures = {
  lists: number[];
  signIns: number[];
  unanswered: number;
  browserMessages: number;
  busiestSecond: number;
  notices: number;
};

/** Requests a list and signs in a known tool repeatedly until `stop`, and counts the messages to an administrator's browser. */
export const startBackgroundRequests = async (
  product: Product,
  { licenseKey }: Tool,
): Promise<{ stop: () => Promise<BackgroundFigures> }> => {
  const { url, dataDir } = product;
  const cookie = await adminCookie(url);
  const figures: BackgroundFigures = { lists: [], signIns: [], unanswered: 0, browserMessages: 0, busiestSecond: 0, notices: 0 };
  const perSecond = new Map<number, number>();

  const browser: Socket<ServerToBrowser> = io(url, { transports: ['websocket'], extraHeaders: { cookie }, forceNew: true });
  await new Promise<void>((resolve) => browser.once('connect', resolve));
  browser.onAny((name: string) => {
    if (name === 'metrics') return; // sent every second, independent of the load
    const second = Math.floor(performance.now() / 1000);
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
    figures.browserMessages += 1;
  });
  const socketDir = join(dataDir, 'postgres/cluster');
  const listener = new pg.Client({ host: socketDir, port: 5432, user: 'latchkey', database: DATABASES.product });
  listener.on('error', () => undefined); // the connection ends with the server
  await listener.connect();
  await listener.query(`listen ${PRESENCE_CHANNEL}`);
  listener.on('notification', () => {
    figures.notices += 1;
  });

  const admin = callerOf(url, { cookie });
  const anonymous = callerOf(url, {});
  let isStopped = false;
  const repeat = async (times: number[], request: () => Promise<unknown>): Promise<void> => {
    while (!isStopped) {
      const begun = performance.now();
      try {
        await request();
        times.push(performance.now() - begun);
      } catch {
        figures.unanswered += 1;
      }
      await delay(Math.max(0, begun + INTERVAL_MS - performance.now()));
    }
  };
  const login = { licenseKey, username: 'user-0', email: 'user-0@acme.example', machineId: 'machine-of-user-0' };
  const running = [
    repeat(figures.lists, () => admin('GET', '/api/admin/customers?limit=50')),
    repeat(figures.signIns, () => anonymous('POST', '/api/cli/login', login)),
  ];
  return {
    stop: async () => {
      isStopped = true;
      await Promise.all(running);
      browser.disconnect();
      await listener.end().catch(() => undefined);
      return { ...figures, busiestSecond: Math.max(0, ...perSecond.values()) };
    },
  };
};

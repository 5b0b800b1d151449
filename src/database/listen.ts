import pg from 'pg';
import { backoffMs } from '../flow/backoff.ts';

const HEARTBEAT_MS = 5_000;
const BACKOFF = { firstMs: 50, mostMs: 2_000 } as const;

/** PostgreSQL's NOTIFY, received on a dedicated connection that is reopened whenever it breaks. */
export type Notices = Readonly<{
  /** Calls back with each payload of a channel; returns a function that stops it. */
  on: (channel: string, handler: (payload: string) => void) => () => void;
  /** Calls back whenever the connection was reopened: notifications in between were missed. */
  onGap: (handler: () => void) => () => void;
  /** False while notifications may be missed, so that caches must not be used. */
  live: () => boolean;
  /** Resolves once it listens. Throws if the first connection fails. */
  start: () => Promise<void>;
  close: () => Promise<void>;
}>;

/** Listens on the given channels (plain identifiers). A connection without a reply is replaced within ten seconds. */
export const listenTo = (url: string, channels: readonly string[], { onError }: { onError: (error: unknown) => void }): Notices => {
  const handlers = new Map<string, Set<(payload: string) => void>>();
  const gapHandlers = new Set<() => void>();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let attempt = 0;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'latchkey-notices',
      connectionTimeoutMillis: HEARTBEAT_MS,
      query_timeout: HEARTBEAT_MS,
      keepAlive: true,
    });
    next.on('notification', ({ channel, payload }) => {
      for (const handler of handlers.get(channel) ?? []) handler(payload ?? '');
    });
    next.on('error', (error) => lost(next, error));
    next.on('end', () => lost(next, new Error('The connection ended')));
    try {
      await next.connect();
      await next.query(channels.map((channel) => `listen ${next.escapeIdentifier(channel)}`).join('; '));
    } catch (error) {
      await next.end().catch(() => undefined);
      throw error;
    }
    if (closed) return next.end();
    client = next;
    attempt = 0;
    timer = setTimeout(beat, HEARTBEAT_MS);
  };

  const beat = (): void => {
    const current = client;
    if (!current) return;
    current.query('select 1').then(
      () => {
        if (client === current && !closed) timer = setTimeout(beat, HEARTBEAT_MS);
      },
      (error: unknown) => lost(current, error),
    );
  };

  const lost = (broken: pg.Client, error: unknown): void => {
    if (client !== broken) return;
    client = undefined;
    clearTimeout(timer);
    if (closed) return;
    onError(error);
    broken.end().catch(() => undefined);
    retry();
  };

  const retry = (): void => {
    timer = setTimeout(
      () => {
        connect().then(
          () => {
            for (const handler of gapHandlers) handler();
          },
          (error: unknown) => {
            onError(error);
            if (!closed) retry();
          },
        );
      },
      backoffMs(attempt++, BACKOFF),
    );
  };

  return {
    on: (channel, handler) => {
      if (!channels.includes(channel)) throw new Error(`Not listening to ${channel}`);
      const set = handlers.get(channel) ?? new Set();
      handlers.set(channel, set.add(handler));
      return () => void set.delete(handler);
    },
    onGap: (handler) => {
      gapHandlers.add(handler);
      return () => void gapHandlers.delete(handler);
    },
    live: () => client !== undefined,
    start: connect,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      const current = client;
      client = undefined;
      await current?.end().catch(() => undefined);
    },
  };
};

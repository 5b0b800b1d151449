import type { QueryClient } from '@tanstack/react-query';
import type { Socket } from 'socket.io-client';
import type { Handshake, Presence, ServerToBrowser } from '../../../src/contracts/live.ts';
import type { MetricsPoint } from '../../../src/contracts/monitoring.ts';
import { backoffMs } from '../../../src/flow/backoff.ts';
import { sessionKey } from '../api/sessionKey.ts';
import { readToken } from '../api/tokens.ts';
import type { Area } from '../areas.ts';
import { createListeners } from '../lib/listeners.ts';
import { createRefresher } from './refresher.ts';

/** The state of an area's live connection. `offline` follows several failed attempts to reconnect. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'offline';

type LiveSocket = Socket<ServerToBrowser, Record<string, never>>;
type Listener = () => void;

/** Failed attempts until the state is offline instead of reconnecting. */
const OFFLINE_AFTER_ATTEMPTS = 4;
const BACKOFF = { firstMs: 500, mostMs: 10_000 } as const;

/** The live feed of one area: its state, and what it receives. */
export type LiveConnection = {
  state: () => LiveState;
  /** When the last message arrived, in ms of the wall clock; null before the first. */
  lastMessageAt: () => number | null;
  subscribe: (listener: Listener) => () => void;
  onMetrics: (listener: (point: MetricsPoint) => void) => () => void;
  onPresence: (listener: (presence: Presence) => void) => () => void;
  open: () => void;
  close: () => void;
};

/** In ms: no data is older than the page. One clock stops while the computer sleeps, the other may be adjusted. */
const pageAge = (): number => Math.ceil(Math.max(performance.now(), Date.now() - performance.timeOrigin));

export const createLiveConnection = (area: Area, queries: QueryClient): LiveConnection => {
  const changes = createListeners();
  const metrics = createListeners<MetricsPoint>();
  const presences = createListeners<Presence>();
  const refresh = createRefresher(area, queries);
  let socket: LiveSocket | undefined;
  let isOpen = false;
  let state: LiveState = 'connecting';
  let lastMessageAt: number | null = null;
  let position: string | undefined;
  let failures = 0;
  let retry = 0;

  const become = (next: LiveState): void => {
    if (next === state) return;
    state = next;
    changes.notify();
  };

  const markMessage = (): void => {
    lastMessageAt = Date.now();
  };

  const lost = (): void => become(!navigator.onLine || failures >= OFFLINE_AFTER_ATTEMPTS ? 'offline' : 'reconnecting');

  const later = (attempt: () => void): void => {
    window.clearTimeout(retry);
    retry = window.setTimeout(() => isOpen && attempt(), backoffMs(failures, BACKOFF));
  };

  /** The client library does not retry after a rejected handshake or a disconnect by the server. */
  const retryLater = (target: LiveSocket): void => later(() => void (target.connected || target.connect()));

  const addListeners = (target: LiveSocket): void => {
    target.on('connect', () => {
      failures = 0;
      markMessage();
      become('live');
    });
    target.on('changed', ({ topics, position: newest }) => {
      markMessage();
      position = newest;
      refresh(topics);
    });
    target.on('presence', (presence) => {
      markMessage();
      presences.notify(presence);
    });
    target.on('metrics', (point) => {
      markMessage();
      metrics.notify(point);
    });
    target.on('disconnect', (reason) => {
      if (!isOpen) return;
      lost();
      if (reason !== 'io server disconnect') return;
      void queries.invalidateQueries({ queryKey: sessionKey });
      retryLater(target);
    });
    target.on('connect_error', () => {
      failures += 1;
      lost();
      if (target.active) return;
      void queries.invalidateQueries({ queryKey: sessionKey });
      retryLater(target);
    });
    target.io.on('ping', markMessage);
  };

  const handshake = (): Handshake => {
    const token = readToken(area);
    return { ...(token ? { token } : {}), ...(position ? { position } : { ageMs: pageAge() }) };
  };

  /** Fetches the code of the client library first, which may fail as any connection may. */
  const connect = async (): Promise<void> => {
    const client = await import('socket.io-client').catch(() => null);
    if (!isOpen || socket) return;
    if (!client) {
      failures += 1;
      lost();
      later(() => void connect());
      return;
    }
    socket = client.io({
      transports: ['websocket'],
      withCredentials: true,
      forceNew: true,
      auth: (send) => send(handshake()),
      reconnectionDelay: BACKOFF.firstMs,
      reconnectionDelayMax: BACKOFF.mostMs,
    });
    addListeners(socket);
  };

  const wentOffline = (): void => {
    if (isOpen) become('offline');
  };
  /** Reconnects: a connection that seems to have survived the outage may be dead. */
  const cameOnline = (): void => {
    if (!isOpen) return;
    become('reconnecting');
    if (socket) socket.disconnect().connect();
    else void connect();
  };

  return {
    state: () => state,
    lastMessageAt: () => lastMessageAt,
    subscribe: (listener) => changes.add(listener),
    onMetrics: metrics.add,
    onPresence: presences.add,
    open: () => {
      if (isOpen) return;
      isOpen = true;
      window.addEventListener('offline', wentOffline);
      window.addEventListener('online', cameOnline);
      if (socket) socket.connect();
      else void connect();
    },
    close: () => {
      isOpen = false;
      window.clearTimeout(retry);
      window.removeEventListener('offline', wentOffline);
      window.removeEventListener('online', cameOnline);
      socket?.disconnect();
      become('connecting');
    },
  };
};

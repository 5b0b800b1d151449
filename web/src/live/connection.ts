import type { QueryClient } from '@tanstack/react-query';
import type { Socket } from 'socket.io-client';
import type { Handshake, Presence, ServerToBrowser } from '../../../src/contracts/live.ts';
import type { MetricsPoint } from '../../../src/contracts/monitoring.ts';
import { sessionKey } from '../api/sessionKey.ts';
import { readToken } from '../api/tokens.ts';
import type { Area } from '../areas.ts';
import { createRefresher } from './refresher.ts';

export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'offline';

type LiveSocket = Socket<ServerToBrowser, Record<string, never>>;
type Listener = () => void;

/** Tries that fail before the screen says Offline instead of Reconnecting. */
const OFFLINE_AFTER_TRIES = 4;
const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 10_000;

/** The live feed of one area: what it says about itself, and what arrives. */
export type LiveConnection = {
  state: () => LiveState;
  /** When the last sign of life came, in ms of the wall clock; null before the first. */
  lastHeardAt: () => number | null;
  subscribe: (listener: Listener) => () => void;
  onMetrics: (listener: (point: MetricsPoint) => void) => () => void;
  onPresence: (listener: (presence: Presence) => void) => () => void;
  open: () => void;
  close: () => void;
};

/** In ms. Nothing was fetched before the page began. One clock stands still while a computer sleeps, the other may be set. */
const pageAge = (): number => Math.ceil(Math.max(performance.now(), Date.now() - performance.timeOrigin));

const listeners = <Argument>() => {
  const all = new Set<(argument: Argument) => void>();
  return {
    tell: (argument: Argument) => {
      for (const listener of all) listener(argument);
    },
    add: (listener: (argument: Argument) => void) => {
      all.add(listener);
      return () => void all.delete(listener);
    },
  };
};

export const createLiveConnection = (area: Area, queries: QueryClient): LiveConnection => {
  const changes = listeners<void>();
  const metrics = listeners<MetricsPoint>();
  const presences = listeners<Presence>();
  const refresher = createRefresher(area, queries);
  let socket: LiveSocket | undefined;
  let wanted = false;
  let state: LiveState = 'connecting';
  let lastHeardAt: number | null = null;
  let position: string | undefined;
  let failures = 0;
  let retry = 0;

  const become = (next: LiveState): void => {
    if (next === state) return;
    state = next;
    changes.tell();
  };

  const heard = (): void => {
    lastHeardAt = Date.now();
  };

  const lost = (): void => become(!navigator.onLine || failures >= OFFLINE_AFTER_TRIES ? 'offline' : 'reconnecting');

  const later = (attempt: () => void): void => {
    const pause = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** failures) * (0.75 + Math.random() / 2);
    window.clearTimeout(retry);
    retry = window.setTimeout(() => wanted && attempt(), pause);
  };

  /** A refusal or a server that hangs up is not retried by the client itself. */
  const retryLater = (target: LiveSocket): void => later(() => void (target.connected || target.connect()));

  const wire = (target: LiveSocket): void => {
    target.on('connect', () => {
      failures = 0;
      heard();
      become('live');
    });
    target.on('changed', ({ topics, position: newest }) => {
      heard();
      position = newest;
      refresher.refresh(topics);
    });
    target.on('presence', (presence) => {
      heard();
      presences.tell(presence);
    });
    target.on('metrics', (point) => {
      heard();
      metrics.tell(point);
    });
    target.on('disconnect', (reason) => {
      if (!wanted) return;
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
    target.io.on('ping', heard);
  };

  const handshake = (): Handshake => {
    const token = readToken(area);
    return { ...(token ? { token } : {}), ...(position ? { position } : { ageMs: pageAge() }) };
  };

  /** The client's own code is fetched first, which may fail as any connection may. */
  const connect = async (): Promise<void> => {
    const client = await import('socket.io-client').catch(() => null);
    if (!wanted || socket) return;
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
      reconnectionDelay: RETRY_MIN_MS,
      reconnectionDelayMax: RETRY_MAX_MS,
    });
    wire(socket);
  };

  const wentOffline = (): void => {
    if (wanted) become('offline');
  };
  /** A connection that seems to have outlived the outage may be dead and not know it: it is made anew. */
  const cameOnline = (): void => {
    if (!wanted) return;
    become('reconnecting');
    if (socket) socket.disconnect().connect();
    else void connect();
  };

  return {
    state: () => state,
    lastHeardAt: () => lastHeardAt,
    subscribe: (listener) => changes.add(listener),
    onMetrics: metrics.add,
    onPresence: presences.add,
    open: () => {
      if (wanted) return;
      wanted = true;
      window.addEventListener('offline', wentOffline);
      window.addEventListener('online', cameOnline);
      if (socket) socket.connect();
      else void connect();
    },
    close: () => {
      wanted = false;
      window.clearTimeout(retry);
      window.removeEventListener('offline', wentOffline);
      window.removeEventListener('online', cameOnline);
      socket?.disconnect();
      become('connecting');
    },
  };
};

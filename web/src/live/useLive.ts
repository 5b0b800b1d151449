import { useEffect, useSyncExternalStore } from 'react';
import type { MetricsPoint } from '../../../src/contracts/monitoring.ts';
import { queryClientOf } from '../api/queryClients.ts';
import type { Area } from '../areas.ts';
import { createLiveConnection, type LiveConnection, type LiveState } from './connection.ts';
import { createPresence } from './presence.ts';

/** Leaving and entering within this time, as between two screens, keeps the connection. */
const CLOSE_AFTER_MS = 1000;

type Shared = { connection: LiveConnection; users: number; closing: number };

const shared = new Map<Area, Shared>();

const sharedOf = (area: Area): Shared => {
  const known = shared.get(area);
  if (known) return known;
  const queries = queryClientOf(area);
  const made = { connection: createLiveConnection(area, queries), users: 0, closing: 0 };
  made.connection.onPresence(createPresence(queries));
  shared.set(area, made);
  return made;
};

/** Ends the area's connection at once, as when somebody signs out. */
export const closeLive = (area: Area): void => shared.get(area)?.connection.close();

/** Takes the area's connection up again after `closeLive`, where a screen still wants it. */
export const resumeLive = (area: Area): void => {
  const own = shared.get(area);
  if (own && own.users > 0) own.connection.open();
};

/** Keeps the area's live feed open while the component is there. */
export const useLive = (area: Area): void => {
  useEffect(() => {
    const own = sharedOf(area);
    window.clearTimeout(own.closing);
    own.users += 1;
    own.connection.open();
    return () => {
      own.users -= 1;
      if (own.users > 0) return;
      own.closing = window.setTimeout(() => own.users === 0 && own.connection.close(), CLOSE_AFTER_MS);
    };
  }, [area]);
};

export const useLiveState = (area: Area): LiveState => {
  const { connection } = sharedOf(area);
  return useSyncExternalStore(connection.subscribe, connection.state);
};

/** When the area last heard from the server, in ms; read it when drawing, it does not make one draw. */
export const lastHeardAt = (area: Area): number | null => sharedOf(area).connection.lastHeardAt();

/** Hears every point of the live charts while the component is there. */
export const useMetricsFeed = (area: Area, onPoint: (point: MetricsPoint) => void): void => {
  useEffect(() => sharedOf(area).connection.onMetrics(onPoint), [area, onPoint]);
};

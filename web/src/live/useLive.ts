import { useEffect, useSyncExternalStore } from 'react';
import type { MetricsPoint } from '../../../src/contracts/monitoring.ts';
import { queryClientOf } from '../api/queryClients.ts';
import type { Area } from '../areas.ts';
import { createLiveConnection, type LiveConnection, type LiveState } from './connection.ts';
import { createPresence } from './presence.ts';

/** An unmount followed by a mount within this time, as between two screens, keeps the connection. */
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

/** Closes the area's connection immediately, such as at sign-out. */
export const closeLive = (area: Area): void => shared.get(area)?.connection.close();

/** Opens the area's connection again after `closeLive`, if a component still uses it. */
export const resumeLive = (area: Area): void => {
  const own = shared.get(area);
  if (own && own.users > 0) own.connection.open();
};

/** Keeps the area's live feed open while the component is mounted. */
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

/** The state of the area's live connection; a change renders the component again. */
export const useLiveState = (area: Area): LiveState => {
  const { connection } = sharedOf(area);
  return useSyncExternalStore(connection.subscribe, connection.state);
};

/** When the area's last message from the server arrived, in ms; null before the first. Does not cause a render. */
export const lastMessageAt = (area: Area): number | null => sharedOf(area).connection.lastMessageAt();

/** Subscribes to the points of the live charts while the component is mounted. */
export const useMetricsFeed = (area: Area, onPoint: (point: MetricsPoint) => void): void => {
  useEffect(() => sharedOf(area).connection.onMetrics(onPoint), [area, onPoint]);
};

import type { CustomerId, UserId } from '../domain/ids.ts';
import type { MetricsPoint } from './monitoring.ts';
import type { Topic } from './topics.ts';

/** Data behind these topics is newer now; `position` is the newest event that it holds. A topic of no words means everything. */
export type Changed = { topics: Topic[]; position: string };
/** Whether a user has at least one connected tool. `at` is the time of the change, ISO-8601 UTC. */
export type Presence = { userId: UserId; customerId: CustomerId; connected: boolean; at: string };

/** What the server sends on Socket.IO. Nothing is sent by browsers but the handshake. */
export type ServerToBrowser = {
  changed: (changed: Changed) => void;
  presence: (presence: Presence) => void;
  metrics: (point: MetricsPoint) => void;
};

/**
 * The handshake's `auth`: a bearer token, unless a cookie authenticates; after a reconnect the last position seen; before the first position
 * the age of the oldest data on the screen, in ms. The server sends what changed since.
 */
export type Handshake = { token?: string; position?: string; ageMs?: number };

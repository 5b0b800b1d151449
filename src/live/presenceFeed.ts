import type { Presence } from '../contracts/live.ts';
import { room, type Topic, topic } from '../contracts/topics.ts';
import type { UserPresence } from './presence.ts';

/** Users who are told of one by one in a room within a second: of more it is only said that lists have changed. */
const ONE_BY_ONE = 50;
const WINDOW_MS = 1_000;

/**
 * Tells rooms who came and went. One by one while they are few; when a node's tools come or go together, a room is told of the
 * lists that show them, which `touch` gathers. `now` is ms since 1970.
 */
export const createPresenceFeed = ({
  hasRoom,
  send,
  touch,
  now,
}: {
  hasRoom: (room: string) => boolean;
  send: (room: string, presence: Presence) => void;
  touch: (room: string, topics: readonly Topic[]) => void;
  now: () => number;
}): ((presence: readonly UserPresence[]) => void) => {
  const told = new Map<string, number>();
  let begunAt = Number.NEGATIVE_INFINITY;

  return (presence) => {
    const time = now();
    if (time - begunAt >= WINDOW_MS) {
      told.clear();
      begunAt = time;
    }
    const at = new Date(time).toISOString();
    for (const { userId, customerId, integratorId, connected } of presence) {
      for (const name of [room.admin, room.integrator(integratorId), room.customer(customerId)]) {
        if (!hasRoom(name)) continue;
        const before = told.get(name) ?? 0;
        told.set(name, before + 1);
        if (before < ONE_BY_ONE) send(name, { userId, customerId, connected, at });
        else touch(name, [topic.users(), topic.customers(), topic.customer(customerId)]);
      }
    }
  };
};

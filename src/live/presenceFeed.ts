import type { Presence } from '../contracts/live.ts';
import { room, type Topic, topic } from '../contracts/topics.ts';
import type { UserPresence } from './presence.ts';

/** Presence messages for single users that a room gets in one second; beyond that it is only notified that lists changed. */
const ONE_BY_ONE = 50;
const WINDOW_MS = 1_000;

/**
 * Notifies rooms of users that connected or disconnected: user by user while there are few, and by the topics of the lists that show
 * them, through `touch`, when many tools change at the same time. `now` is ms since 1970.
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
  const sentCounts = new Map<string, number>();
  let begunAt = Number.NEGATIVE_INFINITY;

  return (presence) => {
    const time = now();
    if (time - begunAt >= WINDOW_MS) {
      sentCounts.clear();
      begunAt = time;
    }
    const at = new Date(time).toISOString();
    for (const { userId, customerId, integratorId, connected } of presence) {
      const owner = integratorId === null ? [] : [room.integrator(integratorId)];
      for (const name of [room.admin, ...owner, room.customer(customerId)]) {
        if (!hasRoom(name)) continue;
        const before = sentCounts.get(name) ?? 0;
        sentCounts.set(name, before + 1);
        if (before < ONE_BY_ONE) send(name, { userId, customerId, connected, at });
        else touch(name, [topic.users(), topic.customers(), topic.customer(customerId)]);
      }
    }
  };
};

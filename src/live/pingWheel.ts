/** Seconds between two pings of one socket. */
const PING_S = 15;
/** A second ping that is not answered within this many seconds ends the socket. */
const GRACE_S = 5;

export type Pinged = { missed: number; ping: () => void; lose: () => void };

export type PingWheel = Readonly<{
  add: (socket: Pinged) => () => void;
  stop: () => void;
}>;

/**
 * One timer for all sockets: each is in one of fifteen slots and is pinged every 15 s. A socket with two unanswered pings is lost, at
 * most 35 s after its network failed. Slots are filled in turn, which spreads the pings over time.
 */
export const createPingWheel = (tickMs = 1_000): PingWheel => {
  const slots = Array.from({ length: PING_S }, () => new Set<Pinged>());
  let tick = 0;
  let next = 0;

  const slotAt = (index: number): Set<Pinged> => slots[((index % PING_S) + PING_S) % PING_S] ?? new Set();

  const timer = setInterval(() => {
    for (const socket of slotAt(tick - GRACE_S)) if (socket.missed >= 2) socket.lose();
    for (const socket of slotAt(tick)) {
      socket.missed += 1;
      socket.ping();
    }
    tick += 1;
  }, tickMs);

  return {
    add: (socket) => {
      const slot = slotAt(next++);
      slot.add(socket);
      return () => void slot.delete(socket);
    },
    stop: () => clearInterval(timer),
  };
};

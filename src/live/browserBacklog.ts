/** Messages that may wait for a browser that does not read. */
const MAX_WAITING = 500;

/** As much of an Engine.IO connection as this is about. */
type Connection = {
  on: (event: 'drain' | 'packetCreate', listener: () => void) => unknown;
  /** With `discard`, queued packets are dropped. */
  close: (discard: boolean) => unknown;
};

/** Disconnects a browser that has stopped reading and drops its queue; it gets the changes that it missed when it reconnects. */
export const boundBacklog = (connection: Connection, onSlow: () => void = () => undefined): void => {
  let waiting = 0;
  connection.on('drain', () => {
    waiting = 0;
  });
  connection.on('packetCreate', () => {
    waiting += 1;
    if (waiting !== MAX_WAITING) return;
    onSlow();
    connection.close(true);
  });
};

/** A browser sends one CONNECT packet and answers pings: more packets than these between two pings are too many. */
const MAX_PACKETS = 5;

/** As much of an Engine.IO connection as this is about; `heartbeat` is the answer to a ping. */
type Talking = { on: (event: 'packet' | 'heartbeat', listener: () => void) => unknown; close: (discard: boolean) => unknown };

/** Closes the connection of a browser that sends too much: each of several CONNECT packets would look its session up. */
export const boundPackets = (connection: Talking): void => {
  let packets = 0;
  connection.on('heartbeat', () => {
    packets = 0;
  });
  connection.on('packet', () => {
    packets += 1;
    if (packets > MAX_PACKETS) connection.close(true);
  });
};

/** Messages that may wait for a browser that does not read. */
const MAX_WAITING = 500;

/** As much of an Engine.IO connection as this is about. */
type Connection = {
  on: (event: 'drain' | 'packetCreate', listener: () => void) => unknown;
  /** With `discard`, what waits to be sent is forgotten. */
  close: (discard: boolean) => unknown;
};

/** Lets go of a browser that has stopped reading: it forgets what waits, and tells it what it missed when it is back. */
export const boundBacklog = (connection: Connection): void => {
  let waiting = 0;
  connection.on('drain', () => {
    waiting = 0;
  });
  connection.on('packetCreate', () => {
    waiting += 1;
    if (waiting === MAX_WAITING) connection.close(true);
  });
};

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Relay = {
  port: number;
  /** Closes every connection and accepts no new one. */
  cut: () => void;
  /** Keeps every connection, but forwards nothing in either direction, like an unplugged cable. */
  pause: () => void;
  /** Forwards pending data again, and accepts new connections. */
  open: () => void;
  close: () => Promise<void>;
};

/** A TCP relay on loopback in front of a port, which a test can break. */
export const openRelay = async (target: number): Promise<Relay> => {
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: 'open' | 'paused' | 'cut' = 'open';

  const server = createServer((inner) => {
    if (state === 'cut') return void inner.destroy();
    const outer = connect(target, '127.0.0.1');
    const pair = [inner, outer] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      inner.destroy();
      outer.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    inner.pipe(outer);
    outer.pipe(inner);
    if (state === 'paused') pause(pair);
  });
  const pause = ([inner, outer]: readonly [Socket, Socket]) => {
    inner.unpipe();
    outer.unpipe();
    inner.pause();
    outer.pause();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const cut = () => {
    state = 'cut';
    for (const [inner, outer] of pairs) {
      inner.destroy();
      outer.destroy();
    }
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    pause: () => {
      state = 'paused';
      for (const pair of pairs) pause(pair);
    },
    open: () => {
      state = 'open';
      for (const [inner, outer] of pairs) {
        inner.pipe(outer);
        outer.pipe(inner);
      }
    },
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
};

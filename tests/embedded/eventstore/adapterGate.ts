import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Gate = {
  port: number;
  /** Breaks every connection and takes no new one. */
  cut: () => void;
  /** Keeps every connection and lets nothing through in either direction, as a cable that was pulled. */
  hold: () => void;
  /** Lets through again what was held, and new connections. */
  open: () => void;
  close: () => Promise<void>;
};

/** A TCP relay on loopback in front of a port, which a test can break. */
export const openGate = async (target: number): Promise<Gate> => {
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: 'open' | 'held' | 'cut' = 'open';

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
    if (state === 'held') hold(pair);
  });
  const hold = ([inner, outer]: readonly [Socket, Socket]) => {
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
    hold: () => {
      state = 'held';
      for (const pair of pairs) hold(pair);
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

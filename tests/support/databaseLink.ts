import { once } from 'node:events';
import { createServer, connect as netConnect, type Socket } from 'node:net';
import pg from 'pg';

/** A way to a database that can be cut, as a network can. */
export type DatabaseLink = {
  databaseUrl: string;
  /** Breaks every connection and refuses new ones. */
  cut: () => void;
  mend: () => void;
  close: () => Promise<void>;
};

/** Leads to the same database as `databaseUrl`, over a loopback port of its own. */
export const linkTo = async (databaseUrl: string): Promise<DatabaseLink> => {
  const { host, port, database, user, password } = new pg.Client({ connectionString: databaseUrl });
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = netConnect(target);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
    return undefined;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(`postgres://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/${database}`);
  url.username = user ?? '';
  if (typeof password === 'string') url.password = password;
  const breakAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    databaseUrl: url.href,
    cut: () => {
      isCut = true;
      breakAll();
    },
    mend: () => {
      isCut = false;
    },
    close: async () => {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
};

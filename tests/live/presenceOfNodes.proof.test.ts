import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { listenTo } from '../../src/database/listen.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { ConnectionId, CustomerId, UserId } from '../../src/domain/ids.ts';
import { type Connections, createConnections } from '../../src/live/connections.ts';
import type { Connection } from '../../src/live/leases.ts';
import { PRESENCE_CHANNEL, type UserPresence } from '../../src/live/presence.ts';
import { type DatabaseLink, linkTo } from '../support/databaseLink.ts';
import { eventually } from '../support/eventually.ts';
import { openDatabase, type TestDatabase } from '../support/stores.ts';

/** Longer than a busy machine may pause: a node that pauses for a lease loses its connections. */
const LEASE_S = 10;
const TIMEOUT_MS = 60_000;

type Node = { connections: Connections; presence: UserPresence[]; lost: Connection[]; close: () => Promise<void> };

let stores: TestDatabase;
let link: DatabaseLink;
let db: Database;
const open: Node[] = [];

const connectionOf = (): Connection => ({
  connectionId: randomUUID() as ConnectionId,
  userId: randomUUID() as UserId,
  customerId: randomUUID() as CustomerId,
});

/** Outages are part of these tests, so their errors are ignored. */
const ignore = (): void => undefined;

const node = async (name: string, databaseUrl: string): Promise<Node> => {
  const own = connectDatabase(databaseUrl, { onError: ignore });
  const notices = listenTo(databaseUrl, [PRESENCE_CHANNEL], { onError: ignore });
  await notices.start();
  const timing = { leaseS: LEASE_S, renewMs: 500, sweepMs: 200 };
  const connections = createConnections({ db: own.db, notices, node: name, onError: ignore, ...timing });
  const made: Node = {
    connections,
    presence: [],
    lost: [],
    close: async () => {
      await connections.stop();
      await notices.close();
      await own.db.destroy();
    },
  };
  connections.onPresence((presence) => made.presence.push(...presence));
  connections.onLost((connection) => made.lost.push(connection));
  await connections.start();
  open.push(made);
  return made;
};

const said = ({ presence }: Node, { userId }: Connection): boolean[] =>
  presence.filter((one) => one.userId === userId).map(({ connected }) => connected);

const leaseOf = ({ connectionId }: Connection) =>
  db.selectFrom('live.connection').select('lease_until').where('connection_id', '=', connectionId).executeTakeFirst();

const renewedAfter = async (connection: Connection): Promise<void> => {
  const after = Date.now();
  await eventually(
    () => leaseOf(connection),
    (row) => row !== undefined && row.lease_until.getTime() > after + LEASE_S * 1000,
    TIMEOUT_MS,
  );
};

beforeAll(async () => {
  stores = await openDatabase();
  link = await linkTo(stores.databaseUrl);
  ({ db } = connectDatabase(stores.databaseUrl, { onError: ignore }));
  await migrate(db);
});

afterAll(async () => {
  link.mend();
  for (const one of open) await one.close();
  await link.close();
  await db.destroy();
  await stores.close();
});

it('detects a killed node by its leases', async () => {
  const survivor = await node('survivor', stores.databaseUrl);
  const connection = connectionOf();
  const script = (file: string): string => fileURLToPath(new URL(`../support/${file}`, import.meta.url));
  const child = spawn(
    process.execPath,
    [script('run.js'), script('holdLease.ts'), stores.databaseUrl, String(LEASE_S), JSON.stringify(connection)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    await eventually(
      () => said(survivor, connection),
      (all) => all.at(-1) === true,
      TIMEOUT_MS,
    );
    await renewedAfter(connection);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await eventually(
    () => said(survivor, connection),
    (all) => all.at(-1) === false,
    TIMEOUT_MS,
  );
  expect(survivor.lost).toEqual([connection]);
});

it('reports no disconnection if a node loses the database for less than a lease', async () => {
  const [cut, other] = [await node('cut', link.databaseUrl), await node('other', stores.databaseUrl)];
  const connection = connectionOf();
  await cut.connections.open(connection);
  await renewedAfter(connection);
  link.cut();
  await delay((LEASE_S * 1000) / 3);
  link.mend();
  await renewedAfter(connection);
  expect(said(other, connection)).not.toContain(false);
  expect(other.lost).toEqual([]);
});

it('reports no disconnection if all nodes lose the database for longer than a lease', async () => {
  const [one, two] = [await node('one', link.databaseUrl), await node('two', link.databaseUrl)];
  // The others of this file would sweep, as they are not cut off.
  for (const stopped of open.filter((made) => made !== one && made !== two)) await stopped.close();
  open.splice(0, open.length, one, two);
  const connections = [connectionOf(), connectionOf()] as const;
  await one.connections.open(connections[0]);
  await two.connections.open(connections[1]);
  link.cut();
  await delay(LEASE_S * 1000 + 1_000);
  link.mend();
  for (const connection of connections) await renewedAfter(connection);
  await delay(1_000); // sweeps go on
  for (const made of [one, two]) {
    expect(made.lost).toEqual([]);
    for (const connection of connections) expect(said(made, connection)).not.toContain(false);
  }
});

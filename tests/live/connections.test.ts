import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { listenTo } from '../../src/database/listen.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { ConnectionId, CustomerId, UserId } from '../../src/domain/ids.ts';
import { type Connections, createConnections } from '../../src/live/connections.ts';
import type { Connection } from '../../src/live/leases.ts';
import { PRESENCE_CHANNEL, type UserPresence } from '../../src/live/presence.ts';
import { eventually } from '../support/eventually.ts';
import { openDatabase, type TestDatabase } from '../support/stores.ts';

type Node = {
  connections: Connections;
  presence: UserPresence[];
  moved: ConnectionId[];
  lost: Connection[];
  close: () => Promise<void>;
};

let stores: TestDatabase;
let db: Database;
const nodes: Node[] = [];
const errors: unknown[] = [];
const onError = (error: unknown) => void errors.push(error);
let nextId = 0;

const uuid = (): string => `00000000-0000-4000-8000-${String(++nextId).padStart(12, '0')}`;
const connectionOf = (userId: string = uuid()): Connection => ({
  connectionId: uuid() as ConnectionId,
  userId: userId as UserId,
  customerId: uuid() as CustomerId,
});

const node = async (name: string): Promise<Node> => {
  const notices = listenTo(stores.databaseUrl, [PRESENCE_CHANNEL], { onError });
  const connections = createConnections({ db, notices, node: name, onError, renewMs: 500, sweepMs: 200 });
  await notices.start();
  const made: Node = {
    connections,
    presence: [],
    moved: [],
    lost: [],
    close: async () => {
      await connections.stop();
      await notices.close();
    },
  };
  connections.onPresence((presence) => made.presence.push(...presence));
  connections.onMoved((connectionId) => made.moved.push(connectionId));
  connections.onLost((connection) => made.lost.push(connection));
  await connections.start();
  nodes.push(made);
  return made;
};

const isConnected = ({ presence }: Node, userId: UserId): boolean | undefined =>
  presence.findLast((one) => one.userId === userId)?.connected;

beforeAll(async () => {
  stores = await openDatabase();
  ({ db } = connectDatabase(stores.databaseUrl, { onError }));
  await migrate(db);
});

afterAll(async () => {
  for (const one of nodes) await one.close();
  expect(errors).toEqual([]); // before the database goes: it cuts off connections that have not quite ended
  await db.destroy();
  await stores.close();
});

it('announces to every node which users connected, and which closed their last socket', async () => {
  const [a, b] = [await node('a'), await node('b')];
  const here = connectionOf();
  const there = { ...here, connectionId: uuid() as ConnectionId };
  expect(await a.connections.open(here)).toBe('open');
  expect(await b.connections.open(there)).toBe('open');
  for (const one of [a, b])
    await eventually(
      () => isConnected(one, here.userId),
      (connected) => connected === true,
    );

  await a.connections.close(here);
  await eventually(
    () => a.presence.length,
    (count) => count >= 3,
  );
  expect(isConnected(b, here.userId)).toBe(true);

  await b.connections.close(there);
  for (const one of [a, b])
    await eventually(
      () => isConnected(one, here.userId),
      (connected) => connected === false,
    );
});

it('keeps the order of sockets that open and close concurrently', async () => {
  const a = await node('order');
  const connections = Array.from({ length: 200 }, () => connectionOf());
  await Promise.all(
    connections.flatMap((connection, index) => [
      a.connections.open(connection),
      a.connections.close(connection),
      ...(index % 2 === 0 ? [a.connections.open(connection)] : []),
    ]),
  );
  const rows = await db.selectFrom('live.connection').select('connection_id').where('node', '=', 'order').execute();
  expect(rows).toHaveLength(100);
});

it('moves a connection to the node of its reconnection, and none of another user', async () => {
  const [a, b] = [await node('from'), await node('to')];
  const connection = connectionOf();
  await a.connections.open(connection);
  expect(await b.connections.open(connection)).toBe('open');
  await eventually(
    () => a.moved,
    (moved) => moved.includes(connection.connectionId),
  );
  await a.connections.close(connection);
  const row = await db
    .selectFrom('live.connection')
    .select('node')
    .where('connection_id', '=', connection.connectionId)
    .executeTakeFirst();
  expect(row).toEqual({ node: 'to' });
  expect(await a.connections.open({ ...connection, userId: uuid() as UserId })).toBe('taken');
});

it('moves many connections concurrently, as when the tools of one node reconnect to another', async () => {
  const [a, b] = [await node('before'), await node('after')];
  const connections = Array.from({ length: 400 }, () => connectionOf());
  await Promise.all(connections.map((connection) => a.connections.open(connection)));
  const outcomes = await Promise.all(connections.map((connection) => b.connections.open(connection)));
  expect(new Set(outcomes)).toEqual(new Set(['open']));
  await eventually(
    () => a.moved.length,
    (count) => count === connections.length,
  );
  expect(new Set(a.moved)).toEqual(new Set(connections.map(({ connectionId }) => connectionId)));
});

it('ends the leases of a crashed node once', async () => {
  await node('survivor');
  const dead = connectionOf();
  await sql`
    insert into live.connection (connection_id, user_id, customer_id, integrator_id, node, connected_at, lease_until)
    values (${dead.connectionId}, ${dead.userId}, ${dead.customerId}, ${uuid()}, 'dead', now(), now() - interval '1 second')`.execute(
    db,
  );
  const lost = () => nodes.flatMap((one) => one.lost).filter(({ connectionId }) => connectionId === dead.connectionId);
  await eventually(lost, (found) => found.length > 0);
  for (const one of nodes)
    await eventually(
      () => isConnected(one, dead.userId),
      (connected) => connected === false,
    );
  expect(lost()).toHaveLength(1);
});

it('acquires its leases again if others removed them during a pause, and releases leases without a socket', async () => {
  const a = await node('frozen');
  const [held, swept] = [connectionOf(), connectionOf()];
  await a.connections.open(held);
  await db.deleteFrom('live.connection').where('connection_id', '=', held.connectionId).execute();
  await sql`
    insert into live.connection (connection_id, user_id, customer_id, integrator_id, node, connected_at, lease_until)
    values (${swept.connectionId}, ${swept.userId}, ${swept.customerId}, ${uuid()}, 'frozen', now(), now() + interval '1 hour'),
      (${uuid()}, ${swept.userId}, ${swept.customerId}, ${uuid()}, 'frozen', now(), now() + interval '1 hour')`.execute(db);
  await eventually(
    () => db.selectFrom('live.connection').select('connection_id').where('node', '=', 'frozen').execute(),
    (rows) => rows.length === 1 && rows[0]?.connection_id === held.connectionId,
  );
  await eventually(
    () => isConnected(a, swept.userId),
    (connected) => connected === false,
  );
});

import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { PRESENCE_CHANNEL } from '../../src/live/presence.ts';
import { CHANGED_CHANNEL } from '../../src/projections/engine/changes.ts';
import { bearer, type Tool } from './apiClients.ts';
import { callsJson } from './calls.ts';
import type { Changing } from './changes.ts';

/**
 * Makes changes: connects and disconnects users (a lease each), records calls over HTTP, and notifies of changed topics as the
 * projectors do.
 */

/** The interval at which projectors notify of changed topics. */
const TICK_MS = 50;
const TICKS = 1_000 / TICK_MS;
const BATCH = 50;
/** Changes that fit into one PostgreSQL notification. */
const CHANGES_PER_NOTIFICATION = 25;

const [{ url, databaseUrl, integratorId, tools, topics, presence, recordings }] = (await once(process, 'message')) as [Changing];

const database = new pg.Client({ connectionString: databaseUrl });
await database.connect();

const customerIds = [...new Set(tools.map(({ customerId }) => customerId))];
const connectedUsers = new Set<string>();
const sequences = new Map<string, number>();
let nextIndex = 0;
let made = 0;

/** The next `count` items of the list, in rotation. */
const next = <Item>(list: readonly Item[], count: number): Item[] =>
  Array.from({ length: count }, () => list[nextIndex++ % list.length]).filter((item) => item !== undefined);

const announceTopics = async (count: number): Promise<void> => {
  const rooms = (customerId: string): string[] => ['admin', `integrator:${integratorId}`, `customer:${customerId}`];
  const changes = next(customerIds, Math.ceil(count / 4)).flatMap((id) => [
    ...['customer', 'usage', 'history'].map((word) => ({ topic: [word, id], rooms: rooms(id) })),
    { topic: ['customers'], rooms: rooms(id) },
  ]);
  const words = [['stats'], ['monitoring'], ['users'], ['audit'], ['calls']].map((topic) => ({
    topic,
    rooms: rooms(customerIds[0] ?? ''),
  }));
  for (let at = 0; at < changes.length; at += CHANGES_PER_NOTIFICATION) {
    const payload = JSON.stringify({ position: '0', changes: [...changes.slice(at, at + CHANGES_PER_NOTIFICATION), ...words] });
    await database.query('select pg_notify($1, $2)', [CHANGED_CHANNEL, payload]);
  }
  made += count;
};

const changePresence = async (count: number): Promise<void> => {
  const users = next(tools, Math.min(count, tools.length));
  const [connecting, disconnecting] = [true, false].map((isNew) =>
    users.filter(({ userId }) => connectedUsers.has(userId) !== isNew),
  );
  if (!connecting || !disconnecting) return;
  for (const { userId } of connecting) connectedUsers.add(userId);
  for (const { userId } of disconnecting) connectedUsers.delete(userId);
  const notice = { users: users.map(({ userId, customerId }) => [userId, customerId, integratorId]), moved: [] };
  await database.query('begin');
  await database.query('delete from live.connection where user_id = any($1)', [disconnecting.map(({ userId }) => userId)]);
  await database.query(
    `insert into live.connection (connection_id, user_id, customer_id, integrator_id, node, connected_at, lease_until)
     select gen_random_uuid(), u, c, $3, 'bench', now(), now() + interval '1 hour' from unnest($1::uuid[], $2::uuid[]) as t(u, c)`,
    [connecting.map(({ userId }) => userId), connecting.map(({ customerId }) => customerId), integratorId],
  );
  await database.query('select pg_notify($1, $2)', [PRESENCE_CHANNEL, JSON.stringify(notice)]);
  await database.query('commit');
  made += users.length;
};

const record = async (): Promise<void> => {
  const [tool]: Tool[] = next(tools, 1);
  if (!tool) return;
  const firstSequence = sequences.get(tool.token) ?? 1;
  sequences.set(tool.token, firstSequence + BATCH);
  const calls = callsJson(BATCH, { variant: nextIndex, until: Date.now() });
  const response = await fetch(`${url}/api/cli/api-calls`, {
    method: 'POST',
    headers: { ...bearer(tool.token), 'content-type': 'application/json' },
    body: `{"sourceId":"${process.pid}","firstSequence":${firstSequence},"calls":${calls}}`,
  });
  const text = await response.text();
  if (response.status !== 202) throw new Error(`Calls were answered with ${response.status}: ${text}`);
};

let isStopped = false;
process.once('message', () => {
  isStopped = true;
});

/** Runs `work` at a fixed rate. After a late run, the next ones follow immediately until the schedule is met. */
const runEvery = async (everyMs: number, work: () => Promise<void>): Promise<void> => {
  const begun = performance.now();
  for (let tick = 1; !isStopped; tick++) {
    await work();
    await delay(Math.max(0, begun + tick * everyMs - performance.now()));
  }
};

process.send?.('begun');
const begun = performance.now();
await Promise.all([
  runEvery(TICK_MS, async () => {
    if (topics > 0) await announceTopics(topics / TICKS);
    if (presence > 0) await changePresence(presence / TICKS);
  }),
  ...(recordings > 0 ? [runEvery(1_000 / recordings, record)] : []),
]);
process.send?.(made / ((performance.now() - begun) / 1_000));
await database.end();
process.disconnect();

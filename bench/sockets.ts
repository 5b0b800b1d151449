import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { asAdmin, populate } from './support/apiClients.ts';
import { type BackgroundFigures, startBackgroundRequests } from './support/backgroundRequests.ts';
import { cpuBetween, cpuOf, type ServerCpu } from './support/cpu.ts';
import { quantile, report, reportRatio } from './support/figures.ts';
import { freePort } from './support/freePort.ts';
import { MEMORY_PROBE_ARGS, memoryOf } from './support/processMemory.ts';
import { startProduct } from './support/product.ts';
import { startReconnectingTools } from './support/reconnectingTools.ts';
import { settings } from './support/settings.ts';
import { shownPresence, untilShown } from './support/shownPresence.ts';
import { openSockets, type SocketProcesses, startProcess } from './support/socketProcesses.ts';

/**
 * The cost of idle connections of command-line tools, compared with a bare @fastify/websocket. And the latency of other requests when
 * all connections are lost simultaneously, and when all tools reconnect to a restarted server.
 */

const { count, users, customers, seconds, holders } = settings({
  count: 10_000,
  users: 10_000,
  customers: 100,
  seconds: 30,
  holders: 2,
});
/** Sockets that are opened and closed before the measurement, so that code is compiled and pools are filled. */
const WARM_UP = Math.ceil(count / 10);
/** Enough to free the buffers of the handshakes and to write queued rows. */
const SETTLE_MS = 5_000;
/** Longer than autovacuum's interval of one minute: seeding and connecting leave dead rows. */
const REST_MS = 75_000;

type Cost = { resident: number; heap: number; idleBefore: number; idleAfter: number; perSecond: number; opening: ServerCpu };

/** The share of a core that an idle process and its children use. */
const idle = async (pid: number): Promise<number> => {
  const before = cpuOf(pid);
  await delay(seconds * 1000);
  const { main, threads, postgres } = cpuBetween(before, cpuOf(pid));
  return (main + threads + postgres) / seconds;
};

/** Opens the sockets, and measures their cost in the server. */
const measure = async (
  url: string,
  server: ChildProcess,
  tokens: readonly string[],
  restMs: number,
): Promise<{ cost: Cost; sockets: SocketProcesses }> => {
  const pid = server.pid ?? 0;
  await (await openSockets(url, tokens.slice(0, WARM_UP), holders)).close();
  await delay(restMs);
  const idleBefore = await idle(pid);
  const before = await memoryOf(server);
  const cpuBefore = cpuOf(pid);
  const sockets = await openSockets(url, tokens, holders);
  await delay(SETTLE_MS);
  const opening = cpuBetween(cpuBefore, cpuOf(pid));
  const after = await memoryOf(server);
  await delay(restMs);
  const cost: Cost = {
    resident: (after.resident - before.resident) / tokens.length,
    heap: (after.heap + after.external - before.heap - before.external) / tokens.length,
    idleBefore,
    idleAfter: await idle(pid),
    perSecond: tokens.length / sockets.seconds,
    opening,
  };
  return { cost, sockets };
};

const measureBare = async (): Promise<Cost> => {
  const child = startProcess('bareSocketsProcess.js', MEMORY_PROBE_ARGS);
  try {
    const [url] = (await once(child, 'message')) as [string];
    const { cost, sockets } = await measure(
      url,
      child,
      Array.from({ length: count }, () => ''),
      SETTLE_MS,
    );
    sockets.kill();
    return cost;
  } finally {
    child.kill('SIGKILL');
  }
};

const perSocket = (cpuSeconds: number): number => (cpuSeconds * 1000) / count;

const reportBackground = ({ lists, signIns, unanswered, browserMessages, busiestSecond, notices }: BackgroundFigures): void => {
  report('  a list during that time, p50', quantile(lists, 0.5), 'ms');
  report('  … p99', quantile(lists, 0.99), 'ms');
  report('  … a sign-in, p50', quantile(signIns, 0.5), 'ms');
  report('  … p99', quantile(signIns, 0.99), 'ms');
  report('  … without a reply', unanswered, `of ${lists.length + signIns.length + unanswered}`);
  report('  … messages to a browser', browserMessages, `(${busiestSecond} in the busiest second)`);
  report('  … notifications between nodes', notices, '');
};

const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
const env = { PORT: String(await freePort()) };
let product = await startProduct({ dataDir, env, nodeArguments: MEMORY_PROBE_ARGS });
try {
  const bare = await measureBare();
  const { url } = product;
  const tools = await populate(url, await asAdmin(url), { customers, tools: Math.ceil(users / customers) });
  const tokens = Array.from({ length: count }, (_, index) => tools[index % users]?.token ?? '');
  const [backgroundTool] = tools;
  if (!backgroundTool) throw new Error('There are no tools');
  const { cost: productCost, sockets } = await measure(url, product.process, tokens, REST_MS);
  const connected = await shownPresence(await asAdmin(url));
  console.log(`\n${count} sockets of ${users} users of ${customers} customers, pinged every 15 s`);
  reportRatio('memory of a socket: resident', productCost.resident, 'bare @fastify/websocket', bare.resident, 'bytes');
  reportRatio('memory of a socket: heap and buffers', productCost.heap, 'bare @fastify/websocket', bare.heap, 'bytes');
  report('opened and authenticated', productCost.perSecond, 'a second');
  report('  limit: bare @fastify/websocket', bare.perSecond, 'a second');
  report('  CPU of a socket: main thread', perSocket(productCost.opening.main), 'ms');
  report('  … event store and other threads', perSocket(productCost.opening.threads), 'ms');
  report('  … PostgreSQL', perSocket(productCost.opening.postgres), 'ms');
  report('  limit: bare @fastify/websocket', perSocket(bare.opening.main + bare.opening.threads), 'ms');
  report('CPU without connections', productCost.idleBefore * 100, '% of a core');
  report('CPU with all of them idle', productCost.idleAfter * 100, '% of a core');
  report('  limit: bare @fastify/websocket', bare.idleAfter * 100, '% of a core');
  report('shown as connected: users', connected.users, `of ${users}`);
  report('  … connections', connected.connections, `of ${count}`);

  const loss = await startBackgroundRequests(product, backgroundTool);
  sockets.kill();
  report('all connections lost, until none is shown', await untilShown(await asAdmin(url), 0), 's');
  reportBackground(await loss.stop());
  const remaining = await shownPresence(await asAdmin(url));
  report('  users and connections still shown', remaining.users + remaining.connections, '');

  const reconnecting = startReconnectingTools(url, tokens, holders);
  report('all connect at once, until authenticated', await reconnecting.until(count), 's');
  await product.stop();
  product = await startProduct({ dataDir, env });
  const reconnected = reconnecting.until(count);
  const restart = await startBackgroundRequests(product, backgroundTool);
  report('server restarted, until all authenticated', await reconnected, 's');
  reportBackground(await restart.stop());
  report('  … until all are shown as connected', await untilShown(await asAdmin(url), count), 's');
  reconnecting.kill();
} finally {
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
}

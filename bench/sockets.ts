import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Seen, standBy } from './support/bystander.ts';
import { cpuBetween, cpuOf, type ServerCpu } from './support/cpu.ts';
import { quantile, report, reportRatio } from './support/figures.ts';
import { freePort } from './support/freePort.ts';
import { ASKABLE, heldBy } from './support/held.ts';
import { type Holders, holdSockets, startProcess } from './support/holders.ts';
import { keepTools } from './support/keptTools.ts';
import { asAdmin, populate } from './support/people.ts';
import { shownPresence, untilShown } from './support/presenceShown.ts';
import { startProduct } from './support/product.ts';
import { settings } from './support/settings.ts';

/**
 * Command-line tools that are connected and do nothing: what each costs, against a bare @fastify/websocket. And what others have
 * of it when all of them are lost at once, and when all of them come back to a server that was restarted.
 */

const { count, users, customers, seconds, holders } = settings({
  count: 10_000,
  users: 10_000,
  customers: 100,
  seconds: 30,
  holders: 2,
});
/** Sockets that come and go before anything is measured, so that code is compiled and pools are filled. */
const WARM_UP = Math.ceil(count / 10);
/** Buffers of the handshakes are given back by then, and what waited to be written is. */
const SETTLE_MS = 5_000;
/** PostgreSQL looks once a minute for tables to clean up, of which filling and opening leave some. */
const REST_MS = 75_000;

type Cost = { resident: number; heap: number; idleBefore: number; idleAfter: number; perSecond: number; opening: ServerCpu };

/** Share of a core that a process and its children use while nothing happens. */
const idle = async (pid: number): Promise<number> => {
  const before = cpuOf(pid);
  await delay(seconds * 1000);
  const { main, threads, postgres } = cpuBetween(before, cpuOf(pid));
  return (main + threads + postgres) / seconds;
};

/** Opens the sockets, and looks what the server became. */
const measure = async (
  url: string,
  server: ChildProcess,
  tokens: readonly string[],
  restMs: number,
): Promise<{ cost: Cost; held: Holders }> => {
  const pid = server.pid ?? 0;
  await (await holdSockets(url, tokens.slice(0, WARM_UP), holders)).close();
  await delay(restMs);
  const idleBefore = await idle(pid);
  const before = await heldBy(server);
  const cpuBefore = cpuOf(pid);
  const held = await holdSockets(url, tokens, holders);
  await delay(SETTLE_MS);
  const opening = cpuBetween(cpuBefore, cpuOf(pid));
  const after = await heldBy(server);
  await delay(restMs);
  const cost: Cost = {
    resident: (after.resident - before.resident) / tokens.length,
    heap: (after.heap + after.external - before.heap - before.external) / tokens.length,
    idleBefore,
    idleAfter: await idle(pid),
    perSecond: tokens.length / held.seconds,
    opening,
  };
  return { cost, held };
};

const measureBare = async (): Promise<Cost> => {
  const child = startProcess('bareSocketsProcess.js', ASKABLE);
  try {
    const [url] = (await once(child, 'message')) as [string];
    const { cost, held } = await measure(
      url,
      child,
      Array.from({ length: count }, () => ''),
      SETTLE_MS,
    );
    held.kill();
    return cost;
  } finally {
    child.kill('SIGKILL');
  }
};

const perSocket = (cpuSeconds: number): number => (cpuSeconds * 1000) / count;

const reportSeen = ({ lists, signIns, unanswered, browserMessages, busiestSecond, notices }: Seen): void => {
  report('  meanwhile: a list, p50', quantile(lists, 0.5), 'ms');
  report('  … p99', quantile(lists, 0.99), 'ms');
  report('  … a sign-in, p50', quantile(signIns, 0.5), 'ms');
  report('  … p99', quantile(signIns, 0.99), 'ms');
  report('  … not answered', unanswered, `of ${lists.length + signIns.length + unanswered}`);
  report('  … messages to a browser', browserMessages, `(${busiestSecond} in the busiest second)`);
  report('  … notices between nodes', notices, '');
};

const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
const env = { PORT: String(await freePort()) };
let product = await startProduct({ dataDir, env, nodeArguments: ASKABLE });
try {
  const bare = await measureBare();
  const { url } = product;
  const tools = await populate(url, await asAdmin(url), { customers, tools: Math.ceil(users / customers) });
  const tokens = Array.from({ length: count }, (_, index) => tools[index % users]?.token ?? '');
  const [someone] = tools;
  if (!someone) throw new Error('There are no tools');
  const { cost: own, held } = await measure(url, product.process, tokens, REST_MS);
  const connected = await shownPresence(await asAdmin(url));
  console.log(`\n${count} sockets of ${users} users of ${customers} customers, pinged every 15 s`);
  reportRatio('memory of one: resident', own.resident, 'bare @fastify/websocket', bare.resident, 'bytes');
  reportRatio('memory of one: heap and buffers', own.heap, 'bare @fastify/websocket', bare.heap, 'bytes');
  report('opened and welcomed', own.perSecond, 'a second');
  report('  limit: bare @fastify/websocket', bare.perSecond, 'a second');
  report('  CPU of one: main thread', perSocket(own.opening.main), 'ms');
  report('  … event store and other threads', perSocket(own.opening.threads), 'ms');
  report('  … PostgreSQL', perSocket(own.opening.postgres), 'ms');
  report('  limit: bare @fastify/websocket', perSocket(bare.opening.main + bare.opening.threads), 'ms');
  report('CPU with nobody connected', own.idleBefore * 100, '% of a core');
  report('CPU with all of them idle', own.idleAfter * 100, '% of a core');
  report('  limit: bare @fastify/websocket', bare.idleAfter * 100, '% of a core');
  report('shown as connected: users', connected.users, `of ${users}`);
  report('  … connections', connected.connections, `of ${count}`);

  const loss = await standBy(product, someone);
  held.kill();
  report('all lost at once, until none is shown', await untilShown(await asAdmin(url), 0), 's');
  reportSeen(await loss.stop());
  const left = await shownPresence(await asAdmin(url));
  report('  users and connections still shown then', left.users + left.connections, '');

  const kept = keepTools(url, tokens, holders);
  report('all of them set out at once, until welcome', await kept.until(count), 's');
  await product.stop();
  product = await startProduct({ dataDir, env });
  const back = kept.until(count);
  const restart = await standBy(product, someone);
  report('server restarted, until all are welcome', await back, 's');
  reportSeen(await restart.stop());
  report('  … until all are shown as connected', await untilShown(await asAdmin(url), count), 's');
  kept.kill();
} finally {
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
}

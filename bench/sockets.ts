import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuBetween, cpuOf, residentBytes } from './support/cpu.ts';
import { report, reportRatio } from './support/figures.ts';
import { asAdmin, populate } from './support/people.ts';
import { startProduct } from './support/product.ts';
import { settings } from './support/settings.ts';

/** Command-line tools that are connected and do nothing: what each costs, against a bare @fastify/websocket. */

const { count, seconds, holders } = settings({ count: 10_000, seconds: 30, holders: 2 });
/** Buffers of the handshakes are given back by then. */
const SETTLE_MS = 5_000;

type Cost = { bytes: number; idleBefore: number; idleAfter: number; perSecond: number };

const start = (file: string): ChildProcess => {
  const child = fork(new URL(`./support/${file}`, import.meta.url));
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
};

/** Share of a core that a process and its children use while nothing happens. */
const idle = async (pid: number): Promise<number> => {
  const before = cpuOf(pid);
  await delay(seconds * 1000);
  const { main, threads, postgres } = cpuBetween(before, cpuOf(pid));
  return (main + threads + postgres) / seconds;
};

/** Opens the sockets, from several processes, and looks what the server became. */
const measure = async (url: string, pid: number, tokens: readonly string[]): Promise<Cost> => {
  const idleBefore = await idle(pid);
  const before = residentBytes(pid);
  const begun = performance.now();
  const children = Array.from({ length: holders }, () => start('socketsProcess.js'));
  await Promise.all(
    children.map(async (child) => {
      const opened = once(child, 'message');
      child.send({ url, tokens, count: Math.ceil(count / holders) });
      const [result] = await Promise.race([opened, once(child, 'exit')]);
      if (result !== Math.ceil(count / holders)) throw new Error('Not all sockets could be opened');
    }),
  );
  const opening = (performance.now() - begun) / 1000;
  await delay(SETTLE_MS);
  const bytes = (residentBytes(pid) - before) / count;
  const idleAfter = await idle(pid);
  for (const child of children) child.kill('SIGKILL');
  return { bytes, idleBefore, idleAfter, perSecond: count / opening };
};

const measureBare = async (): Promise<Cost> => {
  const child = start('bareSocketsProcess.js');
  try {
    const [url] = (await once(child, 'message')) as [string];
    return await measure(url, child.pid ?? 0, ['']);
  } finally {
    child.kill('SIGKILL');
  }
};

const measureProduct = async (): Promise<Cost> => {
  const product = await startProduct();
  try {
    const tools = await populate(product.url, await asAdmin(product.url), { customers: 10, tools: 10 });
    return await measure(
      product.url,
      product.pid,
      tools.map(({ token }) => token),
    );
  } finally {
    await product.stop();
  }
};

const bare = await measureBare();
const own = await measureProduct();
console.log(`\n${count} sockets, pinged every 15 s`);
reportRatio('memory of one', own.bytes, 'bare @fastify/websocket', bare.bytes, 'bytes');
report('opened and welcomed', own.perSecond, 'a second');
report('  limit: bare @fastify/websocket', bare.perSecond, 'a second');
report('CPU with nobody connected', own.idleBefore * 100, '% of a core');
report('CPU with all of them idle', own.idleAfter * 100, '% of a core');
report('  limit: bare @fastify/websocket', bare.idleAfter * 100, '% of a core');

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { io, type Socket } from 'socket.io-client';
import { asAdmin, bearer, type Caller, type Customer, callerOf, newCustomer, newIntegrator, signIn } from './support/apiClients.ts';
import { quantile, report } from './support/figures.ts';
import { freePort } from './support/freePort.ts';
import { type Product, startProduct } from './support/product.ts';
import { settings } from './support/settings.ts';
import { openTool } from './support/toolSockets.ts';

/**
 * The time from a request that ends access until the sockets of that access are closed, on the node that answers the request and on
 * another one. Three processes: the embedded stores, and two nodes with the API, of which one projects.
 */

const { repetitions } = settings({ repetitions: 100 });
const WARM_UP = 5;

type Node = Readonly<{ name: string; url: string }>;

/** Resolves to the ms from the call of `end` until each socket is closed. */
const timesUntilClosed = async (closed: readonly Promise<unknown>[], end: () => Promise<unknown>): Promise<number[]> => {
  const begun = performance.now();
  const times = closed.map((one) => one.then(() => performance.now() - begun));
  await end();
  return Promise.all(times);
};

const measure = async (name: string, nodes: readonly Node[], once: (index: number) => Promise<number[]>): Promise<void> => {
  const times = nodes.map((): number[] => []);
  for (let index = 0; index < WARM_UP + repetitions; index++) {
    const measured = await once(index);
    if (index < WARM_UP) continue;
    for (const [node, ms] of measured.entries()) times[node]?.push(ms);
  }
  for (const [index, node] of nodes.entries()) {
    const sample = times[index] ?? [];
    report(`${name}, ${node.name}, p50`, quantile(sample, 0.5), 'ms');
    report('  p99', quantile(sample, 0.99), 'ms');
    report('  slowest', Math.max(...sample), 'ms');
  }
};

/** A session of the portal by the license key, and its socket on a node. */
const openBrowser = async ({ url }: Node, { licenseKey }: Customer): Promise<{ sessionId: string; closed: Promise<unknown> }> => {
  const { token } = await callerOf(url, {})('POST', '/api/auth/customer/login', { licenseKey });
  const { sessions } = await callerOf(url, bearer(token))('GET', '/api/sessions');
  const own = sessions.find((session: { isCurrent: boolean }) => session.isCurrent);
  const socket: Socket = io(url, { transports: ['websocket'], auth: { token } });
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return { sessionId: own.sessionId, closed: new Promise((resolve) => socket.once('disconnect', resolve)) };
};

const secret = { MASTER_SECRET: Buffer.alloc(32, 9).toString('base64') };
const started: Product[] = [];
const start = async (env: NodeJS.ProcessEnv): Promise<Product> => {
  const product = await startProduct({ env: { ...secret, ...env } });
  started.unshift(product);
  return product;
};

try {
  const ports = [await freePort(), await freePort()].map(String);
  const stores = await start({ ROLES: 'embedded', EMBEDDED_DATABASE_PORT: ports[0], EMBEDDED_EVENTSTORE_PORT: ports[1] });
  const lines = (await readFile(join(stores.dataDir, 'nodes.env'), 'utf8')).trim().split('\n');
  const variables = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
  const nodes: readonly Node[] = [
    { name: 'same node', url: (await start({ ...variables, ROLES: 'api,projector' })).url },
    { name: 'other node', url: (await start({ ...variables, ROLES: 'api' })).url },
  ];
  const [{ url }] = nodes as [Node, Node];
  const admin = await asAdmin(url);
  const customer = await newCustomer(admin, await newIntegrator(admin), 'Acme');
  const { token } = await callerOf(url, {})('POST', '/api/auth/customer/login', { licenseKey: customer.licenseKey });
  const portal: Caller = callerOf(url, bearer(token));

  await measure('a session is revoked until its socket is closed', nodes, async () => {
    const times: number[] = [];
    for (const node of nodes) {
      const { sessionId, closed } = await openBrowser(node, customer);
      times.push(...(await timesUntilClosed([closed], () => portal('DELETE', `/api/sessions/${sessionId}`))));
    }
    return times;
  });

  await measure('a user is suspended until the tool is closed', nodes, async () => {
    const { userId, token: ofTool } = await signIn(url, customer, 'ada');
    const tools = await Promise.all(nodes.map((node) => openTool(node.url, ofTool)));
    const closed = tools.map((tool) => new Promise((resolve) => tool.once('close', resolve)));
    const path = `/api/users/${userId}/status`;
    const times = await timesUntilClosed(closed, () => portal('PUT', path, { status: 'suspended' }));
    await portal('PUT', path, { status: 'active' });
    return times;
  });

  await measure('a user is removed until the tool is closed', nodes, async (index) => {
    const { userId, token: ofTool } = await signIn(url, customer, `removed-${index}`);
    const tools = await Promise.all(nodes.map((node) => openTool(node.url, ofTool)));
    const closed = tools.map((tool) => new Promise((resolve) => tool.once('close', resolve)));
    return timesUntilClosed(closed, () => portal('DELETE', `/api/users/${userId}`));
  });
} finally {
  for (const product of started) await product.stop();
}

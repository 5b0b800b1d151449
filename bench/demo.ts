import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { asAdmin, asCustomer, asIntegrator } from '../tests/support/apiClient.ts';
import { type DemoList, demoLists, watchFeed } from '../tests/support/demoLists.ts';
import { ADMIN_KEY } from '../tests/support/keys.ts';
import { report, reportRatio } from './support/figures.ts';
import { freePort } from './support/freePort.ts';
import { isReady } from './support/isReady.ts';
import { ROOT } from './support/root.ts';
import { settings } from './support/settings.ts';

/** The time from the demo's first successful /readyz until every list has entries, calls arrive and tools are connected. */

const { limit, starts } = settings({ limit: 10, starts: 1 });

type Filled = { name: string; seconds: number };

const keysOf = async ({ stdout }: ChildProcess): Promise<string> => {
  if (!stdout) throw new Error('The output of the demo cannot be read');
  const lines: string[] = [];
  for await (const line of createInterface({ input: stdout })) {
    lines.push(line);
    if (line.includes('/portal/login')) break;
  }
  stdout.resume();
  return lines.join('\n');
};

/** Polls each list until it has entries. `since` is the time at which the demo was ready. */
const waitForEntries = async (lists: readonly DemoList[], since: number): Promise<Filled[]> => {
  const filled: Filled[] = [];
  for (let empty = [...lists]; empty.length > 0; await delay(50)) {
    const counts = await Promise.all(empty.map(({ count }) => count()));
    const seconds = (performance.now() - since) / 1000;
    filled.push(...empty.filter((_, index) => counts[index] !== 0).map(({ name }) => ({ name, seconds })));
    empty = empty.filter((_, index) => counts[index] === 0);
  }
  return filled;
};

const measure = async (title: string, dataDir: string, signal: 'SIGINT' | 'SIGKILL'): Promise<void> => {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const begun = performance.now();
  const child = spawn(process.execPath, [join(ROOT, 'dist/demo/main.js')], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), DATA_DIR: dataDir, ADMIN_KEY, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const printed = keysOf(child);
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`The demo ended with ${child.exitCode}`);
    await delay(5);
  }
  const since = performance.now();
  report(`${title}, from command until ready`, (since - begun) / 1000, 's');
  const [masterLicenseKey = '', licenseKey = ''] = (await printed).match(/LK-(?:SI|[A-Z]{3})-\S+/g) ?? [];
  const admin = await asAdmin(url);
  const feed = watchFeed(url, admin);
  const [integrator, customer] = await Promise.all([asIntegrator(url, { masterLicenseKey }), asCustomer(url, { licenseKey })]);
  const filled = await waitForEntries([...(await demoLists({ admin, integrator, customer })), ...feed.lists], since);
  const last = filled.reduce((one, other) => (one.seconds > other.seconds ? one : other));
  reportRatio(`  from ready until all ${filled.length} lists have entries`, last.seconds, 'of the demo', limit, 's');
  console.log(`  the last list: ${last.name}`);
  feed.close();
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
  process.off('exit', kill);
};

for (let start = 0; start < starts; start++) {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
  try {
    await measure('A new demo', dataDir, 'SIGINT');
    await measure('The second start', dataDir, 'SIGKILL');
    await measure('The start after kill -9', dataDir, 'SIGINT');
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { asAdmin, populate } from './support/apiClients.ts';
import { quantile, report } from './support/figures.ts';
import { freePort } from './support/freePort.ts';
import { isReady } from './support/isReady.ts';
import { ADMIN_KEY } from './support/product.ts';
import { ROOT } from './support/root.ts';
import { settings } from './support/settings.ts';

/** The time from the command to the first successful /readyz. */

const { starts } = settings({ starts: 10 });

type Started = { url: string; ms: number; stop: (signal: 'SIGINT' | 'SIGKILL') => Promise<void> };

const start = async (command: readonly string[], dataDir: string): Promise<Started> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [program = '', ...args] = command;
  const begun = performance.now();
  const child = spawn(program, args, {
    cwd: ROOT,
    detached: true, // its own process group, so that a signal reaches npm and its child processes, as Ctrl-C does
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), DATA_DIR: dataDir, ADMIN_KEY, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const signalGroup = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, signal);
  };
  const kill = () => signalGroup('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
    await delay(5);
  }
  return {
    url,
    ms: performance.now() - begun,
    stop: async (signal) => {
      const ended = once(child, 'exit');
      signalGroup(signal);
      await ended;
    },
  };
};

const NPM = ['npm', 'start', '--silent'] as const;
const NODE = [process.execPath, join(ROOT, 'dist/bootstrap/main.js')] as const;

const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
try {
  const first = await start(NPM, dataDir);
  report('npm start, the first time', first.ms, 'ms');
  await populate(first.url, await asAdmin(first.url), { customers: 20, tools: 3 });
  await first.stop('SIGINT');
  const restart = async (name: string, command: readonly string[], signal: 'SIGINT' | 'SIGKILL'): Promise<void> => {
    const times: number[] = [];
    for (let count = 0; count < starts; count++) {
      const { ms, stop } = await start(command, dataDir);
      times.push(ms);
      await stop(signal);
    }
    report(`${name}, p50`, quantile(times, 0.5), 'ms');
    report(`${name}, slowest`, Math.max(...times), 'ms');
  };
  await restart('npm start on existing data', NPM, 'SIGINT');
  await restart('  without npm', NODE, 'SIGINT');
  await restart('  without npm, after kill -9', NODE, 'SIGKILL');
  await (await start(NODE, dataDir)).stop('SIGINT'); // cleans up what the killed processes left
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

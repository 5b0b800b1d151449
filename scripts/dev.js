// npm run dev: the product for its developers. Compiles on change, restarts the server, and serves the console with hot reload.
// The embedded stores keep running across restarts of the server.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const envFile = join(root, '.env');
if (existsSync(envFile)) process.loadEnvFile(envFile);
const { env } = process;
const dataDir = env.DATA_DIR ?? join(root, 'data');
const port = env.PORT ?? '3000';
const consoleUrl = 'http://localhost:5173';
const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
const pretty = ['node_modules/pino-pretty/bin.js', '--ignore', 'pid,hostname', '--translateTime', 'SYS:HH:MM:ss.l'];

if (spawnSync(process.execPath, tsc, { cwd: root, stdio: 'inherit' }).status !== 0) process.exit(1);

const { pino } = await import('pino');
const built = new URL('../dist/bootstrap/embeddedStores.js', import.meta.url).href;
/** @type {typeof import('../src/bootstrap/embeddedStores.ts')} */
const { startEmbeddedStores } = await import(built);
const stores = await startEmbeddedStores({
  dataDir,
  wanted: { postgres: !env.DATABASE_URL, eventStore: !env.EVENTSTORE_URL },
  log: pino({ level: env.LOG_LEVEL ?? 'warn' }),
  /** @param {string} reason */
  onGivenUp: (reason) => {
    process.stderr.write(`${reason}\n`);
    process.exit(1);
  },
});

/** @type {{ child: import('node:child_process').ChildProcess, ended: Promise<unknown> }[]} */
const children = [];
/** Each in a process group of its own, which ends with what it has started itself. @param {readonly string[]} args @param {Record<string, string | undefined>} [more] @param {import('node:child_process').StdioOptions} [stdio] */
const run = (args, more = {}, stdio = ['ignore', 'inherit', 'inherit']) => {
  const child = spawn(process.execPath, args, { cwd: root, env: { ...env, ...more }, stdio, detached: true });
  children.push({ child, ended: new Promise((resolve) => child.once('exit', resolve)) });
  return child;
};

run([...tsc, '--watch', '--preserveWatchOutput']);
const logs = run(pretty, {}, ['pipe', 'inherit', 'inherit']);
const server = run(
  ['--enable-source-maps', '--watch', '--watch-preserve-output', 'dist/bootstrap/main.js'],
  {
    DATA_DIR: dataDir,
    PORT: port,
    DATABASE_URL: env.DATABASE_URL ?? stores.databaseUrl ?? undefined,
    DATABASE_OWNER_URL: env.DATABASE_OWNER_URL ?? env.DATABASE_URL ?? stores.ownerUrl ?? undefined,
    EVENTSTORE_URL: env.EVENTSTORE_URL ?? stores.eventStoreUrl ?? undefined,
    PUBLIC_ORIGINS: env.PUBLIC_ORIGINS ?? consoleUrl,
  },
  ['ignore', 'pipe', 'pipe'],
);
for (const output of [server.stdout, server.stderr]) if (output && logs.stdin) output.pipe(logs.stdin, { end: false });
run(['node_modules/vite/bin/vite.js', 'web', '--strictPort', '--clearScreen', 'false'], { API_URL: `http://127.0.0.1:${port}` });
process.stdout.write(`The console is on ${consoleUrl}, with hot reload. Press Ctrl-C to stop.\n`);

let isStopping = false;
const stop = async () => {
  if (isStopping) process.exit(1);
  isStopping = true;
  for (const { child } of children) {
    if (child !== logs && child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGINT');
  }
  await Promise.all(children.map(({ child, ended }) => (child === logs ? null : ended)));
  logs.stdin?.end();
  await stores.stop();
  process.exit(0);
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);

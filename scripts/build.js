// Builds what is stale: the server into dist/, the console into web/dist/. Run by `npm start`, `npm test` and `npm run demo`.
// Compiles without checking types, which takes ten times as long and is what `npm run typecheck` does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** @param {string} path @returns {number} the newest modification time below the path, in ms */
const newest = (path) => {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  let latest = stat.mtimeMs; // a removed file changes its folder's time
  for (const entry of readdirSync(path)) {
    if (entry !== 'node_modules' && entry !== 'dist') latest = Math.max(latest, newest(join(path, entry)));
  }
  return latest;
};

/** @param {string} label @param {string[]} sources @param {string} stamp @param {string[][]} steps each a node script and its arguments */
const build = async (label, sources, stamp, steps) => {
  const stampFile = join(root, stamp);
  const built = existsSync(stampFile) ? statSync(stampFile).mtimeMs : 0;
  if (built > Math.max(...sources.map((source) => newest(join(root, source))))) return;
  process.stderr.write(`Building ${label}...\n`);
  const startedAt = new Date();
  for (const step of steps) {
    const [code] = await once(spawn(process.execPath, step, { cwd: root, stdio: ['ignore', 2, 2] }), 'exit');
    if (code !== 0) process.exit(code ?? 1);
  }
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, `${startedAt.toISOString()}\n`);
};

/** @param {string} project */
const compile = (project) => {
  const flags = ['--noCheck', '--incremental', 'false', '--tsBuildInfoFile', 'null'];
  return ['node_modules/typescript/bin/tsc', '-p', project, ...flags];
};
rmSync(join(root, 'dist/.tsbuildinfo'), { force: true }); // of `npm run dev`: it would take what is built here for its own
await Promise.all([
  build('the server', ['src', 'tsconfig.json', 'tsconfig.build.json', 'tsconfig.types.json', 'package-lock.json'], 'dist/.built', [
    compile('tsconfig.build.json'),
    compile('tsconfig.types.json'), // declarations only of what the package exports
  ]),
  build('the console', ['web', 'src/contracts', 'src/domain', 'src/flow', 'package-lock.json'], 'web/dist/.built', [
    ['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn'],
    ['web/scripts/finish.js'],
  ]),
]);

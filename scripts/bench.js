// Builds and runs one benchmark of bench/, or lists them: `npm run bench -- ingest`.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const names = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3));

/** @param {string[]} script a node script and its arguments */
const run = (script) => {
  const { status } = spawnSync(process.execPath, script, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

const [name, ...rest] = process.argv.slice(2);
if (!name || !names.includes(name)) {
  process.stderr.write(`Which benchmark? One of: ${names.join(', ')}\n`);
  process.exit(2);
}
run([join(root, 'scripts/build.js')]);
run([join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.bench.json')]);
run([join(root, 'dist/bench/bench', `${name}.js`), ...rest]);

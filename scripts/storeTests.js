// Runs every test that uses stores on those of EVENTSTORE_URL and DATABASE_URL, and prints a table of the files:
// `npm run test:store [-- path or option of vitest...]`, such as `-- tests/http`, which runs one layer.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

for (const name of ['EVENTSTORE_URL', 'DATABASE_URL']) {
  if (process.env[name]) continue;
  process.stderr.write(`Set ${name}: tests create databases and append events in the stores that it names.\n`);
  process.exit(2);
}

/** @typedef {{ name: string, status: string, startTime: number, endTime: number, assertionResults: { status: string }[] }} TestFile */

/** @param {TestFile} file */
const rowOf = ({ name, status, startTime, endTime, assertionResults }) => {
  /** @param {string[]} statuses */
  const count = (...statuses) => assertionResults.filter((test) => statuses.includes(test.status)).length;
  const failed = count('failed');
  return {
    file: relative(process.cwd(), name),
    passed: count('passed'),
    failed: status === 'failed' && failed === 0 ? 1 : failed, // a hook failed, or the file could not be loaded
    skipped: count('pending', 'skipped', 'todo', 'disabled'),
    seconds: (endTime - startTime) / 1_000,
  };
};

/** @param {ReturnType<typeof rowOf>[]} rows */
const print = (rows) => {
  const total = (/** @type {'passed' | 'failed' | 'skipped' | 'seconds'} */ column) =>
    rows.reduce((sum, row) => sum + row[column], 0);
  const all = {
    file: `${rows.length} files`,
    passed: total('passed'),
    failed: total('failed'),
    skipped: total('skipped'),
    seconds: total('seconds'),
  };
  const width = Math.max(...[...rows, all].map(({ file }) => file.length));
  const line = (/** @type {string} */ file, /** @type {string[]} */ ...cells) =>
    process.stdout.write(`${file.padEnd(width)}${cells.map((cell) => cell.padStart(9)).join('')}\n`);
  line('file', 'passed', 'failed', 'skipped', 'seconds');
  for (const { file, passed, failed, skipped, seconds } of [...rows, all])
    line(file, String(passed), String(failed), String(skipped), seconds.toFixed(1));
};

const directory = mkdtempSync(join(tmpdir(), 'latchkey-store-tests-'));
const report = join(directory, 'report.json');
const given = process.argv.slice(2);
// `related` takes sources and no filter: a path would add tests instead of choosing from them.
const tests = given.some((argument) => existsSync(argument)) ? ['run'] : ['related', 'tests/support/stores.ts', '--run'];
const { status } = spawnSync(
  'npx',
  ['vitest', ...tests, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...given],
  { stdio: 'inherit' },
);
try {
  /** @type {{ testResults: TestFile[] }} */
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  print(testResults.map(rowOf).sort((a, b) => a.file.localeCompare(b.file)));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
process.exit(status ?? 1);

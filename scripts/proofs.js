// Runs the proofs at length: `npm run test:proofs [-- part of a path...]`; `--list` prints their files. A variable that is set already wins.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * Variables that set how long a proof is. Files that are not named `.proof.test.ts` are also part of `npm test`, briefly.
 * @type {Record<string, Record<string, string>>}
 */
const LENGTHS = {
  'tests/http/proofs/matrix.test.ts': { MATRIX_CELLS: 'all' },
  'tests/http/proofs/fuzz.test.ts': { FUZZ_RUNS: '10000' },
  'tests/http/proofs/races.test.ts': { RACES: '100' },
  'tests/http/users.test.ts': { FIRST_SIGN_INS: '1000' },
  'tests/security/guessingKeys.test.ts': { GUESSES_OF_ADDRESS: '300', GUESSING_ADDRESSES: '100', SIGN_INS_BESIDE: '70' },
  'tests/security/guessingRun.proof.test.ts': { GUESSING_MINUTES: '10', GUESSING_SIGN_INS: '1000' },
  'tests/cli/processes.test.ts': { CONCURRENT_RECORDINGS: '12', KILLED_RECORDINGS: '100', IMPORTED_CALLS: '60000' },
  'tests/embedded/otherNodes.test.ts': { NODES_OF_ROLE: '2' },
  'tests/eventstoreClient/scripted/subscriptions.test.ts': { ARRIVING_EVENTS: '100000' },
  'tests/embedded/eventstore/crash.test.ts': { STORE_KILLS: '10' },
  'tests/embedded/eventstore/manyCalls.test.ts': { SUBSCRIPTIONS: '5000' },
  'tests/embedded/eventstore/model.test.ts': { MODEL_OPERATIONS: '100000' },
  'tests/chaos/kills.proof.test.ts': { CHAOS_KILLS: '500' },
  'tests/chaos/flows.proof.test.ts': { FLOW_PASSES: '100' },
};

const tests = readdirSync(join(root, 'tests'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => `tests/${path.replaceAll('\\', '/')}`)
  .sort();
/** Files with tests that `npm test` leaves out, or accessibility checks in one color mode. */
const withMore = tests.filter((path) => /support\/(tiers|axe)\.ts'/.test(readFileSync(join(root, path), 'utf8')));
for (const path of withMore) LENGTHS[path] = { TESTS_AT_LENGTH: '1', ...LENGTHS[path] };
const proofs = tests.filter((path) => path.endsWith('.proof.test.ts'));
const files = [...new Set([...proofs, ...Object.keys(LENGTHS)])];

const chosen = process.argv.slice(2).filter((argument) => argument !== '--list');
const unknown = chosen.filter((part) => !files.some((file) => file.includes(part)));
if (unknown.length > 0) {
  process.stderr.write(`No proof has ${unknown.join(' or ')} in its path. The proofs are:\n${files.join('\n')}\n`);
  process.exit(2);
}
const selected = chosen.length === 0 ? files : files.filter((file) => chosen.some((part) => file.includes(part)));
if (process.argv.includes('--list')) {
  process.stdout.write(`${selected.join('\n')}\n`);
  process.exit(0);
}

const failed = selected.filter((file) => {
  const env = { ...LENGTHS[file], ...process.env };
  return spawnSync('npx', ['vitest', 'run', '--mode', 'proofs', file], { cwd: root, env, stdio: 'inherit' }).status !== 0;
});
for (const file of failed) process.stderr.write(`Failed: ${file}\n`);
process.exit(failed.length > 0 ? 1 : 0);

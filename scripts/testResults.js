// Prints the tests that passed, failed and were skipped, from vitest's JSON reports: node scripts/testResults.js FIRST [SECOND].
// `--failed FIRST` prints the files that failed instead. A file that could not even be loaded is one failed test.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * @typedef {{ status: string }} Test
 * @typedef {{ name: string, status: string, assertionResults: Test[] }} File
 */

/** @returns {File[]} */
const filesOf = (/** @type {string} */ path) => JSON.parse(readFileSync(path, 'utf8')).testResults;

const hasFailed = (/** @type {File} */ { status }) => status === 'failed';

const count = (/** @type {File} */ { status, assertionResults }) => {
  const of = (/** @type {string[]} */ ...statuses) => assertionResults.filter((test) => statuses.includes(test.status)).length;
  return { passed: of('passed'), failed: of('failed') || (status === 'failed' ? 1 : 0), skipped: of('pending', 'todo', 'skipped') };
};

const [first = '', second] = process.argv.slice(2).filter((argument) => argument !== '--failed');
const ran = filesOf(first);
if (process.argv.includes('--failed')) {
  for (const { name } of ran.filter(hasFailed)) console.log(relative('.', name));
} else {
  const again = new Map((second ? filesOf(second) : []).map((file) => [file.name, file]));
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const file of ran) {
    const { passed, failed, skipped } = count(again.get(file.name) ?? file);
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  console.log(total.passed, total.failed, total.skipped);
}

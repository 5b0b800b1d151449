// Runs the proofs at length: `npm run test:proofs [-- name...]`. A variable that is set already wins.
import { spawnSync } from 'node:child_process';

/** @type {Record<string, { file: string, env: Record<string, string> }>} */
const proofs = {
  fuzz: { file: 'tests/http/proofs/fuzz.test.ts', env: { FUZZ_RUNS: '10000' } },
  races: { file: 'tests/http/proofs/races.test.ts', env: { RACES: '100' } },
  guessing: { file: 'tests/security/guessingRun.test.ts', env: { GUESSING_MINUTES: '10', GUESSING_SIGN_INS: '1000' } },
  subscriptions: { file: 'tests/embedded/eventstore/manyCalls.test.ts', env: { SUBSCRIPTIONS: '5000' } },
  model: { file: 'tests/embedded/eventstore/model.test.ts', env: { MODEL_OPERATIONS: '100000' } },
  kills: { file: 'tests/chaos/kills.test.ts', env: { CHAOS_KILLS: '500' } },
  flows: { file: 'tests/chaos/flows.test.ts', env: { FLOW_PASSES: '100' } },
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in proofs));
if (unknown.length > 0) {
  process.stderr.write(`Unknown proof ${unknown.join(', ')}. Use ${Object.keys(proofs).join(', ')}.\n`);
  process.exit(2);
}

let failed = false;
for (const [name, { file, env }] of Object.entries(proofs)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const { status } = spawnSync('npx', ['vitest', 'run', file], { env: { ...env, ...process.env }, stdio: 'inherit' });
  failed ||= status !== 0;
}
process.exit(failed ? 1 : 0);

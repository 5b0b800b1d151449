import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { sharesOneEventStore } from './tests/support/storeChoice.ts';

/**
 * Timeouts end tests that hang; a busy machine may be slow. Files that run in one worker share its modules, which halves the CPU time:
 * what a file opens it closes, and global state that it changes it restores.
 */
const slow = {
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 30_000 } },
  setupFiles: ['tests/support/properties.ts'],
  isolate: false,
};
const stores = { ...slow, globalSetup: 'tests/support/globalSetup.ts' };

/** Kills, races and attacks at length, which `npm run test:proofs` runs. */
const PROOFS = ['tests/**/*.proof.test.ts'];
const UNIT = ['tests/{architecture,auditLog,bootstrap,contracts,domain,flow,outbound}/**/*.test.ts'];

/**
 * Tests wait for servers, stores, browsers and the disk: three workers more than two cores keep both busy. Files of the browser and of
 * stores run beside each other, since the former compute most of the time and the latter wait.
 */
const maxWorkers = sharesOneEventStore(process.env) ? 1 : Math.min(availableParallelism() + 3, 6);
/**
 * `vitest run tests/http` runs one layer. A project is not a layer but a way to run: each one loads and transforms the modules again.
 * `unit` needs no store, browser or build. `vitest run --mode proofs FILE` also runs a proof.
 */
export default defineConfig(({ mode }) => ({
  test: {
    pool: 'forks',
    maxWorkers,
    experimental: { fsModuleCache: true },
    projects: [
      { test: { name: 'unit', include: UNIT, exclude: PROOFS, ...slow } },
      { test: { name: 'stores', include: ['tests/**/*.test.ts'], exclude: [...UNIT, ...PROOFS], ...stores } },
      ...(mode === 'proofs' ? [{ test: { name: 'proofs', include: PROOFS, ...stores, testTimeout: 600_000 } }] : []),
    ],
  },
}));

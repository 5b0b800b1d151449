import { availableParallelism, totalmem } from 'node:os';
import { defineConfig } from 'vitest/config';
import { sharesOneEventStore } from './tests/support/storeChoice.ts';

/**
 * Timeouts end tests that hang; a busy machine may be slow. Files that run in one worker share its modules, which halves the CPU time:
 * what a file opens it closes, and global state that it changes it restores.
 */
const slow = {
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000 } },
  setupFiles: ['tests/support/properties.ts'],
  isolate: false,
};
const stores = { ...slow, globalSetup: ['tests/support/globalSetup.ts'] };
const browser = { ...slow, globalSetup: ['tests/support/globalSetup.ts', 'tests/support/browserSetup.ts'] };

/** Memory for a worker with its servers, stores or browser: four workers fit in 8 GB. */
const WORKER_BYTES = 1.5 * 1024 ** 3;

/** As many workers as the cores keep busy and the memory holds; one if all files share an event store. `waiting` are those that mostly wait. */
const workersOf = (waiting: number): number => {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const held = Math.max(1, Math.floor(memory / WORKER_BYTES));
  return sharesOneEventStore(process.env) ? 1 : Math.min(held, availableParallelism() + waiting);
};

/** Kills, races and attacks at length, which `npm run test:proofs` runs. */
const PROOFS = ['tests/**/*.proof.test.ts'];
const UNIT = ['tests/{architecture,auditLog,bootstrap,domain,flow,outbound}/**/*.test.ts'];
const BROWSER = ['tests/web/**/*.test.ts'];

/** Servers and stores wait for each other and for the disk. On two cores, four workers were fastest. */
const waiting = { maxWorkers: workersOf(2) };
/** A browser computes, and waits for the server. */
const computing = { maxWorkers: workersOf(1), sequence: { groupOrder: 1 } };
/**
 * `vitest run tests/http` runs one layer. A project is not a layer but a way to run: each one loads and transforms the modules again,
 * so `unit`, which needs no store, browser or build, runs among the others unless `--mode unit` asks for it. `vitest run --mode proofs
 * FILE` also runs a proof.
 */
export default defineConfig(({ mode }) => ({
  test: {
    pool: 'forks',
    experimental: { fsModuleCache: true },
    projects:
      mode === 'unit'
        ? [{ test: { name: 'unit', include: UNIT, exclude: PROOFS, ...slow, ...waiting } }]
        : [
            { test: { name: 'stores', include: ['tests/**/*.test.ts'], exclude: [...BROWSER, ...PROOFS], ...stores, ...waiting } },
            { test: { name: 'web', include: BROWSER, exclude: PROOFS, ...browser, ...computing } },
            ...(mode === 'proofs'
              ? [{ test: { name: 'proofs', include: PROOFS, ...browser, ...computing, testTimeout: 600_000 } }]
              : []),
          ],
  },
}));

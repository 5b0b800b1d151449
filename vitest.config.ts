import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { sharesOneEventStore } from './tests/support/storeChoice.ts';

/**
 * Timeouts end tests that hang; a busy machine may be slow. Files that run in one worker share its modules, which halves the CPU time:
 * what a file opens it closes, and global state that it changes it restores.
 */
const slow = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  setupFiles: ['tests/support/properties.ts'],
  isolate: false,
};
const stores = { ...slow, globalSetup: 'tests/support/globalSetup.ts' };

/** One worker if all files share an event store; more than four would take more memory than most machines have. */
const maxWorkers = sharesOneEventStore(process.env) ? 1 : Math.max(2, Math.min(4, availableParallelism()));

/** After all others, one file at a time: servers that are killed under load need all cores. */
const alone = { fileParallelism: false, sequence: { groupOrder: 1 } };

/** A project for each layer, so that `vitest run --project http` runs just that layer. `unit` needs no store, browser or build. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers,
    projects: [
      { test: { name: 'unit', include: ['tests/{architecture,bootstrap,contracts,domain,flow,outbound}/**/*.test.ts'], ...slow } },
      { test: { name: 'embedded', include: ['tests/embedded/**/*.test.ts'], ...stores } },
      { test: { name: 'eventstore', include: ['tests/eventstore/**/*.test.ts'], ...stores } },
      { test: { name: 'commands', include: ['tests/{commands,policies,security,upgrade}/**/*.test.ts'], ...stores } },
      { test: { name: 'projections', include: ['tests/{database,projections}/**/*.test.ts'], ...stores } },
      { test: { name: 'http', include: ['tests/{http,live}/**/*.test.ts'], ...stores } },
      { test: { name: 'cli', include: ['tests/{admin,cli,demo}/**/*.test.ts'], ...stores } },
      { test: { name: 'web', include: ['tests/web/**/*.test.ts'], ...stores } },
      {
        test: { name: 'chaos', include: ['tests/chaos/**/*.test.ts'], ...slow, ...alone, testTimeout: 600_000 },
      },
    ],
  },
});

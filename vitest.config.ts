import { defineConfig } from 'vitest/config';
import { sharesOneEventStore } from './tests/support/storeChoice.ts';

/** Limits are for what hangs; a busy machine may take its time. */
const slow = { testTimeout: 60_000, hookTimeout: 120_000, setupFiles: ['tests/support/properties.ts'] };
const oneByOne = { fileParallelism: false };
const stores = {
  ...slow,
  globalSetup: 'tests/support/globalSetup.ts',
  ...(sharesOneEventStore(process.env) ? oneByOne : {}),
};

/** One project a layer, so that `vitest run --project http` runs just that layer. Each test file is its own process. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      { test: { name: 'unit', include: ['tests/{architecture,bootstrap,demo,contracts,domain,outbound}/**/*.test.ts'], ...slow } },
      { test: { name: 'embedded', include: ['tests/embedded/**/*.test.ts'], ...stores } },
      { test: { name: 'eventstore', include: ['tests/eventstore/**/*.test.ts'], ...stores } },
      { test: { name: 'commands', include: ['tests/{commands,policies,security,upgrade}/**/*.test.ts'], ...stores } },
      { test: { name: 'projections', include: ['tests/{database,projections}/**/*.test.ts'], ...stores } },
      { test: { name: 'http', include: ['tests/{http,live}/**/*.test.ts'], ...stores } },
      { test: { name: 'cli', include: ['tests/{admin,cli}/**/*.test.ts'], ...stores } },
      { test: { name: 'web', include: ['tests/web/**/*.test.ts'], ...stores, ...oneByOne } },
      { test: { name: 'chaos', include: ['tests/chaos/**/*.test.ts'], ...slow, ...oneByOne, testTimeout: 600_000 } },
    ],
  },
});

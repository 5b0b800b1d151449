import { defineConfig } from 'vitest/config';

const slow = { testTimeout: 60_000, hookTimeout: 120_000 };

/** One project a layer, so that `vitest run --project http` runs just that layer. Each test file is its own process. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      { test: { name: 'unit', include: ['tests/{architecture,domain,contracts,commands,security,config}/**/*.test.ts'] } },
      { test: { name: 'embedded', include: ['tests/embedded/**/*.test.ts'], ...slow } },
      {
        test: {
          name: 'eventstore',
          include: ['tests/eventstore/**/*.test.ts'],
          globalSetup: 'tests/support/globalSetup.ts',
          ...slow,
        },
      },
      {
        test: {
          name: 'projections',
          include: ['tests/projections/**/*.test.ts'],
          globalSetup: 'tests/support/globalSetup.ts',
          ...slow,
        },
      },
      { test: { name: 'http', include: ['tests/http/**/*.test.ts'], globalSetup: 'tests/support/globalSetup.ts', ...slow } },
      { test: { name: 'cli', include: ['tests/cli/**/*.test.ts'], globalSetup: 'tests/support/globalSetup.ts', ...slow } },
      {
        test: {
          name: 'web',
          include: ['tests/web/**/*.test.ts'],
          globalSetup: 'tests/support/globalSetup.ts',
          fileParallelism: false,
          ...slow,
        },
      },
      { test: { name: 'chaos', include: ['tests/chaos/**/*.test.ts'], fileParallelism: false, ...slow, testTimeout: 600_000 } },
    ],
  },
});

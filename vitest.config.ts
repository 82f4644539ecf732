import os from 'node:os';
import { defineConfig } from 'vitest/config';

// Node gets these, too. It adds `import` or `require` itself.
const conditions = ['zoetrope', 'node'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'test/**/*.test.ts', 'eval/**/*.test.ts'],
    execArgv: ['--conditions=zoetrope', '--disable-warning=ExperimentalWarning'],
    pool: 'forks',
    // Most tests wait for processes of their own: with one worker more than there are cores none stands idle.
    maxWorkers: os.availableParallelism() + 1,
    globalSetup: 'test/support/prepared.ts',
    // An end for what hangs, not a measure: a machine that others use takes several times as long.
    testTimeout: 480_000,
    hookTimeout: 480_000,
  },
});

import os from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { FEW_CASES } from './packages/server/src/platform/testing/short-run.ts';
import LongestFirst from './tools/checks/longest-first.ts';

// Node gets these, too. It adds `import` or `require` itself.
const conditions = ['zoetrope', 'node'];

/**
 * More than there are cores, because many tests wait: for browsers, for other machines, for what comes back. With three
 * times as many as cores, a run takes as long, and what has a time limit of its own exceeds it.
 */
const WORKERS = 2 * os.availableParallelism();
/** Tests beside the code. Their files share threads, because starting one for each takes longer than most of them. */
const unit = { pool: 'threads', isolate: false, maxWorkers: WORKERS } as const;
/** Tests that start processes, and tests of the repository. Their files share processes for the same reason. */
const processes = { pool: 'forks', isolate: false, maxWorkers: WORKERS } as const;

/**
 * Files that run last, three at the same time. The first one stops nodes of the search cluster, so it runs after all
 * other tests of the cluster. It waits half of its time for the cluster, and the others run beside it.
 */
const last = { pool: 'forks', isolate: false, maxWorkers: 3 } as const;
const LAST = [
  'faults/cluster',
  'faults/nasty-files',
  'faults/bad-input',
  'integration/captions',
  'integration/catalogues',
  'integration/rating',
].map((name) => `test/${name}.test.ts`);

/**
 * Unit tests that run in processes. Most of them start processes themselves, and the system copies the page tables of the
 * process that starts another one: that takes up to 100 ms in the process of all unit tests, which uses 3 GB. The first one
 * leaves files open for whoever started its threads. If they are started by a thread, Node 24 closes these files
 * (`trackUnmanagedFds` is ignored), and they are then closed twice.
 */
const IN_PROCESS = [
  'packages/server/src/builds/load.test.ts',
  'packages/server/src/{embed,enrich,media,platform}/**/*.test.ts',
  'packages/server/src/cli/priority.test.ts',
  'packages/server/src/registry/open.test.ts',
];

/** Unit tests that need the cluster. They run with the others that do, because its three nodes take much memory. */
const ON_CLUSTER = [
  'packages/server/src/cluster/{cluster,layout}.test.ts',
  'packages/server/src/platform/opensearch/client-on-cluster.test.ts',
];

/**
 * Everything runs at normal priority in tests, because beside other tests, a process of low priority would hardly get
 * any time. Programs find stand-ins for `nice` and `chrt` first, and Node's own call does nothing.
 */
const PROGRAMS = path.resolve('test/support/programs');
const NORMAL_PRIORITY = {
  PATH: [PROGRAMS, process.env['PATH']].join(path.delimiter),
  NODE_OPTIONS: [process.env['NODE_OPTIONS'], `--import="${PROGRAMS}/normal-priority.mjs"`].filter(Boolean).join(' '),
};

/**
 * Tests of whatever an engine answers: what it finds, scores and compares. They also run on an index in a search cluster.
 * The steps of a search are the same above both engines.
 */
const ENGINE_TESTS = [
  'test/conformance/{search,suggest,similar,meaning,gif}.test.ts',
  'test/integration/{search,duplicates}.test.ts',
];

export default defineConfig({
  test: {
    reporters: ['default', './tools/checks/test-times.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      project('unit', 0, {
        ...unit,
        include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
        exclude: [...IN_PROCESS, ...ON_CLUSTER],
      }),
      project('process', 0, {
        ...processes,
        include: ['test/{conformance,openapi,repository}/**/*.test.ts', 'eval/**/*.test.ts', ...IN_PROCESS],
        exclude: ON_CLUSTER,
      }),
      project('waiting', 0, {
        ...processes,
        include: ['test/{e2e,edge,faults,integration,packages}/**/*.test.ts'],
        exclude: LAST,
      }),
      project('engine', 1, { ...processes, include: ON_CLUSTER }),
      project('cluster', 1, {
        ...processes,
        include: ENGINE_TESTS,
        setupFiles: ['test/support/on-cluster.ts'],
      }),
      project('last', 2, { ...last, include: LAST }),
    ],
  },
});

interface Options {
  pool: 'threads' | 'forks';
  isolate?: boolean;
  maxWorkers: number;
  include: string[];
  exclude?: string[];
  setupFiles?: string[];
}

/** @param turn projects run in this order; those of the same turn run at the same time */
function project(name: string, turn: number, options: Options) {
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      name,
      ...options,
      setupFiles: [
        'test/support/programs/bundled-processes.ts',
        'test/support/properties.ts',
        ...(options.setupFiles ?? []),
      ],
      // Node runs the sources as they are. Transforming them first took as long as half of the unit tests.
      experimental: { viteModuleRunner: false },
      sequence: { groupOrder: turn },
      execArgv: ['--conditions=zoetrope', '--disable-warning=ExperimentalWarning'],
      globalSetup: 'test/support/prepared.ts',
      env: NORMAL_PRIORITY,
      provide: { cases: process.env[FEW_CASES] === '1' ? 0.2 : 1 },
      // An end for what hangs, not a measure: a machine that others use takes several times as long.
      testTimeout: 1_800_000,
      hookTimeout: 1_800_000,
      // The same is true of a wait. The default of one second fails on a busy machine.
      expect: { poll: { timeout: 480_000 } },
    },
  };
}

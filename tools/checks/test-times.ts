import fs from 'node:fs';
import path from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** The variable with the path of the report, which `tools/checks/test.ts` reads. */
export const REPORT = 'ZOETROPE_TEST_REPORT';
const SLOWEST = 10;
const ON_CLUSTER = 'on a search cluster';

/** The result of a test run. */
export interface Report {
  passed: number;
  failed: number;
  skipped: number;
}

interface FileTime {
  group: string;
  file: string;
  tests: number;
  ms: number;
}

/** Prints the durations of each group of tests and of the slowest files, and writes the counts to a file. */
export default class TestTimes implements Reporter {
  readonly #from = new Map<string, number>();
  readonly #times: FileTime[] = [];

  onTestModuleQueued(module: TestModule): void {
    this.#from.set(module.id, Date.now());
  }

  onTestModuleEnd(module: TestModule): void {
    const now = Date.now();
    const [file, group] = [path.relative('.', module.moduleId), groupOf(module)];
    const tests = [...module.children.allTests()].length;
    this.#times.push({ group, file, tests, ms: now - (this.#from.get(module.id) ?? now) });
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    this.#print();
    const file = process.env[REPORT];
    if (file !== undefined) fs.writeFileSync(file, JSON.stringify({ ...count(modules, errors), times: this.#times }));
  }

  #print(): void {
    const groups = Object.entries(Object.groupBy(this.#times, ({ group }) => group));
    console.log('\nTime of each group (several files run at the same time):');
    for (const [name, times = []] of groups) {
      const [ms, tests] = [
        times.reduce((sum, { ms }) => sum + ms, 0),
        times.reduce((sum, { tests }) => sum + tests, 0),
      ];
      console.log(`  ${seconds(ms)}  ${name.padEnd(22)} ${times.length} files, ${tests} tests`);
    }
    console.log('The slowest files:');
    for (const { file, group, ms } of this.#times.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST)) {
      console.log(`  ${seconds(ms)}  ${file}${group === ON_CLUSTER ? ` (${ON_CLUSTER})` : ''}`);
    }
  }
}

/** Returns the room or folder of a file. The files of one room or folder are counted together. */
function groupOf({ moduleId, project }: TestModule): string {
  const [first = '', second = ''] = path.relative('.', moduleId).split(path.sep);
  return project.name === 'cluster' ? ON_CLUSTER : path.join(first, first === 'eval' ? '' : second);
}

function count(modules: readonly TestModule[], errors: readonly SerializedError[]): Report {
  const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
  const ofState = (state: string) => states.filter((each) => each === state).length;
  // If a file cannot be loaded or a hook fails, possibly no test counts as failed. Therefore, this counts as one
  // failure.
  const broken = modules.some((module) => !module.ok()) || errors.length > 0 ? 1 : 0;
  return {
    passed: ofState('passed'),
    failed: Math.max(ofState('failed'), broken),
    skipped: ofState('skipped') + ofState('pending'),
  };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1).padStart(7)} s`;
}

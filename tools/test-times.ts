import fs from 'node:fs';
import path from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** The variable with the path of the report, which `tools/test.ts` reads. */
export const REPORT = 'ZOETROPE_TEST_REPORT';
const SLOWEST = 10;

/** What a test run found. */
export interface Report {
  passed: number;
  failed: number;
  skipped: number;
}

interface FileTime {
  group: string;
  file: string;
  tests: number;
  /** Milliseconds from 1970. */
  from: number;
  until: number;
}

/** Prints how long each group of tests and each of the slowest files took, and writes the counts into a file. */
export default class TestTimes implements Reporter {
  readonly #from = new Map<string, number>();
  readonly #times: FileTime[] = [];

  onTestModuleQueued(module: TestModule): void {
    this.#from.set(module.id, Date.now());
  }

  onTestModuleEnd(module: TestModule): void {
    const until = Date.now();
    const [file, group] = [path.relative('.', module.moduleId), groupOf(module)];
    const tests = [...module.children.allTests()].length;
    this.#times.push({ group, file, tests, from: this.#from.get(module.id) ?? until, until });
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    this.#print();
    const file = process.env[REPORT];
    if (file !== undefined) fs.writeFileSync(file, JSON.stringify({ ...count(modules, errors), times: this.#times }));
  }

  #print(): void {
    const groups = Object.entries(Object.groupBy(this.#times, ({ group }) => group));
    console.log('\nTime of each group, and its files and tests:');
    for (const [name, times = []] of groups) {
      const wall = Math.max(...times.map(({ until }) => until)) - Math.min(...times.map(({ from }) => from));
      const tests = times.reduce((sum, { tests }) => sum + tests, 0);
      console.log(`  ${seconds(wall)}  ${name.padEnd(22)} ${times.length} files, ${tests} tests`);
    }
    console.log('The slowest files:');
    const slowest = this.#times.toSorted((a, b) => b.until - b.from - (a.until - a.from)).slice(0, SLOWEST);
    for (const { file, group, from, until } of slowest) {
      console.log(`  ${seconds(until - from)}  ${file}${group.endsWith('cluster') ? ' (on a search cluster)' : ''}`);
    }
  }
}

/** Returns the room or the folder whose files are counted together. */
function groupOf({ moduleId, project }: TestModule): string {
  const [first = '', second = ''] = path.relative('.', moduleId).split(path.sep);
  return project.name === 'cluster' ? 'on a search cluster' : path.join(first, first === 'eval' ? '' : second);
}

function count(modules: readonly TestModule[], errors: readonly SerializedError[]): Report {
  const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
  const ofState = (state: string) => states.filter((each) => each === state).length;
  // If a file cannot be loaded, or a hook fails, no test of it may be counted as failed.
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

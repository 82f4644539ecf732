import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests that take long although their files are short. Without a record of earlier runs, the runner starts the largest
 * files first, and one of these slow tests would run alone at the end.
 */
const LONG = new Set([
  'packages/server/src/cluster/cluster.test.ts',
  'packages/server/src/media/worker/pool.test.ts',
  'packages/server/src/relays/follow.test.ts',
  'test/conformance/degraded.test.ts',
  'test/e2e/gif-page.test.ts',
  'test/faults/cluster.test.ts',
  'test/faults/kill.test.ts',
  'test/faults/nodes.test.ts',
  'test/faults/swap.test.ts',
  'test/integration/backup.test.ts',
  'test/integration/captions.test.ts',
  'test/integration/catalogues.test.ts',
  'test/integration/first-start.test.ts',
  'test/integration/rating.test.ts',
  'test/integration/upgrade.test.ts',
  'test/packages/packages.test.ts',
]);

/** Starts tests that take long before the others. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.has(path.relative('.', moduleId));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

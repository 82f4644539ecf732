import { spawn } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { Lane } from '../../tools/fuzz/lane.ts';
import { TARGETS } from '../../tools/fuzz/targets.ts';
import { DAMAGE } from '../../tools/fuzz/testing/broken.ts';
import { outcome, temporaryFolder } from '../support/server.ts';

/** `npm run fuzz` draws other inputs on each run. Here they are always the same, so that a failure is never by chance. */
const SEED = '1';
/** A turn is a fixed number of inputs. One turn of each target takes about half a minute of processor time. */
const TURNS = '1';
/** Time after which a broken input counts as hanging, in milliseconds. */
const LIMIT_MS = 2_000;

const lanes: Lane[] = [];

afterEach(async () => {
  await Promise.all(lanes.splice(0).map((lane) => lane.end()));
});

test('damaged inputs of all kinds are refused as promised', async () => {
  const node = ['--conditions=zoetrope', '--disable-warning=ExperimentalWarning'];
  const command = [...node, 'tools/fuzz.ts', '--seed', SEED, '--turns', TURNS];
  const run = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
  const { code, stdout, stderr } = await outcome(run);
  expect(code, `${stdout}${stderr}`).toBe(0);
  // Every target got inputs, and they were not all treated alike.
  for (const target of Object.keys(TARGETS)) {
    expect(stdout).toMatch(new RegExp(`^\\| ${target} \\| [1-9]\\d* \\| \\d+ \\| 0 \\| [^,]+, `, 'm'));
  }
});

/** Returns a lane for targets that are broken. */
function brokenLane(folder: string): Lane {
  const setup = { seed: SEED, folder, service: undefined };
  const targets = new URL('../../tools/fuzz/testing/broken.ts', import.meta.url).href;
  const lane = new Lane({ targets, setup, limitMs: LIMIT_MS, shown: 100 });
  lanes.push(lane);
  return lane;
}

test('an input that throws, ends or blocks its process, or gets no result, is found among others', async () => {
  using folder = temporaryFolder();
  const { outcomes, findings } = await brokenLane(folder.path).check({ target: 'broken', from: 0, count: 12 });
  const found = new Map(findings.map(({ from, what }) => [from, what]));
  expect(found.get(DAMAGE.throws)).toContain('TypeError: it is broken');
  expect(found.get(DAMAGE.ends)).toContain('it ended with 3');
  expect(found.get(DAMAGE.hangs)).toContain(`it did not respond within ${LIMIT_MS} ms`);
  expect(found.get(DAMAGE.waits)).toContain('there was no result in time');
  for (const { from, count, input } of findings) {
    expect(count).toBe(1);
    expect(input).toContain(`"number":${from},`);
  }
  expect(outcomes['even']).toBeGreaterThan(0);
});

test('memory that grows from turn to turn is found', async () => {
  using folder = temporaryFolder();
  const lane = brokenLane(folder.path);
  const found: string[] = [];
  for (let from = 0; from < 20; from += 5) {
    const { findings } = await lane.check({ target: 'leaking', from, count: 5 });
    found.push(...findings.map(({ what, count }) => `${count} inputs: ${what}`));
  }
  expect(found[0]).toMatch(/^\d+ inputs: memory: heap grew from \d+ to \d+ MB/);
});

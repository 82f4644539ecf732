import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ServiceError } from '../../base/errors.ts';
import { SYSTEM_PATH } from '../../platform/testing/system-path.ts';
import { MediaRefusal } from '../refusal.ts';
import { writeGif } from '../testing/gif-writer.ts';
import { silentLog } from '../testing/test-media.ts';
import { type PoolOptions, WorkerPool } from './pool.ts';
import type { Job, Output } from './protocol.ts';

const LINUX = process.platform === 'linux';
const SIZE = { width: 40, height: 30 };
const JOB: Job = {
  bytes: writeGif({ ...SIZE, frames: [{ pixels: 0 }, { pixels: 1 }] }),
  limits: { maxCanvasPixels: 25_000_000, maxTotalPixels: 1e9, maxCpuSeconds: 30, maxMemoryMib: 1024 },
  images: {
    targets: [
      { kind: 'still', ...SIZE },
      { kind: 'animated', ...SIZE },
    ],
    of: SIZE,
  },
  frameFacts: false,
  frames: [],
};

/** A job that runs for a long time after its first output, so that a test can kill its process in that time. */
const LONG_JOB: Job = {
  ...JOB,
  bytes: writeGif({ width: 400, height: 400, frames: Array.from({ length: 60 }, (_, n) => ({ pixels: n % 2 })) }),
  images: {
    targets: [
      { kind: 'still', width: 40, height: 40 },
      { kind: 'animated', width: 400, height: 400 },
    ],
    of: { width: 400, height: 400 },
  },
};

let pools: WorkerPool[] = [];
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  pools = [];
});

function newPool(changes: Partial<PoolOptions> = {}): WorkerPool {
  const defaults = { workers: 1, workerMemoryMib: 4096, timeoutMs: 30_000, schedule: 'low' as const, log: silentLog() };
  const pool = new WorkerPool({ ...defaults, ...changes });
  pools.push(pool);
  return pool;
}

function run(pool: WorkerPool, options: { inputKey?: string; job?: Job; onOutput?: (output: Output) => void } = {}) {
  const { inputKey = 'a', job = JOB, onOutput = () => {} } = options;
  return pool.run(job, { priority: 'ingest', inputKey, onOutput });
}

function killAll(pool: WorkerPool): void {
  for (const pid of pool.pids) process.kill(pid, 'SIGKILL');
}

/** Returns whether the process has ended. A zombie has ended, too. */
function isGone(pid: number): boolean {
  try {
    return / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
}

describe('a pool', () => {
  test('has no process before its first job, and then one process for one job', async () => {
    const pool = newPool({ workers: 2 });
    expect(pool.pids).toEqual([]);
    const outputs: Output[] = [];
    const { facts } = await run(pool, { onOutput: (output) => outputs.push(output) });
    expect(facts).toEqual({ format: 'gif', ...SIZE, frames: 2, durationMs: 200, truncated: false });
    expect(outputs.map(({ target }) => target.kind)).toEqual(['still', 'animated']);
    expect(pool.pids).toHaveLength(1);
  });

  test('has as many processes as jobs, up to its limit', async () => {
    const pool = newPool({ workers: 2 });
    await Promise.all(Array.from({ length: 6 }, () => run(pool)));
    expect(pool.pids).toHaveLength(2);
  });

  test('ends idle processes, and starts them again', async () => {
    const pool = newPool({ idleMs: 1 });
    await run(pool);
    await vi.waitUntil(() => pool.pids.length === 0, { timeout: 480_000 });
    await run(pool);
  });

  test.runIf(LINUX)('replaces the idle class by low priority on a machine that is never idle', async () => {
    vi.stubEnv('PATH', SYSTEM_PATH);
    onTestFinished(() => void vi.unstubAllEnvs());
    const pool = newPool({ schedule: 'idle', timeoutMs: 480_000 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const done = run(pool);
    const [starved] = pool.pids;
    process.kill(starved!, 'SIGSTOP');
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    await expect(done).resolves.toMatchObject({ facts: { format: 'gif' } });
    // The killed process ends only when the busy machine gives it time.
    await vi.waitUntil(() => isGone(starved!), { timeout: 480_000 });
    expect(os.getPriority(pool.pids[0])).toBe(Math.min(19, os.getPriority() + 10));
  });

  test('runs requested jobs before background jobs', async () => {
    const pool = newPool();
    const order: string[] = [];
    const add = (name: string, priority: 'on_demand' | 'ingest') =>
      pool.run(JOB, { priority, inputKey: name, onOutput: () => {} }).then(() => order.push(name));
    await Promise.all([add('first', 'ingest'), add('background', 'ingest'), add('asked', 'on_demand')]);
    expect(order).toEqual(['first', 'asked', 'background']);
  });

  test('replaces a process after many jobs', async () => {
    const pool = newPool();
    await run(pool);
    const before = pool.pids;
    for (let i = 0; i < 200; i++) await run(pool);
    expect(pool.pids).toHaveLength(1);
    expect(pool.pids).not.toEqual(before);
  });
});

describe('when a job crashes its process', () => {
  test('another process does the job', async () => {
    const pool = newPool();
    let kills = 0;
    const onOutput = (): void => {
      if (kills++ === 0) killAll(pool);
    };
    await expect(run(pool, { onOutput })).resolves.toHaveProperty('facts');
    expect(kills).toBeGreaterThan(1);
  });

  test('twice, its file is refused from then on, and other files are not', async () => {
    const pool = newPool();
    let kills = 0;
    const onOutput = (): void => {
      kills++;
      killAll(pool);
    };
    await expect(run(pool, { job: LONG_JOB, onOutput })).rejects.toMatchObject({ reason: 'decoder_crashed' });
    await expect(run(pool, { job: LONG_JOB, onOutput })).rejects.toBeInstanceOf(MediaRefusal);
    expect(kills).toBe(2);
    await expect(run(pool, { inputKey: 'b' })).resolves.toHaveProperty('facts');
  });

  test.runIf(LINUX)('now and then, and succeeds in between, its file is not refused', async () => {
    const pool = newPool();
    await run(pool);
    for (let n = 0; n < 3; n++) {
      const [pid] = pool.pids;
      process.kill(pid!, 'SIGSTOP'); // so that the process cannot finish the job before the test kills it
      const done = run(pool);
      process.kill(pid!, 'SIGKILL');
      await expect(done).resolves.toHaveProperty('facts');
      expect(pool.pids).not.toContain(pid);
    }
  });

  test.runIf(LINUX)('for lack of memory, this counts like any other crash', async () => {
    // The image is too large for the address space. The limits are high, so that the earlier checks accept it.
    const width = 16_000;
    const job: Job = {
      ...JOB,
      bytes: writeGif({ width, height: width, frames: [{ pixels: 0 }] }),
      limits: { ...JOB.limits, maxCanvasPixels: width * width },
      images: { fits: ['w240'] },
    };
    const pool = newPool({ workerMemoryMib: 2048 });
    await expect(run(pool, { job })).rejects.toBeInstanceOf(MediaRefusal);
    await expect(run(pool, { inputKey: 'b' })).resolves.toHaveProperty('facts');
  });
});

test('kills the process of a job that takes too long, and then runs other jobs', async () => {
  const pool = newPool({ timeoutMs: 0.1 });
  const slow: Job = {
    ...JOB,
    images: { fits: ['w480'] },
    bytes: writeGif({ width: 2000, height: 2000, frames: [{}] }),
  };
  await expect(run(pool, { job: slow })).rejects.toMatchObject({ reason: 'timed_out' });
  await expect(run(newPool(), { job: slow })).resolves.toHaveProperty('facts');
});

/** One frame takes 36 MB, and all frames take a second. */
const LARGE = writeGif({
  width: 3_000,
  height: 3_000,
  frames: Array.from({ length: 12 }, (_, n) => ({ pixels: n % 2 })),
});

test.each([
  ['too_slow', { maxCpuSeconds: 0.01 }, 'its previews take more than 0.01 s of CPU time'],
  ['too_much_memory', { maxMemoryMib: 8 }, 'its previews take more than 8 MiB of memory'],
  [
    'too_many_pixels',
    { maxTotalPixels: 1_000 },
    'width x height x frames is 3000 x 3000 x 12; the maximum is 1000 pixels',
  ],
] as const)(
  'a file that is %s is refused with its limit, and the next job succeeds',
  async (reason, limits, message) => {
    const pool = newPool();
    const images = {
      targets: [{ kind: 'animated', width: 480, height: 480 }],
      of: { width: 3_000, height: 3_000 },
    } as const;
    const job: Job = { ...JOB, bytes: LARGE, images, limits: { ...JOB.limits, ...limits } };
    await expect(run(pool, { job })).rejects.toMatchObject({ reason, message });
    await expect(run(pool, { inputKey: 'b' })).resolves.toHaveProperty('facts');
  },
);

test.runIf(LINUX)('when no process can be started, the file is not refused', async () => {
  const pool = newPool({ workerMemoryMib: 64 });
  await expect(run(pool)).rejects.toMatchObject({ code: 'upstream_unavailable', retryAfter: 30 });
});

test('closing rejects unfinished jobs and leaves no process', async () => {
  const pool = newPool();
  const closed = Promise.withResolvers<void>();
  const onOutput = (): void => closed.resolve(pool.close());
  const results = Promise.allSettled([LONG_JOB, LONG_JOB].map((job) => run(pool, { job, onOutput })));
  await closed.promise;
  for (const result of await results) {
    expect(result).toMatchObject({ status: 'rejected', reason: expect.any(ServiceError) });
  }
  expect(pool.pids).toEqual([]);
  await expect(run(pool)).rejects.toBeInstanceOf(ServiceError);
});

test.runIf(LINUX)('processes end with the service, even if it is killed', async () => {
  const script = `
    import { WorkerPool } from ${JSON.stringify(new URL('./pool.ts', import.meta.url).href)};
    import { silentLog } from ${JSON.stringify(new URL('../testing/test-media.ts', import.meta.url).href)};
    const pool = new WorkerPool({ workers: 1, workerMemoryMib: 4096, timeoutMs: 30000, schedule: 'low', log: silentLog() });
    process.on('message', (job) => pool.run(job, { priority: 'ingest', inputKey: 'a', onOutput: () => {} })
      .then(() => process.send(pool.pids)));`;
  const args = ['--conditions=zoetrope', '--input-type=module', '--eval', script];
  const service = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  service.send(JOB);
  const [[pid]] = (await once(service, 'message')) as [[number]];
  expect(isGone(pid)).toBe(false);
  service.kill('SIGKILL');
  await vi.waitUntil(() => isGone(pid), { timeout: 480_000 });
});

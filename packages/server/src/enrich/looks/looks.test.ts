import { readFileSync } from 'node:fs';
import { fitLooks, projectLooks } from '@zoetrope/search';
import pino from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../../base/errors.ts';
import { writeGif } from '../../media/testing/gif-writer.ts';
import { createTestMedia } from '../../media/testing/test-media.ts';
import { createLooks, LOOKS_PLACES, type Looks, ModelError, pictureHashes, RATED_PLACES } from '../index.ts';
import { ModelProcess } from '../process/process.ts';
import { noise } from '../testing/pictures.ts';
import { mirrored } from './frame.ts';

const LINUX = process.platform === 'linux';
const FRAMES = Buffer.concat([1, 2, 3].map((seed) => noise(224, seed).pixels));

let open: Looks[] = [];
afterEach(async () => {
  await Promise.all(open.map((looks) => looks.close()));
  open = [];
});

function newLooks(limitMs = 60_000): Looks {
  const looks = createLooks({ log: pino({ level: 'silent' }), limitMs });
  open.push(looks);
  return looks;
}

function isGone(pid: number): boolean {
  try {
    return / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
}

describe('a description', () => {
  test('has 1,344 numbers that the engine accepts, and is the same each time and for the mirror image', async () => {
    const looks = newLooks();
    const found = await looks.describe(FRAMES);
    expect(found).toHaveLength(1344);
    expect(found.every(Number.isFinite)).toBe(true);
    expect(await looks.describe(FRAMES)).toEqual(found);
    const mirror = Buffer.concat([1, 2, 3].map((seed) => mirrored(noise(224, seed)).pixels));
    const [a, b] = [found, await looks.describe(mirror)].map((raw) => projectLooks(fitLooks([found]), raw));
    expect(a!.reduce((sum, value, i) => sum + value * b![i]!, 0)).toBeGreaterThan(0.9999);
  });

  test('of a GIF is nearer to the same GIF with fewer frames than to another GIF', async () => {
    const { media } = createTestMedia();
    const looks = newLooks();
    const square = (x: number, colour: number) => ({ x, y: 20, width: 40, height: 40, pixels: colour });
    const gifs = [
      [{ pixels: 1 }, square(10, 2), square(30, 2), square(50, 2)],
      [{ pixels: 1 }, square(10, 2), square(50, 2)],
      [{ pixels: 3 }, { x: 0, y: 80, width: 100, height: 20, pixels: 0 }],
    ].map((frames) => writeGif({ width: 100, height: 100, frames }));
    try {
      const found: Float32Array[] = [];
      for (const gif of gifs) found.push(await looks.describe(await media.frames(gif, LOOKS_PLACES)));
      const model = fitLooks(found);
      const [a, b, c] = found.map((raw) => projectLooks(model, raw)) as [Float32Array, Float32Array, Float32Array];
      const cosine = (other: Float32Array): number => a.reduce((sum, value, i) => sum + value * other[i]!, 0);
      expect(cosine(b)).toBeGreaterThan(cosine(c) + 0.2);
    } finally {
      await media.close();
    }
  });

  test('needs complete frames', async () => {
    const looks = newLooks();
    await expect(looks.describe(new Uint8Array())).rejects.toBeInstanceOf(RangeError);
    await expect(looks.describe(FRAMES.subarray(1))).rejects.toBeInstanceOf(RangeError);
    expect(looks.pid).toBeUndefined();
  });
});

describe('a look', () => {
  test('makes the descriptor from the first three frames, and the suspicion from all frames', async () => {
    const looks = newLooks();
    const more = Buffer.concat([FRAMES, noise(224, 4).pixels]);
    const [three, four, last] = [
      await looks.look(FRAMES),
      await looks.look(more),
      await looks.look(more.subarray(-FRAMES.length / 3)),
    ];
    expect(RATED_PLACES.slice(0, 3)).toEqual(LOOKS_PLACES);
    // The network's rounding errors depend on the number of frames in the batch.
    for (const [i, value] of four.descriptor.entries()) expect(value).toBeCloseTo(three.descriptor[i]!, 3);
    expect(four.suspicion).toBeCloseTo(Math.max(three.suspicion, last.suspicion), 3);
    expect(four.hashes).toEqual(pictureHashes(FRAMES));
  });
});

describe('when the process dies', () => {
  test('between two GIFs, the next GIF is described by a new process', async () => {
    const looks = newLooks();
    const found = await looks.describe(FRAMES);
    process.kill(looks.pid!, 'SIGKILL');
    expect(await looks.describe(FRAMES)).toEqual(found);
  });

  test.runIf(LINUX)('during a GIF, that GIF is described again by a new process', async () => {
    const looks = newLooks();
    const { pid } = await started(looks);
    process.kill(pid, 'SIGSTOP'); // so that the process cannot finish the next GIF before it is killed
    const found = looks.describe(FRAMES);
    process.kill(pid, 'SIGKILL');
    expect(await found).toHaveLength(1344);
    expect(looks.pid).not.toBe(pid);
  });

  test('because it hangs, the next GIF still gets its own attempt', async () => {
    const looks = newLooks(1);
    const [one, other] = await Promise.allSettled([looks.describe(FRAMES), looks.describe(FRAMES)]);
    expect([one.status, other.status]).toEqual(['rejected', 'rejected']);
    expect((one as PromiseRejectedResult).reason).not.toBe((other as PromiseRejectedResult).reason);
  });

  test.runIf(LINUX)('because it hangs, it is killed and replaced', async () => {
    // No process can load and respond within a millisecond.
    const looks = newLooks(1);
    await expect(looks.describe(FRAMES)).rejects.toThrow(/did not respond within 1 ms/);
    await expect(looks.describe(FRAMES)).rejects.toBeInstanceOf(ModelError);
    const patient = newLooks(60_000);
    const { pid } = await started(patient);
    process.kill(pid, 'SIGSTOP');
    // Only the hung process must exceed the time limit, because the process that replaces the hung one can be slow on a
    // busy machine.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const found = patient.describe(FRAMES);
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    expect(await found).toHaveLength(1344);
    expect(isGone(pid)).toBe(true);
  });
});

test('distinguishes a network that cannot be loaded from a process that died', async () => {
  const entry = new URL('./child.ts', import.meta.url);
  const broken = new ModelProcess({ entry, args: ['no-such-file.onnx'] });
  await expect(broken.ready()).rejects.toMatchObject({
    name: 'ProcessFailed',
    message: expect.stringContaining('no-such-file'),
  });
  await broken.end();
});

test('closing rejects unfinished descriptions and leaves no process', async () => {
  const looks = newLooks();
  const { pid } = await started(looks);
  const waiting = Promise.allSettled([looks.describe(FRAMES), looks.describe(FRAMES)]);
  await looks.close();
  for (const result of await waiting) {
    expect(result).toMatchObject({ status: 'rejected', reason: expect.any(ServiceError) });
  }
  await vi.waitUntil(() => isGone(pid), { timeout: 480_000 });
  await expect(looks.describe(FRAMES)).rejects.toMatchObject({ code: 'upstream_unavailable' });
});

/** Starts the process. @returns the id of the process */
async function started(looks: Looks): Promise<{ pid: number }> {
  await looks.describe(FRAMES);
  return { pid: looks.pid! };
}

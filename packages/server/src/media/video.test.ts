import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from '@zoetrope/starter';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { readBlob } from '../platform/blobs/index.ts';
import { VIDEOS, type Video } from './derivatives.ts';
import type { MediaSource } from './source.ts';
import { writeGif } from './testing/gif-writer.ts';
import { lookAtVideo } from './testing/look-at-video.ts';
import { createTestMedia, localSource } from './testing/test-media.ts';
import { findVideoEncoder } from './video-encoder.ts';

const ffmpegWorks = (await findVideoEncoder('ffmpeg')) === 'ffmpeg';
const open: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(open.map((media) => media.close())));

/** Three frames, each in a single colour: 0, 1 and 2 of the palette. */
const GIF = writeGif({
  width: 101,
  height: 75,
  frames: [
    { pixels: 0, delay: 2 },
    { pixels: 1, delay: 0 },
    { pixels: 2, delay: 500 },
  ],
});

/** Two frames: white and black halves, and blue. */
const LARGE = writeGif({
  width: 480,
  height: 250,
  frames: [
    { pixels: Uint8Array.from({ length: 480 * 250 }, (_, at) => (at % 480 < 240 ? 1 : 0)), delay: 2 },
    { pixels: 3, delay: 500 },
  ],
});
const SMALL = { kind: 'video', fit: 'w240' } as const;

test('the built-in encoder works here, and is used if ffmpeg is missing', async () => {
  expect(await findVideoEncoder('webcodecs')).toBe('webcodecs');
  expect(await findVideoEncoder('off')).toBeNull();
  const path = process.env['PATH'];
  process.env['PATH'] = '/nowhere';
  try {
    expect(await findVideoEncoder('auto')).toBe('webcodecs');
    expect(await findVideoEncoder('ffmpeg')).toBeNull();
  } finally {
    process.env['PATH'] = path;
  }
});

describe.each([
  ['ffmpeg', ffmpegWorks],
  ['webcodecs', true],
] as const)('a video by %s', (videoEncoder, works) => {
  const { media, blobs } = createTestMedia({ videoEncoder });
  open.push(media);

  async function makeVideo(bytes: Uint8Array, changes: Partial<MediaSource> = {}): Promise<Buffer> {
    const source = { ...localSource(await media.ingest(bytes)), ...changes };
    return readVideo(source, { kind: 'video' });
  }

  async function makeSmallVideo(bytes: Uint8Array): Promise<Buffer> {
    return readVideo(localSource(await media.ingest(bytes)), SMALL);
  }

  async function readVideo(source: MediaSource, video: Video): Promise<Buffer> {
    const { key, contentType } = await media.ensure(source, video);
    expect(contentType).toBe('video/mp4');
    return Buffer.from((await readBlob(blobs, key))!);
  }

  test.runIf(works)('has the timing of its GIF, even sides, and its index before the pictures', async () => {
    const video = await makeVideo(GIF);
    const { boxes, packets, width, height, codec } = await lookAtVideo(video);
    expect({ width, height, codec }).toEqual({ width: 102, height: 76, codec: 'avc' });
    // As in browsers, a delay of 2 is 20 ms, and a delay of 0 is 100 ms. The last frame lasts 5 s.
    expect(packets).toMatchObject([
      { timestamp: 0, duration: 0.02, type: 'key' },
      { timestamp: 0.02, duration: 0.1 },
      { timestamp: 0.12, duration: 5 },
    ]);
    expect(boxes.indexOf('moov')).toBeGreaterThan(-1);
    expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'));
  });

  test.runIf(works)('is also made in the size of a preview', async () => {
    const { packets, width, height, luma } = await lookAtVideo(await makeSmallVideo(LARGE));
    // The preview has 240 x 125 pixels.
    expect({ width, height }).toEqual({ width: 240, height: 126 });
    expect(packets.map(({ duration }) => duration)).toEqual([0.02, 5]);
    // The first frame is white on the left and black on the right. The added pixels at the bottom are black.
    const at = (x: number, y: number) => luma[y * width + x]!;
    expect(at(60, 60)).toBeGreaterThan(225);
    expect(at(180, 60)).toBeLessThan(26);
    expect(at(60, 125)).toBeLessThan(100);
  });

  test.runIf(works)('in the size of a preview is not made of a GIF with a transparent pixel', async () => {
    const pixels = Uint8Array.from({ length: 32 * 32 }, (_, at) => (at === 777 ? 2 : 1));
    const frames = [{ pixels: 1 }, { pixels, transparent: 2, disposal: 2 }, { pixels, transparent: 2 }];
    const clear = writeGif({ width: 32, height: 32, frames: frames.map((frame) => ({ ...frame, disposal: 2 })) });
    await expect(makeSmallVideo(clear)).rejects.toMatchObject({ code: 'not_found' });
    // After the failure, the worker can still make other files.
    expect((await lookAtVideo(await makeVideo(clear))).packets).toHaveLength(3);
    // A transparent colour that repeats the frame below is opaque.
    const opaque = [{ pixels: 1 }, { pixels, transparent: 2 }];
    const video = await makeSmallVideo(writeGif({ width: 32, height: 32, frames: opaque }));
    expect((await lookAtVideo(video)).packets).toHaveLength(2);
  });

  test.runIf(works)('can be made from an animated WebP', async () => {
    const webp = await sharp(GIF, { animated: true })
      .webp({ delay: [40, 60, 900], lossless: true })
      .toBuffer();
    const { packets } = await lookAtVideo(await makeVideo(webp));
    expect(packets.map(({ duration }) => duration)).toEqual([0.04, 0.06, 0.9]);
  });

  test.runIf(works && ffmpegWorks)('shows the colours of its GIF, and transparent pixels as black', async () => {
    const side = 32;
    const half = (r: number, g: number, b: number) =>
      sharp({ create: { width: side, height: side, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
        .composite([
          {
            input: { create: { width: side / 2, height: side, channels: 4, background: { r, g, b, alpha: 1 } } },
            left: 0,
            top: 0,
          },
        ])
        .png()
        .toBuffer();
    const frames = [await half(220, 40, 30), await half(20, 60, 210)];
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const pixels = decode(await makeVideo(gif), side * side * 3 * 2);
    const at = (frame: number, x: number): number[] => {
      const start = ((frame * side + 16) * side + x) * 3;
      return [...pixels.subarray(start, start + 3)];
    };
    expectNear(at(0, 6), [220, 40, 30]);
    expectNear(at(1, 6), [20, 60, 210]);
    expectNear(at(0, 26), [0, 0, 0]);
    expectNear(at(1, 26), [0, 0, 0]);
  });

  test.runIf(works)('contains no creation time, so that it is always the same', async () => {
    const video = await makeVideo(GIF);
    for (const box of ['mvhd', 'tkhd', 'mdhd']) {
      const at = video.indexOf(box, 0, 'latin1') + box.length;
      const bytes = video[at] === 1 ? 16 : 8;
      expect(
        video.subarray(at + 4, at + 4 + bytes).every((byte) => byte === 0),
        box,
      ).toBe(true);
    }
  });

  test.runIf(works)('is made once for concurrent requests', async () => {
    const source = localSource(await media.ingest(writeGif({ width: 40, height: 30, frames: [{ pixels: 1 }, {}] })));
    const before = blobs.puts.length;
    const made = await Promise.all(Array.from({ length: 50 }, () => media.ensure(source, { kind: 'video' })));
    expect(new Set(made.map(({ key }) => key)).size).toBe(1);
    expect(blobs.puts.slice(before).filter((key) => key.endsWith('.mp4'))).toHaveLength(1);
  });
});

test.runIf(ffmpegWorks)('ffmpeg encodes a video in the size of a preview with a higher quality', async () => {
  const { media, blobs } = createTestMedia({ videoEncoder: 'ffmpeg' });
  open.push(media);
  const random = seeded('noise');
  const noise = () => ({ pixels: Uint8Array.from({ length: 240 * 120 }, () => Math.floor(random() * 4)) });
  const source = localSource(await media.ingest(writeGif({ width: 240, height: 120, frames: [noise(), noise()] })));
  const sizeOf = async (video: Video) => (await readBlob(blobs, (await media.ensure(source, video)).key))!.length;
  expect(await sizeOf(SMALL)).toBeGreaterThan(1.1 * (await sizeOf({ kind: 'video' })));
});

test('makes no video of a still, or of a GIF that is too long or too large', async () => {
  const { media } = createTestMedia({ videoEncoder: 'webcodecs' });
  open.push(media);
  const source = localSource(await media.ingest(GIF));
  for (const changes of [{ frames: 1 }, { frames: 1801 }, { durationMs: 60_001 }, { width: 4096 }, { frames: null }]) {
    for (const video of VIDEOS) {
      const refused = media.ensure({ ...source, ...changes }, video);
      await expect(refused, JSON.stringify(changes)).rejects.toMatchObject({ code: 'not_found' });
    }
  }
});

test('if the encoder fails, only the video is missing', async () => {
  const { media, blobs } = createTestMedia({ videoEncoder: null });
  open.push(media);
  const source = localSource(await media.ingest(GIF));
  for (let n = 0; n < 2; n++) {
    await expect(media.ensure(source, { kind: 'video' })).rejects.toMatchObject({ code: 'not_found' });
  }
  expect(blobs.puts.filter((key) => key.endsWith('.mp4'))).toEqual([]);
  await expect(media.ensure(source, { fit: 'small', kind: 'still' })).resolves.toMatchObject({
    contentType: 'image/png',
  });
});

function decode(video: Buffer, bytes: number): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'zoetrope-'));
  try {
    const file = join(folder, 'video.mp4');
    writeFileSync(file, video);
    const { stdout } = spawnSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'], {
      maxBuffer: 2 * bytes,
    });
    expect(stdout).toHaveLength(bytes);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Checks that colours are nearly equal. They cannot be exactly equal, because the video is lossy and halves the
 * resolution of colours.
 */
function expectNear(found: number[], wanted: number[]): void {
  for (const [i, value] of wanted.entries()) expect(Math.abs(found[i]! - value), `${found}`).toBeLessThanOrEqual(14);
}

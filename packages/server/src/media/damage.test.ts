import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { damageOf } from './damage.ts';
import { findVideoEncoder } from './index.ts';
import { writeGif } from './testing/gif-writer.ts';
import { createTestMedia, localSource } from './testing/test-media.ts';

const GIF = writeGif({ width: 20, height: 20, frames: [{ pixels: 0 }, { pixels: 2 }] });

test('no intact file is reported as damaged, but every shortened, extended or zeroed file is', async () => {
  const { media, blobs } = createTestMedia({ videoEncoder: await findVideoEncoder('auto') });
  try {
    const source = localSource(await media.ingest(GIF));
    await media.ensure(source, { kind: 'video' });
  } finally {
    await media.close();
  }
  const endings = [...blobs.blobs.keys()].map((key) => key.split('.').at(-1));
  expect(new Set(endings)).toEqual(new Set(['gif', 'webp', 'png', 'mp4']));
  for (const [key, bytes] of blobs.blobs) {
    expect(damageOf(key, bytes), key).toBeNull();
    const lengths = [0, 1, 4, 8, 12, Math.floor(bytes.length / 2), bytes.length - 1];
    for (const length of lengths) expect(damageOf(key, bytes.subarray(0, length)), `${key} ${length}`).not.toBeNull();
    expect(damageOf(key, Buffer.concat([bytes, Buffer.alloc(20)])), key).not.toBeNull();
    expect(damageOf(key, Buffer.alloc(bytes.length)), key).not.toBeNull();
  }
});

test('one flipped bit in an original is detected', () => {
  const key = `orig/ab/cd/${createHash('sha256').update(GIF).digest('hex')}.gif`;
  expect(damageOf(key, GIF)).toBeNull();
  const flipped = Buffer.from(GIF);
  flipped[GIF.length - 3]! ^= 1;
  expect(damageOf(key, flipped)).toContain('hash');
});

test('a file of another type is detected', async () => {
  const png = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  expect(damageOf('d/r1/2x2/ab/cd/a.png', png)).toBeNull();
  expect(damageOf('d/r1/2x2/ab/cd/a.webp', png)).toBe('it is not a complete webp file');
});

test('a stray file counts as intact, except among the originals', () => {
  for (const name of ['README', '.hidden', 'notes.txt']) {
    expect(damageOf(`d/r1/${name}`, GIF), name).toBeNull();
    expect(damageOf(`orig/${name}`, GIF), name).toBe('its bytes do not have the hash in its name');
  }
});

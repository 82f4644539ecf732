import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { MediaRefusal } from '../refusal.ts';
import { comment, type TestFrame, writeGif } from '../testing/gif-writer.ts';
import { measure } from './measure.ts';
import { durationOf, walk } from './probe.ts';

const FRAMES: TestFrame[] = [{ delay: 5 }, { delay: 7, transparent: 1 }, { delay: 9 }];
const GIF = writeGif({ width: 20, height: 10, frames: FRAMES });
/** The blocks before the data of a test GIF's frame. */
const GRAPHIC_CONTROL_BYTES = 8;
const DESCRIPTOR_BYTES = 10;
let webp: Uint8Array;

beforeAll(async () => {
  const frames = [0, 1, 2, 3].map((pixels) => ({ pixels }));
  const gif = writeGif({ width: 20, height: 10, frames });
  webp = await sharp(gif, { pages: -1 })
    .webp({ loop: 3, delay: [5, 10, 11, 60_000] })
    .toBuffer();
});

function reasonOf(bytes: Uint8Array): string {
  try {
    walk(bytes);
    return 'walked';
  } catch (error) {
    expect(error).toBeInstanceOf(MediaRefusal);
    return (error as MediaRefusal).reason;
  }
}

describe('a GIF', () => {
  test('has canvas, frames and transparency', () => {
    expect(walk(GIF)).toEqual({
      format: 'gif',
      width: 20,
      height: 10,
      delays: [50, 70, 90],
      loop: 0,
      transparent: true,
      truncated: false,
      trailingBytes: 0,
    });
  });

  test('has the delays that browsers use', () => {
    const delays = [0, 1, 2, 3, null, 65_535];
    const walked = walk(writeGif({ width: 1, height: 1, frames: delays.map((delay) => ({ delay })) }));
    expect(walked.delays).toEqual([100, 100, 20, 30, 100, 655_350]);
    expect(durationOf(walked.delays)).toBe(655_700);
  });

  test.each([
    [null, 1],
    [0, 0],
    [1, 2],
    [65_535, 65_536],
  ])('with loop extension %s runs %i times', (loop, runs) => {
    expect(walk(writeGif({ width: 1, height: 1, frames: [{}], loop })).loop).toBe(runs);
  });

  test('cut off anywhere has its complete frames, and no other frames except the beginning of its first frame', () => {
    let frames = 0;
    for (let length = 0; length < GIF.length; length++) {
      const cut = GIF.subarray(0, length);
      if (reasonOf(cut) === 'unreadable') {
        expect(frames).toBe(0);
        continue;
      }
      const walked = walk(cut);
      expect(walked.truncated).toBe(true);
      expect(walked.delays.length).toBeGreaterThanOrEqual(frames);
      frames = walked.delays.length;
    }
    expect(frames).toBe(3);
  });

  test('cut off in its first frame counts from its first pixel', () => {
    const start = writeGif({ width: 20, height: 10, frames: [], trailer: false });
    const data = start.length + GRAPHIC_CONTROL_BYTES + DESCRIPTOR_BYTES;
    const cut = (bytes: Uint8Array, length: number) => bytes.subarray(0, data + length);
    // The code size and the length of the block precede the codes. The first two codes have three bits each.
    expect(reasonOf(cut(GIF, 2))).toBe('unreadable');
    expect(walk(cut(GIF, 3))).toMatchObject({ truncated: true, delays: [50] });
    // Two codes of nine bits each take three bytes. Here, each byte is a separate block.
    const blocks = { data: Uint8Array.of(8, 1, 0x00, 1, 0x03, 1, 0x00, 1, 0x00) };
    const bytes = writeGif({ width: 20, height: 10, frames: [blocks], trailer: false });
    expect(reasonOf(cut(bytes, 6))).toBe('unreadable');
    expect(walk(cut(bytes, 7))).toMatchObject({ truncated: true, delays: [100] });
    const empty = writeGif({ width: 20, height: 10, frames: [{ width: 0 }], trailer: false });
    expect(reasonOf(empty.subarray(0, -1))).toBe('unreadable');
  });

  test('ends at its trailer, or at the first byte that does not start a block', () => {
    expect(walk(Buffer.concat([GIF, Buffer.from('<script>')])).trailingBytes).toBe(8);
    const junk = Buffer.concat([GIF.subarray(0, -1), Buffer.from('\0\0')]);
    expect(walk(junk)).toMatchObject({ truncated: false, trailingBytes: 2, delays: [50, 70, 90] });
  });

  test('does not count frames without an area', () => {
    const frames = [{ width: 0, height: 0 }, {}, { width: 5, height: 0 }];
    expect(walk(writeGif({ width: 2, height: 2, frames })).delays).toEqual([100]);
  });

  test('can contain any number of comments', () => {
    const before = Buffer.concat([comment(100_000), comment(1)]);
    expect(walk(writeGif({ width: 2, height: 2, frames: [{}], before })).delays).toHaveLength(1);
  });
});

describe('a WebP', () => {
  test('has its canvas, and the delays that browsers use', () => {
    expect(walk(webp)).toEqual({
      format: 'webp',
      width: 20,
      height: 10,
      delays: [100, 100, 11, 60_000],
      loop: 3,
      transparent: false,
      truncated: false,
      trailingBytes: 0,
    });
  });

  test('can be a still, lossy or lossless, with or without alpha', async () => {
    for (const lossless of [false, true]) {
      for (const alpha of [1, 0.5]) {
        const create = { width: 30, height: 20, channels: 4 as const, background: { r: 1, g: 2, b: 3, alpha } };
        const still = await sharp({ create }).webp({ lossless }).toBuffer();
        expect(walk(still)).toMatchObject({ width: 30, height: 20, delays: [100], transparent: alpha < 1 });
      }
    }
  });

  test('cut off anywhere is unreadable', () => {
    for (let length = 0; length < webp.length; length++) expect(reasonOf(webp.subarray(0, length))).toBe('unreadable');
  });

  test('can be followed by any bytes', () => {
    expect(walk(Buffer.concat([webp, Buffer.from('<script>')])).trailingBytes).toBe(8);
  });
});

test('the first bytes of a file are enough to read its width and height', async () => {
  const empty = { width: 0, data: Uint8Array.of(8, 2, 0, 1, 0) };
  const background = { r: 1, g: 2, b: 3, alpha: 0.5 };
  const still = sharp({ create: { width: 30, height: 20, channels: 4, background } });
  const files = [
    ...[GIF, webp, await still.webp().toBuffer(), await still.webp({ lossless: true }).toBuffer()],
    await still.removeAlpha().webp().toBuffer(),
    writeGif({ width: 7, height: 6, frames: [{}], before: comment(1_000) }),
    // Browsers enlarge the canvas for the first frame that has an area.
    writeGif({ width: 20, height: 20, frames: [{ x: 2, width: 30, height: 25 }, {}] }),
    writeGif({ width: 3, height: 3, frames: [empty, { width: 9, height: 8 }, { width: 50 }] }),
  ];
  for (const bytes of files) {
    const { format, width, height } = walk(bytes);
    expect(measure(bytes)).toEqual({ format, width, height });
  }
});

test.each(['<html>, the first line', '\x89PNG\r\n\x1a\n and more', 'RIFF\0\0\0\0WAVEfmt ', 'GIF88a, nearly so'])(
  '%j is of the wrong type',
  (text) => {
    expect(reasonOf(Buffer.from(text, 'latin1'))).toBe('wrong_type');
  },
);

describe('hostile bytes', () => {
  const outcome = (bytes: Uint8Array): void => {
    const reason = reasonOf(bytes);
    if (reason !== 'walked') return;
    const { delays, trailingBytes } = walk(bytes);
    expect(delays.length).toBeGreaterThan(0);
    expect(trailingBytes).toBeLessThan(bytes.length);
  };

  test('after a signature are walked or refused', () => {
    const signature = fc.constantFrom('GIF89a', 'GIF87a', 'RIFF\x40\0\0\0WEBP', 'RIFF\x40\0\0\0WEBPVP8X', '');
    const bytes = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(signature, bytes, (start, rest) => outcome(Buffer.concat([Buffer.from(start, 'latin1'), rest]))),
    );
  });

  test('in a valid file are walked or refused', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.boolean(), changes, (isGif, mutations) => {
        const bytes = Buffer.from(isGif ? GIF : webp);
        for (const [at, value] of mutations) bytes[at % bytes.length] = value;
        outcome(bytes);
      }),
      { numRuns: 2_000 * inject('cases') },
    );
  });

  test('of the maximum size are walked in one pass', () => {
    const start = writeGif({ width: 1, height: 1, frames: [{ delay: null }], loop: null, trailer: false });
    // Data blocks of one byte and frames of twelve bytes need the most work per byte of the file.
    const blocks = Buffer.concat([start, Uint8Array.of(0x21, 0xfe), Buffer.alloc(25_000_000, 1)]);
    expect(walk(blocks)).toMatchObject({ truncated: true, delays: [100] });
    const frame = Uint8Array.of(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0);
    const frames = Buffer.concat([start, ...Array.from({ length: 500_000 }, () => frame)]);
    expect(walk(frames).delays).toHaveLength(500_001);
  });
});

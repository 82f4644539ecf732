import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { seeded } from '../random.ts';
import { encodeGif } from './gif.ts';

async function decode(gif: Buffer) {
  const { data, info } = await sharp(gif, { animated: true }).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, pages: info.pages ?? 1 };
}

/** Returns frames of pixels taken at random from a few colours. A colour of -1 is an empty pixel. */
function noise(width: number, height: number, frames: number, colours: number[]) {
  const random = seeded('noise');
  const data = new Uint8Array(width * height * frames * 4);
  for (let i = 0; i < data.length; i += 4) {
    const colour = colours[Math.floor(random() * colours.length)]!;
    if (colour >= 0) data.set([colour >> 16, (colour >> 8) & 255, colour & 255, 255], i);
  }
  return { width, height, frames, delay: 50, data };
}

describe('encodeGif', () => {
  it('keeps every pixel of an opaque animation, through many dictionary resets', async () => {
    const animation = noise(120, 90, 3, [0xff0000, 0x00ff00, 0x0000ff, 0xffffff, 0x123456, 0xfedcba]);
    const { data, pages } = await decode(encodeGif(animation));
    expect(pages).toBe(3);
    expect(Buffer.compare(data, animation.data)).toBe(0);
  });

  it('keeps every pixel of a transparent animation, including pixels that become empty', async () => {
    const animation = noise(40, 30, 4, [-1, 0xff8800, 0x0088ff]);
    const { data } = await decode(encodeGif(animation));
    expect(Buffer.compare(data, animation.data)).toBe(0);
  });

  it('keeps every pixel if only a few of them change', async () => {
    const [width, height] = [60, 40];
    const animation = noise(width, height, 3, [0xff0000, 0x00ff00, 0x0000ff, 0x123456]);
    const { data } = animation;
    const page = width * height * 4;
    for (const frame of [1, 2]) {
      data.copyWithin(frame * page, 0, page);
      for (const [x, y] of [
        [20, 10 + frame],
        [50, 30],
      ] as const) {
        data.fill(255, frame * page + (y * width + x) * 4, frame * page + (y * width + x + 1) * 4);
      }
    }
    expect(Buffer.compare((await decode(encodeGif(animation))).data, data)).toBe(0);
  });

  it('keeps frames that do not change', async () => {
    const animation = noise(20, 20, 3, [0x204060]);
    const { data, pages } = await decode(encodeGif(animation));
    expect(pages).toBe(3);
    expect(Buffer.compare(data, animation.data)).toBe(0);
  });

  it('approximates more colours than a GIF can hold', async () => {
    const random = seeded('colours');
    const animation = noise(
      64,
      64,
      2,
      Array.from({ length: 3000 }, () => Math.floor(random() * 0x1000000)),
    );
    const { data } = await decode(encodeGif(animation));
    let off = 0;
    for (let i = 0; i < data.length; i++) off += Math.abs(data[i]! - animation.data[i]!);
    expect(off / data.length).toBeLessThan(12);
  });

  it('writes delays and an endless loop', async () => {
    const meta = await sharp(encodeGif(noise(8, 8, 2, [0xff0000, 0x00ff00]))).metadata();
    expect(meta).toMatchObject({ delay: [50, 50], loop: 0, pages: 2 });
  });
});

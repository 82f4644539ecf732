import type { Gif, Preview } from '@zoetrope/contract';
import sharp from 'sharp';
import { beforeAll, describe, expect } from 'vitest';
import { sentence } from './sentence.ts';
import { download, useCatalogue } from './service.ts';

const service = useCatalogue();
const MEMBERS = ['small', 'medium', 'w240', 'w480'] as const;

/** All GIFs whose files the service stores. */
let gifs: Gif[];

beforeAll(async () => {
  gifs = (await service.search('q=zoo&mode=text')).items;
  expect(gifs).toHaveLength(6);
});

const named = (title: string) => gifs.find((gif) => gif.title === title)!;
const everyPreview = () => gifs.flatMap((gif) => MEMBERS.map((member) => gif.previews[member]));
const sizeOf = ({ width, height }: { width: number; height: number }) => [width, height];

/** Returns width and height of the files behind a preview. */
async function fileSizes({ animated, still }: Preview): Promise<number[][]> {
  const addresses = animated === null ? [still] : [still, animated];
  return Promise.all(
    addresses.map(async (address) => {
      const { width, height, pageHeight } = await sharp(await download(address), { animated: true }).metadata();
      return [width, pageHeight ?? height];
    }),
  );
}

/** Expects a preview's size, both in the response and in its files. */
async function expectSize(title: string, member: (typeof MEMBERS)[number], size: [number, number]): Promise<void> {
  const preview = named(title).previews[member];
  expect(sizeOf(preview), `${title} ${member}`).toEqual(size);
  for (const file of await fileSizes(preview)) expect(file, `${title} ${member}`).toEqual(size);
}

/** Returns the first frame in 8 x 8 pixels, so that noise and compression losses vanish. */
function thumbnail(picture: Uint8Array): Promise<Buffer> {
  return sharp(picture).flatten({ background: '#888' }).resize(8, 8, { fit: 'fill' }).raw().toBuffer();
}

/** Returns the first frame as RGB on grey, because transparent pixels have no defined colour. */
function firstFrame(picture: Uint8Array): Promise<Buffer> {
  return sharp(picture).flatten({ background: '#888' }).raw().toBuffer();
}

describe('previews', () => {
  sentence(36, () => {
    for (const gif of gifs) expect(Object.keys(gif.previews)).toEqual([...MEMBERS]);
  });

  sentence(37, () => {
    for (const preview of everyPreview()) {
      expect(Object.keys(preview)).toEqual(['width', 'height', 'animated', 'still']);
    }
  });

  sentence(38, async () => {
    for (const preview of everyPreview()) {
      for (const [width] of await fileSizes(preview)) expect(width).toBe(preview.width);
    }
  });

  sentence(39, async () => {
    for (const preview of everyPreview()) {
      for (const [, height] of await fileSizes(preview)) expect(height).toBe(preview.height);
    }
  });

  sentence(40, async () => {
    for (const title of ['whale', 'giraffe', 'mouse', 'jellyfish', 'wolf']) {
      const gif = named(title);
      for (const member of MEMBERS) {
        const address = gif.previews[member].animated!;
        expect(address).toMatch(/\.gif$/);
        const response = await fetch(address);
        expect(response.headers.get('content-type')).toBe('image/webp');
        const { format, pages, delay } = await sharp(await response.arrayBuffer(), { animated: true }).metadata();
        expect({ format, pages }, address).toEqual({ format: 'webp', pages: gif.frames });
        expect(delay!.reduce((sum, ms) => sum + ms, 0) / 1000, address).toBe(gif.duration);
      }
    }
  });

  sentence(41, async () => {
    for (const member of MEMBERS) {
      const { animated, still } = named('elephant').previews[member];
      expect(animated).toBeNull();
      expect((await fetch(still)).status).toBe(200);
      expect((await fetch(still.replace(/png$/, 'gif'))).status).toBe(404);
    }
  });

  sentence(42, async () => {
    for (const preview of everyPreview()) {
      const response = await fetch(preview.still);
      expect(response.headers.get('content-type')).toBe('image/png');
      const { format, pages = 1 } = await sharp(await response.arrayBuffer()).metadata();
      expect({ format, pages }).toEqual({ format: 'png', pages: 1 });
    }
    for (const title of ['mouse', 'wolf']) {
      const { url, previews } = named(title);
      const [still, original] = await Promise.all([download(previews.w480.still), download(url)]);
      expect((await firstFrame(still)).equals(await firstFrame(original)), title).toBe(true);
    }
  });

  // A still can replace the animation, because it shows the first frame in the same size.
  sentence(43, async () => {
    for (const { animated, still } of everyPreview()) {
      if (animated === null) continue;
      const [poster, moving] = await Promise.all([download(still), download(animated)]);
      const [one, other] = await Promise.all([thumbnail(poster), thumbnail(moving)]);
      const difference = one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length;
      expect(difference, animated).toBeLessThan(10);
    }
  });

  sentence(44, async () => {
    await expectSize('whale', 'small', [192, 96]);
    await expectSize('giraffe', 'small', [29, 96]);
    await expectSize('elephant', 'small', [96, 96]);
    await expectSize('mouse', 'small', [40, 30]);
  });

  sentence(45, async () => {
    await expectSize('whale', 'medium', [384, 192]);
    await expectSize('giraffe', 'medium', [58, 192]);
    await expectSize('jellyfish', 'medium', [120, 120]);
  });

  sentence(46, async () => {
    await expectSize('whale', 'w240', [240, 120]);
    await expectSize('giraffe', 'w240', [120, 400]);
    await expectSize('elephant', 'w240', [240, 240]);
  });

  sentence(47, async () => {
    await expectSize('whale', 'w480', [480, 240]);
    await expectSize('elephant', 'w480', [480, 480]);
    await expectSize('wolf', 'w480', [100, 80]);
  });

  sentence(48, async () => {
    const { width, height } = named('mouse');
    for (const member of MEMBERS) await expectSize('mouse', member, [width, height]);
  });
});

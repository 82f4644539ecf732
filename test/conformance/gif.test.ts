import { createHash } from 'node:crypto';
import { Gif, ID_PATTERN } from '@zoetrope/contract';
import sharp, { type Metadata } from 'sharp';
import Value from 'typebox/value';
import { beforeAll, describe, expect } from 'vitest';
import { files } from './catalogue.ts';
import { sentence } from './sentence.ts';
import { download, useCatalogue } from './service.ts';

const service = useCatalogue();

interface Original {
  name: string;
  bytes: Uint8Array;
  metadata: Metadata;
  gif: Gif;
}

let originals: Original[];

beforeAll(async () => {
  originals = await Promise.all(
    Object.entries(await files()).map(async ([name, bytes]) => ({
      name,
      bytes,
      metadata: await sharp(bytes, { animated: true, limitInputPixels: false }).metadata(),
      gif: await service.gif(name.split('.')[0]!),
    })),
  );
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Returns the first frame as RGB on grey, scaled to this size. */
function pixels(picture: Uint8Array, width: number, height: number): Promise<Buffer> {
  return sharp(picture).resize(width, height, { fit: 'fill' }).flatten({ background: '#888' }).raw().toBuffer();
}

describe('Gif', () => {
  sentence(16, async () => {
    const { items } = await service.search('q=cat&limit=200');
    for (const { id } of [...items, ...originals.map(({ gif }) => gif)]) expect(id).toMatch(new RegExp(ID_PATTERN));
    for (const { gif, bytes } of originals) expect(gif.id).toBe(`${sha256(bytes)}.gif`);
  });

  sentence(17, async () => {
    for (const { gif, bytes, name } of originals) expect(sha256(await download(gif.url)), name).toBe(sha256(bytes));
  });

  sentence(18, async () => {
    const whale = originals.find(({ name }) => name === 'whale.gif')!;
    const { small, w240 } = whale.gif.previews;
    for (const { animated, still } of [small, w240]) {
      expect((await download(animated!)).length).toBeLessThan(whale.bytes.length / 2);
      expect((await download(still)).length).toBeLessThan(whale.bytes.length / 2);
    }
  });

  sentence(19, () => {
    expect(originals.map(({ gif }) => gif.width)).toEqual(originals.map(({ metadata }) => metadata.width));
  });

  sentence(20, () => {
    expect(originals.map(({ gif }) => gif.height)).toEqual(originals.map(({ metadata }) => metadata.pageHeight));
  });

  sentence(21, async () => {
    expect(originals.map(({ gif }) => gif.frames)).toEqual(originals.map(({ metadata }) => metadata.pages));
    expect((await service.gif('mystery')).frames).toBeNull();
  });

  sentence(22, async () => {
    const seconds = ({ delay = [] }: Metadata) => delay.reduce((sum, ms) => sum + ms, 0) / 1000;
    expect(originals.map(({ gif }) => gif.duration)).toEqual(originals.map(({ metadata }) => seconds(metadata)));
    expect((await service.gif('mystery')).duration).toBeNull();
  });

  sentence(23, async () => {
    expect(originals.map(({ gif }) => gif.bytes)).toEqual(originals.map(({ bytes }) => bytes.length));
    expect((await service.gif('mystery')).bytes).toBeNull();
  });

  sentence(24, async () => {
    expect(originals.map(({ gif }) => gif.format)).toEqual(originals.map(({ metadata }) => metadata.format));
    expect((await service.gif('linked')).format).toBe('webp');
    expect((await service.gif('mystery')).format).toBe('gif');
  });

  sentence(25, async () => {
    expect((await service.gif('uber')).title).toBe('Café Über Müde');
    expect(originals.map(({ gif }) => gif.title)).toEqual(originals.map(({ name }) => name.split('.')[0]));
  });

  sentence(26, async () => {
    expect((await service.gif('tail dog')).tags).toEqual(['dog', 'very funny']);
    expect((await service.gif('mystery')).tags).toEqual([]);
    for (const { gif } of originals) expect(gif.tags).toEqual(['zoo']);
  });

  sentence(27, async () => {
    for (const { gif, bytes, name } of originals) {
      const [head = '', data = ''] = gif.lqip!.split(',');
      expect(head).toMatch(/^data:image\/\w+;base64$/);
      const placeholder = Buffer.from(data, 'base64');
      const { format, width, height } = await sharp(placeholder).metadata();
      expect(head).toContain(`image/${format}`);
      expect(gif.lqip!.length, name).toBeLessThan(600);
      expect(Math.max(width, height), name).toBeLessThanOrEqual(32);
      expect(width / height, name).toBeCloseTo(gif.width / gif.height, 0);
      const [shown, real] = await Promise.all([pixels(placeholder, width, height), pixels(bytes, width, height)]);
      const difference = shown.reduce((sum, value, at) => sum + Math.abs(value - real[at]!), 0) / shown.length;
      expect(difference, name).toBeLessThan(40);
    }
  });

  sentence(33, async () => {
    const { items } = await service.search('q=cat&limit=200');
    for (const gif of [...items, ...originals.map((original) => original.gif)]) {
      expect([...Value.Errors(Gif, gif)]).toEqual([]);
      expect(Object.keys(gif)).toEqual(Object.keys(Gif.properties));
      expect(gif.previews).toBeTypeOf('object');
    }
  });
});

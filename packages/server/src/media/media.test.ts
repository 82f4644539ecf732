import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import { ServiceError } from '../base/errors.ts';
import { DownloadError } from '../platform/fetch/index.ts';
import { FITS, type Preview } from './derivatives.ts';
import type { MediaOptions } from './options.ts';
import { derivativeFiles, type MediaSource, originalKey } from './source.ts';
import { type TestFrame, writeGif } from './testing/gif-writer.ts';
import { createTestMedia, fileFor, localSource, type TestMedia, testConfig } from './testing/test-media.ts';
import { walk } from './walker/probe.ts';

const MINUTE = 60_000;
const GIF = writeGif({ width: 300, height: 200, frames: [{ pixels: 1 }, { pixels: 2 }] });
const SHA = createHash('sha256').update(GIF).digest('hex');
const W240: Preview = { fit: 'w240', kind: 'animated' };
const ALL = FITS.flatMap((fit): Preview[] => [
  { fit, kind: 'animated' },
  { fit, kind: 'still' },
]);

const linked = (changes: Partial<MediaSource> = {}): MediaSource => ({
  id: 'linked',
  format: 'gif',
  width: 300,
  height: 200,
  frames: 2,
  durationMs: 200,
  sha256: null,
  url: 'https://example.com/a.gif',
  ...changes,
});

let open: TestMedia[] = [];
afterEach(async () => {
  await Promise.all(open.map(({ media }) => media.close()));
  open = [];
});

function newMedia(options: Partial<MediaOptions> = {}): TestMedia {
  const made = createTestMedia(options);
  open.push(made);
  return made;
}

/**
 * Returns a fetcher whose downloads return the items of `answers` one after the other. Further downloads return the
 * last item again.
 */
function serving(...answers: (Uint8Array | Error)[]) {
  const urls: string[] = [];
  return {
    urls,
    probe: async () => {},
    beginning: () => Promise.reject(new Error('a test read the beginning of a file')),
    download: async (url: string): Promise<Uint8Array> => {
      const answer = answers[Math.min(urls.length, answers.length - 1)]!;
      urls.push(url);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

describe('ingest', () => {
  test('stores the original and each preview once, and describes the file', async () => {
    const { media, blobs } = newMedia();
    const facts = await media.ingest(GIF);
    expect(facts).toEqual({
      sha256: SHA,
      format: 'gif',
      width: 300,
      height: 200,
      frames: 2,
      durationMs: 200,
      bytes: GIF.length,
      lqip: expect.stringMatching(/^data:image\/webp;base64,/),
      transparent: false,
      blankStill: true,
      truncated: false,
    });
    const files = derivativeFiles(localSource(facts)).map(({ key }) => key);
    expect(blobs.puts.toSorted()).toEqual([originalKey(SHA, 'gif'), ...files].sort());
    expect(files).toHaveLength(8);
    expect(await media.original(SHA, 'gif')).toEqual({ key: originalKey(SHA, 'gif'), bytes: GIF.length });
    expect(await media.original(SHA, 'webp')).toBeNull();
  });

  test('makes only the first previews if no more are requested', async () => {
    const { media, blobs } = newMedia();
    const source = localSource(await media.ingest(GIF, { previews: 'first' }));
    const first = (['animated', 'still'] as const).map((kind) => fileFor(source, 'w240', kind).key);
    expect([...blobs.blobs.keys()].toSorted()).toEqual([originalKey(SHA, 'gif'), ...first].sort());
  });

  test('makes only the still of a grid if no more is requested', async () => {
    const { media, blobs } = newMedia();
    const source = localSource(await media.ingest(GIF, { previews: 'still' }));
    const still = fileFor(source, 'w240', 'still').key;
    expect([...blobs.blobs.keys()].toSorted()).toEqual([originalKey(SHA, 'gif'), still].sort());
  });

  test('changes nothing when it is repeated', async () => {
    const { media, blobs } = newMedia();
    const facts = await media.ingest(GIF);
    const before = new Map(blobs.blobs);
    expect(await media.ingest(GIF)).toEqual(facts);
    expect(blobs.blobs).toEqual(before);
  });

  test('runs once for concurrent calls with the same bytes', async () => {
    const { media, blobs } = newMedia();
    const all = await Promise.all(Array.from({ length: 10 }, () => media.ingest(GIF)));
    expect(new Set(all).size).toBe(1);
    expect(blobs.puts).toHaveLength(9);
  });

  test('stores the original if one of two concurrent calls wants that', async () => {
    const { media, blobs } = newMedia({ config: testConfig({ workers: 1 }) });
    const small = writeGif({ width: 8, height: 8, frames: [{ pixels: 1 }, { pixels: 2 }] });
    const ingest = (original: 'left' | 'kept') => media.ingest(small, { previews: 'first', original });
    const [{ sha256 }] = await Promise.all([ingest('left'), ingest('kept')]);
    expect(blobs.blobs.has(originalKey(sha256, 'gif'))).toBe(true);
  });

  test("fails with the store's error if nothing can be stored", async () => {
    const { media, blobs } = newMedia();
    blobs.failure = new ServiceError('upstream_unavailable', 'full');
    await expect(media.ingest(GIF)).rejects.toBe(blobs.failure);
    expect(blobs.blobs.size).toBe(0);
  });

  test('stores only one file if several previews have the same size', async () => {
    const { media, blobs } = newMedia();
    await media.ingest(writeGif({ width: 96, height: 96, frames: [{}, { pixels: 1 }] }));
    expect(blobs.puts).toHaveLength(3);
  });
});

describe('lqip', () => {
  const SIDE = 32;
  const BLACK = { pixels: 0 };
  const CLEAR = { pixels: 0, transparent: 0, disposal: 2 };
  /** Red on the left, and blue on the right. */
  const PICTURE = { pixels: Uint8Array.from({ length: SIDE * SIDE }, (_, at) => (at % SIDE < SIDE / 2 ? 2 : 3)) };
  const OTHER = { pixels: PICTURE.pixels.toReversed() };
  const ingest = (...frames: TestFrame[]) => newMedia().media.ingest(writeGif({ width: SIDE, height: SIDE, frames }));

  /**
   * Returns the colours at the left and right edges of a placeholder. Each colour is the strongest of red, green and
   * blue.
   */
  async function edges(lqip: string | null): Promise<string[]> {
    const picture = sharp(Buffer.from(lqip!.split(',')[1]!, 'base64'))
      .flatten()
      .raw();
    const { data, info } = await picture.toBuffer({ resolveWithObject: true });
    const nameAt = (x: number) => {
      const [red, green, blue] = data.subarray(x * 3, x * 3 + 3) as unknown as [number, number, number];
      const strongest = Math.max(red, green, blue);
      return strongest < 60 ? 'black' : strongest === red ? 'red' : 'blue';
    };
    return [nameAt(0), nameAt(info.width - 1)];
  }

  test.each([
    ['the first', [PICTURE, OTHER], false],
    ['the second', [BLACK, PICTURE, OTHER], true],
    ['neither the second nor the middle one', [BLACK, BLACK, BLACK, BLACK, BLACK, BLACK, PICTURE, OTHER], true],
    ['after transparent ones', [CLEAR, CLEAR, PICTURE, OTHER], true],
    ['after frames of other colours', [{ pixels: 1 }, { pixels: 2 }, PICTURE, OTHER], true],
  ])('shows the first frame that shows something: %s', async (_, frames, blankStill) => {
    const facts = await ingest(...frames);
    expect(await edges(facts.lqip)).toEqual(['red', 'blue']);
    expect(facts.blankStill).toBe(blankStill);
  });

  test('shows the first frame if no frame shows anything, except transparent frames', async () => {
    for (const [frames, colour] of [
      [[BLACK, { pixels: 2 }, { pixels: 3 }], 'black'],
      [[CLEAR, { pixels: 2 }, CLEAR], 'red'],
    ] as const) {
      const { lqip, blankStill } = await ingest(...frames);
      expect([await edges(lqip), blankStill]).toEqual([[colour, colour], true]);
    }
    expect(await ingest(CLEAR, CLEAR)).toMatchObject({ lqip: null, blankStill: true });
  });

  test('shows a picture that fades in when it can be seen clearly', async () => {
    const shades = await Promise.all([0, 10, 40, 255].map((level) => halves(level)));
    const webp = await sharp(shades, { join: { animated: true } })
      .webp({ lossless: true })
      .toBuffer();
    const facts = await newMedia().media.ingest(webp);
    expect(await edges(facts.lqip)).toEqual(['red', 'black']);
    expect(facts).toMatchObject({ frames: 4, blankStill: true });
  });

  /** Returns a picture that is red on the left, with the intensity `level`, and black on the right. */
  function halves(level: number): Promise<Buffer> {
    const pixels = Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, at) =>
      at % 3 === 0 && (at / 3) % SIDE < SIDE / 2 ? level : 0,
    );
    return sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 3 } })
      .png()
      .toBuffer();
  }

  test('is small', async () => {
    const { media } = newMedia();
    expect((await media.ingest(GIF)).lqip!.length).toBeLessThan(400);
  });
});

describe('transparency', () => {
  const SIDE = 40;
  const frameWith = (transparent: number, inside: (at: number) => boolean): TestFrame => ({
    pixels: Uint8Array.from({ length: SIDE * SIDE }, (_, at) => (inside(at) ? 2 : 1)),
    ...{ transparent, disposal: 2 },
  });
  const SOLID = { pixels: 3, transparent: 0, disposal: 2 };

  test.each([
    ['a transparent background', [frameWith(1, (at) => at % 3 === 0), {}], true],
    ['one transparent pixel in its last frame', [SOLID, SOLID, frameWith(2, (at) => at === 777)], true],
    ['a transparent colour that repeats the frame below', [{ pixels: 3 }, { pixels: 1, transparent: 1 }], false],
    ['a transparent colour without pixels', [{ pixels: 3, transparent: 2 }], false],
    ['opaque frames', [{}, { pixels: 1 }], false],
  ] as const)('is found only if there are transparent pixels: %s', async (_, frames, transparent) => {
    const { media } = newMedia();
    expect(await media.ingest(writeGif({ width: SIDE, height: SIDE, frames }))).toMatchObject({ transparent });
  });

  test('is found in a WebP', async () => {
    const { media } = newMedia();
    for (const alpha of [0.5, 1]) {
      const create = { width: 30, height: 20, channels: 4 as const, background: { r: 1, g: 2, b: 3, alpha } };
      expect((await media.ingest(await sharp({ create }).webp().toBuffer())).transparent).toBe(alpha < 1);
    }
  });
});

test.each([
  ['on two sides', 400, 300],
  ['below', 640, 300],
  ['on the right', 400, 480],
])('a canvas that the decoder crops %s keeps its size, and the rest of it is transparent', async (_, width, height) => {
  // The decoder treats a canvas of 640 x 480 as a mistake, and uses the size of the first frame instead.
  const { media, blobs } = newMedia();
  const half = { width, height, pixels: 2 };
  const facts = await media.ingest(writeGif({ width: 640, height: 480, frames: [half, { ...half, pixels: 3 }] }));
  expect(facts).toMatchObject({ width: 640, height: 480 });
  for (const kind of ['animated', 'still'] as const) {
    const preview = blobs.blobs.get(fileFor(localSource(facts), 'w480', kind).key)!;
    const { data, info } = await sharp(preview, { page: 0 }).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(facts.transparent).toBe(true);
    expect([info.width, info.height]).toEqual([480, 360]);
    expect([data[3], data.at(-1)]).toEqual([255, 0]);
  }
});

describe('ensure, of a stored original', () => {
  test('returns stored files without work', async () => {
    const { media, blobs } = newMedia();
    const source = localSource(await media.ingest(GIF));
    const { length } = blobs.puts;
    for (const derivative of ALL) {
      const { key, contentType } = fileFor(source, derivative.fit, derivative.kind);
      const { length: bytes } = blobs.blobs.get(key)!;
      expect(await media.ensure(source, derivative)).toEqual({ key, bytes, contentType });
    }
    expect(blobs.puts).toHaveLength(length);
  });

  test('makes missing previews exactly as ingest does', async () => {
    const { media, blobs } = newMedia();
    const source = localSource(await media.ingest(GIF));
    const made = new Map(blobs.blobs);
    for (const { key } of derivativeFiles(source)) await blobs.delete(key);
    await Promise.all(ALL.map((derivative) => media.ensure(source, derivative)));
    expect(blobs.blobs).toEqual(made);
  });

  test.each([
    [2, true],
    [60, false],
  ])('keeps the exact pixels of flat art only if it is short: %i frames', async (frames, isExact) => {
    const { media, blobs } = newMedia();
    const side = 200;
    const pixelsOf = (n: number) => Uint8Array.from({ length: side * side }, (_, at) => (at + n) % 4);
    const pictures = Array.from({ length: frames }, (_, n) => ({ pixels: pixelsOf(n) }));
    const gif = writeGif({ width: side, height: side, frames: pictures });
    const { key } = await media.ensure(localSource(await media.ingest(gif, { previews: 'first' })), W240);
    const decoded = (bytes: Uint8Array) => sharp(bytes).flatten().raw().toBuffer();
    expect((await decoded(blobs.blobs.get(key)!)).equals(await decoded(gif))).toBe(isExact);
  });

  test('makes a preview once for fifty concurrent requests (28)', async () => {
    const { media, blobs } = newMedia();
    const source = localSource(await media.ingest(GIF, { previews: 'first' }));
    const { length } = blobs.puts;
    const wanted: Preview = { fit: 'w480', kind: 'animated' };
    const answers = await Promise.all(Array.from({ length: 50 }, () => media.ensure(source, wanted)));
    expect(new Set(answers.map(({ key }) => key)).size).toBe(1);
    expect(blobs.puts).toHaveLength(length + 1);
  });

  test('fails if the original is missing', async () => {
    const { media } = newMedia();
    const source = linked({ sha256: SHA, url: null });
    await expect(media.ensure(source, W240)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('ensure, of a linked original', () => {
  test('downloads it once for all derivatives and callers, and does not store it', async () => {
    const fetcher = serving(GIF);
    const { media, blobs } = newMedia({ fetcher });
    const source = linked();
    await Promise.all([...ALL, ...ALL, ...ALL].map((derivative) => media.ensure(source, derivative)));
    expect(fetcher.urls).toEqual([source.url]);
    const keys = derivativeFiles(source).map(({ key }) => key);
    expect([...blobs.blobs.keys()].sort()).toEqual(keys.sort());
    expect(blobs.puts).toHaveLength(8);
  });

  test('makes the requested derivative first', async () => {
    const { media, blobs } = newMedia({ fetcher: serving(GIF) });
    const wanted = { fit: 'w480', kind: 'still' } as const;
    const { key } = await media.ensure(linked(), wanted);
    expect(blobs.puts[0]).toBe(key);
  });

  test('accepts only bytes with the listed hash', async () => {
    const good = newMedia({ fetcher: serving(GIF) });
    await expect(good.media.ensure(linked({ expectedSha256: SHA }), W240)).resolves.toHaveProperty('key');
    const bad = newMedia({ fetcher: serving(GIF) });
    const failure = bad.media.ensure(linked({ expectedSha256: 'ab'.repeat(32) }), W240);
    await expect(failure).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('hash') });
    expect(bad.blobs.puts).toEqual([]);
  });

  test('fits an image that was listed with a wrong size into the published size, and keeps its aspect ratio', async () => {
    const { media, blobs } = newMedia({ fetcher: serving(GIF) });
    const { key } = await media.ensure(linked({ width: 480, height: 270 }), W240);
    expect(walk(blobs.blobs.get(key)!)).toMatchObject({ width: 203, height: 135 });
  });

  test('makes only stills of an image that turns out to be too long to animate', async () => {
    const frames = Array.from({ length: 2001 }, () => ({}));
    const { media } = newMedia({ fetcher: serving(writeGif({ width: 4, height: 4, frames })) });
    const source = linked({ width: 4, height: 4, frames: null });
    await expect(media.ensure(source, { fit: 'w240', kind: 'still' })).resolves.toHaveProperty('key');
    await expect(media.ensure(source, W240)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a failure', () => {
  const down = new DownloadError('unreachable', 'down');

  test('is cached for 5 minutes, an hour, then a day each time', async () => {
    const fetcher = serving(down);
    const { media, clock } = newMedia({ fetcher });
    let tries = 0;
    for (const wait of [5, 60, 24 * 60, 24 * 60]) {
      await expect(media.ensure(linked(), W240)).rejects.toMatchObject({ code: 'not_found' });
      expect(fetcher.urls).toHaveLength(++tries);
      clock.time += wait * MINUTE - 1;
      await expect(media.ensure(linked(), W240)).rejects.toMatchObject({ code: 'not_found' });
      expect(fetcher.urls).toHaveLength(tries);
      clock.time += 1;
    }
  });

  test('of a host is not cached for its other files, which are tried again half a minute later', async () => {
    const fetcher = serving(down);
    const { media, clock } = newMedia({ fetcher });
    await expect(media.ensure(linked(), W240)).rejects.toMatchObject({ code: 'not_found' });
    const other = linked({ id: 'other', url: 'https://example.com/b.gif' });
    await expect(media.ensure(other, W240)).rejects.toThrow('example.com did not respond a moment ago');
    expect(fetcher.urls).toHaveLength(1);
    clock.time += MINUTE / 2;
    await expect(media.ensure(other, W240)).rejects.toMatchObject({ code: 'not_found' });
    expect(fetcher.urls).toHaveLength(2);
  });

  test('is no longer reported after a success', async () => {
    const fetcher = serving(down, GIF);
    const { media, clock } = newMedia({ fetcher });
    await expect(media.ensure(linked(), W240)).rejects.toMatchObject({ code: 'not_found' });
    clock.time += 5 * MINUTE;
    await expect(media.ensure(linked(), W240)).resolves.toHaveProperty('key');
  });

  test('of the store is not cached, and no part of a preview is stored (29)', async () => {
    const { media, blobs } = newMedia({ fetcher: serving(GIF) });
    blobs.failure = new ServiceError('upstream_unavailable', 'full');
    await expect(media.ensure(linked(), W240)).rejects.toBe(blobs.failure);
    expect(blobs.blobs.size).toBe(0);
    blobs.failure = null;
    await expect(media.ensure(linked(), W240)).resolves.toHaveProperty('key');
  });

  test('because of too many concurrent requests is not cached', async () => {
    const gate = Promise.withResolvers<Uint8Array>();
    const { media } = newMedia({
      fetcher: { ...serving(GIF), download: () => gate.promise },
      config: testConfig({ maxQueue: 3 }),
    });
    const ensure = (id: number) => media.ensure(linked({ id: `gif-${id}` }), W240);
    // The queue for linked GIFs has ten times as many places as the other queues. One host gets half of the places.
    const waiting = Array.from({ length: 15 }, (_, n) => ensure(n));
    await expect(ensure(15)).rejects.toMatchObject({ code: 'upstream_unavailable', retryAfter: 5 });
    const elsewhere = media.ensure(linked({ id: 'gif-elsewhere', url: 'https://elsewhere.example/a.gif' }), W240);
    gate.resolve(GIF);
    await Promise.all([...waiting, elsewhere]);
    await expect(ensure(15)).resolves.toHaveProperty('key');
  });

  test('of the file itself contains the reason', async () => {
    const { media } = newMedia({ fetcher: serving(Buffer.from('<html>not an image at all</html>')) });
    const failure = media.ensure(linked(), W240);
    await expect(failure).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('neither a GIF nor a WebP'),
    });
  });
});

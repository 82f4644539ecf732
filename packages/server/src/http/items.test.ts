import { Gif } from '@zoetrope/contract';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { decodeStored, encodeStored } from '../builds/index.ts';
import type { GifRecord } from '../records/index.ts';
import { toListBody } from './answer.ts';
import { toGif, writeItems } from './results.ts';

const HEX = '0123456789abcdef'.split('');
const hash = fc.array(fc.constantFrom(...HEX), { minLength: 64, maxLength: 64 }).map((digits) => digits.join(''));
const optional = fc.option(fc.nat(), { nil: null });

const record = fc.record({
  id: fc.oneof(
    hash.map((own) => `${own}.gif`),
    fc.stringMatching(/^\w[\w.-]{0,30}$/),
  ),
  format: fc.constantFrom('gif', 'webp'),
  width: fc.integer({ min: 1, max: 70_000 }),
  height: fc.integer({ min: 1, max: 70_000 }),
  frames: fc.option(fc.integer({ min: 1, max: 3_000 }), { nil: null }),
  durationMs: optional,
  bytes: optional,
  title: fc.string({ unit: 'binary' }),
  tags: fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 }),
  lqip: fc.option(fc.string(), { nil: null }),
  transparent: fc.option(fc.boolean(), { nil: undefined }),
  blankStill: fc.option(fc.boolean(), { nil: undefined }),
  url: fc.option(fc.string({ unit: 'grapheme', minLength: 1 }), { nil: null }),
  sha256: fc.option(hash, { nil: null }),
  verified: fc.constantFrom('nothing', 'header', 'file'),
}) as unknown as fc.Arbitrary<GifRecord>;

const MEDIA = { mediaUrl: 'https://gifs.example/"é', hasVideo: true, hasOwnUrls: false };

function shown(gif: GifRecord, media = MEDIA): Gif {
  return toGif(decodeStored(encodeStored(gif)), media);
}

test('a response contains exactly the facts of the catalogue, whatever the texts contain', () => {
  fc.assert(
    fc.property(record, (gif) => {
      const item = shown(gif);
      const { id, format, width, height, frames, bytes, title, tags, lqip } = gif;
      expect(item).toMatchObject({ id, format, width, height, frames, bytes, title, tags, lqip });
      expect([item.transparent, item.blankStill]).toEqual([gif.transparent || null, gif.blankStill || null]);
      const own = `${MEDIA.mediaUrl}/m/${id.slice(0, 64)}.${format}`;
      expect(item.url).toBe(gif.url ?? own);
      expect(item.duration).toBe(gif.durationMs === null ? null : gif.durationMs / 1000);
      const known = gif.url === null ? id.slice(0, 64) : gif.sha256;
      expect([item.verified, item.sha256]).toEqual([
        gif.verified !== 'nothing',
        gif.verified === 'file' ? known : null,
      ]);
      expect(item.previewMp4 !== null).toBe(item.mp4 !== null && item.transparent === null);
      expect(item.previewMp4 ?? `${MEDIA.mediaUrl}/v/r1/w240/x.mp4`).toMatch(/\/v\/r1\/w240\/[^/]+\.mp4$/);
      for (const { animated, still } of Object.values(item.previews)) {
        expect(still.startsWith(`${MEDIA.mediaUrl}/p/`) && still.endsWith('.png')).toBe(true);
        expect(animated?.endsWith('.gif') ?? true).toBe(true);
      }
    }),
  );
});

test('a linked GIF has the URL of the copy that is stored here only if the operator enables this', () => {
  fc.assert(
    fc.property(record, fc.boolean(), fc.boolean(), (gif, isKept, hasOwnUrls) => {
      const own = `${MEDIA.mediaUrl}/m/${gif.id.slice(0, 64)}.${gif.format}`;
      const stored = decodeStored(encodeStored({ ...gif, isKept }));
      expect(toGif(stored, { ...MEDIA, hasOwnUrls }).url).toBe(hasOwnUrls && isKept ? own : (gif.url ?? own));
      // If the copy is lost, previews are made from the other server's file.
      expect(stored.url === null).toBe(gif.url === null);
      expect(shown({ ...gif, isKept } as GifRecord)).toEqual(shown(gif));
    }),
  );
});

test('items follow the description of the API', () => {
  fc.assert(
    fc.property(record, hash, (gif, own) => {
      const linked = { ...gif, id: `${own}.gif`, lqip: null, url: 'https://gifs.example/a.gif' };
      const item = shown(linked, { mediaUrl: 'https://gifs.example', hasVideo: true, hasOwnUrls: false });
      expect([...Value.Errors(Gif, item)]).toEqual([]);
    }),
  );
});

test('a list is one JSON text in UTF-8', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 5 }), fc.string({ unit: 'grapheme' }), (gifs, q) => {
      const stored = gifs.map((gif) => decodeStored(encodeStored(gif)));
      const body = toListBody<{ q: string; items: Gif[] }>({ q }, writeItems(stored, MEDIA));
      const items = stored.map((gif) => toGif(gif, MEDIA));
      expect(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))).toEqual({ q, items });
    }),
  );
});

test('records can be read from memory that threads share', () => {
  const [gif] = fc.sample(record, 1);
  const encoded = encodeStored(gif!);
  const shared = new Uint8Array(new SharedArrayBuffer(encoded.length + 3), 3);
  shared.set(encoded);
  expect(decodeStored(shared)).toEqual(decodeStored(encoded));
});

test('records from before there were flags can be read', () => {
  const [gif] = fc.sample(record, 1);
  const earlier = encodeStored({ ...gif!, transparent: undefined, blankStill: undefined });
  const now = encodeStored({ ...gif!, transparent: true, blankStill: true });
  // The flags are added at the end, so earlier programs return the flags together with the fields before them.
  expect(Buffer.from(now.subarray(0, earlier.length))).toEqual(Buffer.from(earlier));
  expect(toGif(decodeStored(earlier), MEDIA)).toMatchObject({ transparent: null, blankStill: null });
});

test('a number that JSON cannot represent is sent as null', () => {
  const [gif] = fc.sample(record, 1);
  expect(shown({ ...gif!, durationMs: Number.POSITIVE_INFINITY })).toMatchObject({ duration: null });
});

import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { describe, expect, it } from 'vitest';
import { type RelayEvent, readEvent } from '../../platform/relay/index.ts';
import { readSaid } from './read-event.ts';
import type { Said } from './said.ts';

const HOST = 'https://media.example';
const X = 'a'.repeat(64);
const key = generateSecretKey();
const author = getPublicKey(key);

function event(kind: number, tags: string[][]): RelayEvent {
  return finalizeEvent({ kind, tags, content: '', created_at: 1_790_000_000 }, key);
}

const read = (kind: number, tags: string[][]) => readSaid(event(kind, tags)) as Said;

describe('an emoji pack', () => {
  it('has a GIF for each animated emoji, with shortcode and pack as tags, and says why others are skipped', () => {
    const { claims, skipped, packs } = read(30_030, [
      ['d', 'blobs'],
      ['title', 'Blob Cats'],
      ['t', 'Cute'],
      ['emoji', 'blob_dance', `${HOST}/1.gif`],
      ['emoji', 'blobWave', `${HOST}/2.webp?x=1`, `30030:${author}:blobs`],
      ['emoji', 'again', `${HOST}/1.gif`],
      ['emoji', 'still', `${HOST}/3.png`],
      ['emoji', 'nothing'],
      ['emoji', 'data', 'data:image/gif;base64,R0lGODlhAQABAAAAACw='],
      ['emoji', 'plain', 'http://media.example/4.gif'],
    ]);
    expect(claims).toMatchObject([
      {
        ...{ part: 0, urls: [`${HOST}/1.gif`], hashes: [], bare: false, alt: '', adult: false },
        ...{ title: 'blob dance', titleRank: 1, tags: ['blob dance', 'blob cats', 'cute'] },
      },
      { part: 1, urls: [`${HOST}/2.webp?x=1`], tags: [expect.stringMatching(/^blob ?wave$/), 'blob cats', 'cute'] },
    ]);
    expect(skipped).toEqual(['other_type', 'not_https', 'not_https', 'not_https']);
    expect(packs).toMatchObject([{ address: `30030:${author}:blobs`, author, createdAt: 1_790_000_000 }]);
  });

  it("can be a person's list, which has no name", () => {
    const { claims, packs } = read(10_030, [
      ['a', `30030:${X}:blobs`],
      ['emoji', 'wave', `${HOST}/1.gif`],
    ]);
    expect(claims).toMatchObject([{ title: 'wave', tags: ['wave'] }]);
    expect(packs).toMatchObject([{ address: `10030:${author}:` }]);
  });

  it('has its identifier as name only if a person chose it', () => {
    const emoji = ['emoji', 'wave', `${HOST}/1.gif`];
    expect(read(30_030, [['d', 'happy-frogs'], emoji]).claims[0]!.tags).toEqual(['wave', 'happy frogs']);
    expect(read(30_030, [['d', `pack-${X}`], emoji]).claims[0]!.tags).toEqual(['wave']);
  });

  it('is read up to 500 pictures, and refused if it has ten thousand', () => {
    const tags = (count: number) => Array.from({ length: count }, (_, n) => ['emoji', `e${n}`, `${HOST}/${n}.gif`]);
    const { claims, skipped } = read(30_030, tags(502));
    expect([claims.length, skipped]).toEqual([500, ['pack_too_long', 'pack_too_long']]);
    expect(readEvent(event(30_030, tags(600)))).toMatchObject({ kind: 30_030 });
    expect(readEvent(event(30_030, tags(10_000)))).toBe('too_many_tags');
    expect(readEvent(event(1, tags(600)))).toBe('too_many_tags');
  });
});

describe('a sticker pack', () => {
  it('has hash, type, alt and adult mark of each sticker, and lists no sticker twice', () => {
    const sticker = (name: string, ...rest: string[]) => ['sticker', name, `${HOST}/${name}`, ...rest];
    const { claims, skipped } = read(30_031, [
      ['d', 'dogs'],
      ['title', 'Dogs'],
      ['t', 'sonar-sticker-pack-v1'],
      sticker('s0', X, 'image/webp', '512x512', 'A dog  laughs', '😂'),
      sticker('s1.gif', '', '', '', 'nsfw'),
      sticker('s2', X, 'image/png', '', 'A dog'),
      sticker('s3', 'short', 'image/gif'),
      ['emoji', 's0', `${HOST}/s0`],
    ]);
    expect(claims).toMatchObject([
      { urls: [`${HOST}/s0`], hashes: [X], title: 'A dog laughs', titleRank: 0, alt: 'A dog laughs', adult: false },
      { urls: [`${HOST}/s1.gif`], hashes: [], alt: '', adult: true },
    ]);
    expect(claims[0]!.tags).toEqual(['s0', 'dogs']);
    expect(skipped).toEqual(['other_type', 'bad_hash']);
  });
});

describe('a deletion', () => {
  it('is the last version of a pack of the same author, and of no other', () => {
    const { packs } = read(5, [
      ['a', `30030:${author}:blobs`],
      ['a', `30030:${X}:blobs`],
      ['a', `30023:${author}:an article`],
      ['a', 'nonsense'],
    ]);
    expect(packs).toMatchObject([{ address: `30030:${author}:blobs`, author }]);
    expect(readSaid(event(5, [['a', `30030:${X}:blobs`]]))).toBe('no_gif');
  });
});

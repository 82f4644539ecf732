import { gzipSync } from 'node:zlib';
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { expect, test } from 'vitest';
import { OperatorError } from '../base/errors.ts';
import { CATALOGUE_LIMITS, NoManifest, readManifest, signManifest, unpackLines } from './manifest.ts';

const SECRET = generateSecretKey();
const PART = { sha256: 'a'.repeat(64), bytes: 1, gifs: 1 };
const ABOUT = { format: 1, name: 'A', url: 'https://a.example', generation: 1 } as const;
const MANIFEST = { ...ABOUT, gifs: 1, bits: 1, parts: [PART, null] };

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));

function signed(content: object): Buffer {
  return bytesOf(signManifest(content as typeof MANIFEST, SECRET));
}

/** Returns a valid event with other fields. */
function event(change: { kind?: number; tags?: string[][]; content?: string }): Buffer {
  const { kind, tags, content } = signManifest(MANIFEST, SECRET);
  return bytesOf(finalizeEvent({ kind, tags, content, created_at: 1, ...change }, SECRET));
}

test('a signed manifest is read with the key of its publisher', () => {
  expect(readManifest(signed(MANIFEST))).toMatchObject({ pubkey: getPublicKey(SECRET), manifest: MANIFEST });
});

test.each<[string, Uint8Array, string]>([
  ['a page', Buffer.from('<!doctype html>'), 'the manifest is not JSON'],
  ['JSON that is not an event', bytesOf(MANIFEST), 'the manifest is not a signed Nostr event'],
  ['an event of another kind', event({ kind: 30_079 }), 'the manifest is an event, but not one of a catalogue'],
  [
    'an event with another name',
    event({ tags: [['d', 'my-notes']] }),
    'the manifest is an event, but not one of a catalogue',
  ],
  [
    'an event with the name in another tag',
    event({ tags: [['t', 'zoetrope-catalogue']] }),
    'the manifest is an event, but not one of a catalogue',
  ],
])('%s is not a manifest', (_, bytes, message) => {
  expect(() => readManifest(bytes)).toThrow(NoManifest);
  expect(() => readManifest(bytes)).toThrow(message);
});

test.each<[string, Uint8Array, string]>([
  [
    'with a wrong signature',
    bytesOf({ ...signManifest(MANIFEST, SECRET), sig: '0'.repeat(128) }),
    'the signature of the manifest is wrong',
  ],
  ['with content that is not JSON', event({ content: '{' }), 'the manifest is not JSON'],
  ['of a later format', signed({ ...MANIFEST, format: 2 }), 'wrong field: format: must be'],
  ['with a name of 101 characters', signed({ ...MANIFEST, name: 'a'.repeat(101) }), 'wrong field: name: must'],
  ['with a URL of 501 characters', signed({ ...MANIFEST, url: 'a'.repeat(501) }), 'wrong field: url: must'],
  ['of generation 0', signed({ ...MANIFEST, generation: 0 }), 'wrong field: generation: must be >= 1'],
  ['with a number of GIFs below 0', signed({ ...MANIFEST, gifs: -1 }), 'wrong field: gifs: must be >= 0'],
  ['with more parts than places', signed({ ...MANIFEST, bits: 17 }), 'wrong field: bits: must be <= 16'],
  [
    'with a part whose hash is a path',
    signed({ ...MANIFEST, parts: [{ ...PART, sha256: '../../etc/passwd' }, null] }),
    'wrong field: parts.0',
  ],
  [
    'with a part that is too large',
    signed({ ...MANIFEST, parts: [{ ...PART, bytes: CATALOGUE_LIMITS.partBytes + 1 }, null] }),
    'wrong field: parts.0',
  ],
  ['with an empty part', signed({ ...MANIFEST, parts: [{ ...PART, bytes: 0 }, null] }), 'wrong field: parts.0'],
  [
    'with too many GIFs in a part',
    signed({ ...MANIFEST, gifs: 5_001, parts: [{ ...PART, gifs: 5_001 }, null] }),
    'wrong field: parts.0',
  ],
  [
    'with a part that has no GIFs',
    signed({ ...MANIFEST, parts: [{ ...PART, gifs: 0 }, null] }),
    'wrong field: parts.0',
  ],
  ['with a missing part', signed({ ...MANIFEST, parts: [PART] }), 'the manifest has 1 parts instead of 2^1'],
  [
    'that counts its GIFs wrongly',
    signed({ ...MANIFEST, gifs: 2 }),
    'the parts of the manifest have 1 GIF instead of 2',
  ],
])('a manifest %s is refused', (_, bytes, message) => {
  expect(() => readManifest(bytes)).toThrow(OperatorError);
  expect(() => readManifest(bytes)).not.toThrow(NoManifest);
  expect(() => readManifest(bytes)).toThrow(message);
});

test('a part is read line by line, with or without a line break at its end', async () => {
  expect(await unpackLines(gzipSync('a\nb\n'))).toEqual(['a', 'b']);
  expect(await unpackLines(gzipSync('a\nb'))).toEqual(['a', 'b']);
});

test('a part that is not compressed, or becomes too large, is refused', async () => {
  await expect(unpackLines(Buffer.from('a\nb\n'))).rejects.toThrow('the part is not gzip');
  const large = gzipSync(Buffer.alloc(CATALOGUE_LIMITS.unpackedBytes + 1), { level: 1 });
  await expect(unpackLines(large)).rejects.toThrow('has more than 64000000 bytes unpacked');
});

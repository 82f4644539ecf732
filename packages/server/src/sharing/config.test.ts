import { expect, test } from 'vitest';
import { wrongPublishing } from './config.ts';

const settings = (publish: string, nostrKey: string, publicUrl: string) => ({
  sharing: { publish },
  http: { nostrKey },
  service: { publicUrl },
});

test('publishing needs a key and a public URL, and names the setting that is missing', () => {
  expect(wrongPublishing(settings('off', '', ''))).toEqual([]);
  expect(wrongPublishing(settings('on', 'key', 'https://gifs.example'))).toEqual([]);
  expect(wrongPublishing(settings('on', '', 'https://gifs.example'))).toEqual([
    'ZOETROPE_PUBLISH is on, so ZOETROPE_NOSTR_KEY must be the secret key that signs the catalogue',
  ]);
  expect(wrongPublishing(settings('on', 'key', ''))).toEqual([
    'ZOETROPE_PUBLISH is on, so ZOETROPE_PUBLIC_URL must be the URL from which followers load GIFs',
  ]);
});

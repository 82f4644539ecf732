import type { Gif } from '@zoetrope/contract';
import { verifyEvent } from 'nostr-tools/pure';
import { expect, test } from 'vitest';
import { Events } from './events.ts';

const gif = (changes: Partial<Gif> = {}): Gif => {
  const preview = { width: 4, height: 3, animated: null, still: 'https://gifs.example/p.png' };
  const previews = { small: preview, medium: preview, w240: preview, w480: preview };
  const facts = { id: 'a.gif', url: 'https://gifs.example/a.gif', format: 'gif', sha256: null, verified: false };
  return { ...facts, width: 4, height: 3, bytes: null, title: 'cat', tags: ['pet'], previews, ...changes } as Gif;
};

test('an event is signed once, and again after a change of its GIF', async () => {
  const events = await Events.open('1'.repeat(64));
  const first = events.of(gif(), 100);
  expect(verifyEvent({ ...first })).toBe(true);
  expect(first).toMatchObject({ kind: 1063, created_at: 100, pubkey: events.pubkey, content: 'cat\npet' });
  expect(events.of(gif(), 100)).toBe(first);
  const changed = events.of(gif({ title: 'dog' }), 100);
  expect([changed.content, verifyEvent({ ...changed })]).toEqual(['dog\npet', true]);
  expect(events.of(gif(), 200).created_at).toBe(200);
  expect([events.gifOf(first.id), events.gifOf(changed.id), events.gifOf('0'.repeat(64))]).toEqual([
    'a.gif',
    'a.gif',
    undefined,
  ]);
});

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

test('an event contains only the known facts about its GIF', async () => {
  const events = await Events.open('1'.repeat(64));
  const namesOf = (changes: Partial<Gif>) => events.of(gif(changes), 100).tags.map(([name]) => name);
  expect(namesOf({ title: '', tags: [] })).toEqual(['url', 'm', 'thumb', 'image']);
  const known = { sha256: 'ab'.repeat(32), bytes: 99, verified: true } as const;
  expect(namesOf(known)).toEqual(['url', 'm', 'x', 'ox', 'dim', 'size', 'thumb', 'image', 'alt', 'summary', 't']);
  const values = Object.fromEntries(events.of(gif(known), 100).tags.map(([name, value]) => [name, value]));
  expect(values).toMatchObject({ x: known.sha256, ox: known.sha256, dim: '4x3', size: '99', m: 'image/gif' });
  const contents = [{ title: '' }, { tags: [] }, { title: '', tags: [] }].map(
    (changes) => events.of(gif(changes), 100).content,
  );
  expect(contents).toEqual(['pet', 'cat', '']);
});

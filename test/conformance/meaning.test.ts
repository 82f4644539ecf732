import type { SearchResponse, SimilarResponse, SuggestResponse } from '@zoetrope/contract';
import { describe, expect, it } from 'vitest';
import { sentence } from './sentence.ts';
import { serveTopics } from './service.ts';

const service = serveTopics();
const wordsOnly = serveTopics({ ZOETROPE_EMBEDDER: 'none' });

/** Queries, each with the GIF that it means. The GIF has none of the query's words. */
const MEANT = [
  ['convertible', 'red.gif'],
  ['billionaire', 'rain.gif'],
  ['penalty shootout', 'goal.gif'],
  ['witchcraft', 'wizard.gif'],
] as const;

/** Long enough for the start of the embedder on a busy machine. */
const READY = { timeout: 480_000 };

const ids = ({ items }: Pick<SearchResponse, 'items'>) => items.map(({ id }) => id);
const searchPath = (q: string, mode: string) => `/api/v1/search?mode=${mode}&q=${encodeURIComponent(q)}`;

/** Searches by meaning. The search waits for the vector. */
async function byMeaning(q: string): Promise<SearchResponse> {
  await expect.poll(async () => (await service.get(searchPath(q, 'semantic'))).status, READY).toBe(200);
  return service.search(`mode=semantic&q=${encodeURIComponent(q)}`);
}

async function inMode(mode: 'auto' | 'text', q: string): Promise<SearchResponse> {
  return service.search(`mode=${mode}&q=${encodeURIComponent(q)}`);
}

/**
 * Searches by words and by meaning. A busy machine can answer by words alone, and the service keeps such an answer for
 * some seconds.
 */
async function byBoth(q: string): Promise<SearchResponse> {
  await expect.poll(async () => (await inMode('auto', q)).semantic, READY).toBe(true);
  return inMode('auto', q);
}

describe('What the service does', () => {
  sentence(6, async () => {
    expect(ids(await inMode('text', 'red car'))).toEqual(['red.gif']);
    expect(ids(await byBoth('🚀'))[0]).toBe('rocket.gif');
    expect(ids(await byMeaning('fortune'))[0]).toBe('rain.gif');
    const suggested = (await (await service.get('/api/v1/suggest?q=wiz')).json()) as SuggestResponse;
    expect(suggested.terms[0]?.term).toBe('wizard');
    const similar = (await (await service.get('/api/v1/gifs/dog.gif/similar')).json()) as SimilarResponse;
    expect(similar.items.length).toBeGreaterThan(0);
    expect(ids(similar)).not.toContain('dog.gif');
  });
});

describe('GET /api/v1/search', () => {
  sentence(53, async () => {
    for (const q of ['sedan', 'dog', '🚀', 'Hund']) {
      expect((await byMeaning(q)).semantic, q).toBe(true);
      expect((await byBoth(q)).semantic, q).toBe(true);
      expect((await inMode('text', q)).semantic, q).toBe(false);
      expect((await wordsOnly.search(`q=${encodeURIComponent(q)}`)).semantic, q).toBe(false);
    }
    // The query has no words, so it has no vector.
    expect([(await byMeaning('!!')).semantic, (await inMode('auto', '!!')).semantic]).toEqual([false, false]);
  });

  sentence(83, async () => {
    // No GIF has the emoji itself. The GIF is found by what the emoji means.
    for (const [emoji, id] of [
      ['🐶', 'dog.gif'],
      ['🚀', 'rocket.gif'],
      ['😭', 'crying.gif'],
      ['👍', 'thumbs.gif'],
      ['🎂', 'birthday.gif'],
    ] as const) {
      expect(ids(await byMeaning(emoji))[0], emoji).toBe(id);
      expect(ids(await byBoth(emoji))[0], emoji).toBe(id);
    }
    const plain = ids(await byBoth('👍'));
    for (const thumb of ['👍🏻', '👍🏽', '👍🏿']) {
      await byMeaning(thumb);
      expect(ids(await byBoth(thumb)), thumb).toEqual(plain);
    }
  });

  sentence(88, async () => {
    expect((await service.parameter('search', 'mode')).schema).toMatchObject({
      default: 'auto',
      anyOf: [{ const: 'auto' }, { const: 'text' }, { const: 'semantic' }],
    });
    for (const [q, id] of MEANT) {
      expect(ids(await inMode('text', q)), q).toEqual([]);
      expect(ids(await byMeaning(q))[0], q).toBe(id);
      expect(ids(await byBoth(q))[0], q).toBe(id);
      expect(await service.search(`q=${encodeURIComponent(q)}`), q).toEqual(await byBoth(q));
    }
    // For a query of one word, the results of the text search come first.
    for (const q of ['car', 'dog', 'magic']) {
      await byMeaning(q);
      const words = ids(await inMode('text', q));
      expect(ids(await byBoth(q)).slice(0, words.length), q).toEqual(words);
    }
    expect((await wordsOnly.fail(searchPath('dog', 'semantic'))).status).toBe(503);
    expect((await service.get(searchPath('dog', 'best'))).status).toBe(400);
  });

  it('searches by words alone without an embedder, in every language', async () => {
    for (const q of ['dog', 'Hund', '🐶', 'sedan', 'red wizard']) {
      const auto = await wordsOnly.search(`q=${encodeURIComponent(q)}`);
      expect(auto, q).toEqual(await wordsOnly.search(`mode=text&q=${encodeURIComponent(q)}`));
    }
  });
});

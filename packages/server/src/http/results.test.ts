import type { SearchMode } from '@zoetrope/contract';
import { describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../base/errors.ts';
import type { Ranked, Search } from '../index/index.ts';
import type { HttpContext } from './context.ts';
import { findGifs } from './results.ts';

const VECTOR = Float32Array.of(1, 0);
const listOf = (count: number): Ranked => ({ count, gifs: () => [] });
const WORDS = listOf(1);
const MIXED = listOf(2);
const MEANING = listOf(3);

/** Creates a replacement for the index, because these tests only check which of its searches is chosen. */
function makeIndex(hasMeaning: boolean, isEnough = false) {
  const endWithMeaning = vi.fn((): Ranked | undefined => MIXED);
  return {
    hasMeaning,
    correct: vi.fn((q: string) => (q === 'catt' ? 'cat' : undefined)),
    begin: vi.fn((q: string) => ({
      meant: q === 'rain wind' ? 'rain window' : q,
      isShort: true,
      isEnough,
      endWithWords: () => WORDS,
      endWithMeaning,
    })),
    endWithMeaning,
    isShort: () => true,
    searchMeaning: vi.fn(() => MEANING),
  };
}

type Embed = HttpContext['embed'];

const down: Embed = () => Promise.reject(new ServiceError('embedder_unavailable', 'it ended with SIGKILL'));

function find(mode: SearchMode, embed: Embed, index = makeIndex(true), q = 'cat') {
  return findGifs({ q, mode, rank: 'registered' }, index as unknown as Search, { embed });
}

describe('findGifs', () => {
  test('text does not call the embedder', async () => {
    const embed = vi.fn<Embed>();
    await expect(find('text', embed)).resolves.toEqual({ ranked: WORDS, semantic: false, isDegraded: false });
    expect(embed).not.toHaveBeenCalled();
  });

  test('auto does not call the embedder if meaning would add nothing, and the result is not degraded', async () => {
    const embed = vi.fn<Embed>();
    const found = await find('auto', embed, makeIndex(true, true));
    expect(found).toEqual({ ranked: WORDS, semantic: false, isDegraded: false });
    expect(embed).not.toHaveBeenCalled();
  });

  test.each([
    {
      mode: 'auto',
      way: 'endWithMeaning',
      args: [VECTOR],
      ranked: MIXED,
      wait: 150,
    },
    { mode: 'semantic', way: 'searchMeaning', args: [VECTOR, 200], ranked: MEANING, wait: 1_000 },
  ] as const)('$mode calls $way with the vector, and waits $wait ms for it', async (expected) => {
    const index = makeIndex(true);
    const embed = vi.fn<Embed>(async () => VECTOR);
    const found = find(expected.mode, embed, index);
    await expect(found).resolves.toEqual({
      ranked: expected.ranked,
      semantic: true,
      vector: VECTOR,
      isDegraded: false,
    });
    expect(index[expected.way]).toHaveBeenCalledExactlyOnceWith(...expected.args);
    expect(embed).toHaveBeenCalledExactlyOnceWith({ text: 'cat', isShort: true }, expected.wait, 'registered');
  });

  test('auto embeds the text that is meant, and semantic the query as typed', async () => {
    const embed = vi.fn<Embed>(async () => VECTOR);
    await find('auto', embed, makeIndex(true), 'rain wind');
    await find('semantic', embed, makeIndex(true), 'rain wind');
    expect(embed.mock.calls.map(([{ text }]) => text)).toEqual(['rain window', 'rain wind']);
  });

  test.each([
    ['auto', MIXED],
    ['semantic', MEANING],
  ] as const)(
    '%s does not report semantic search for a query that the embedder does not know',
    async (mode, ranked) => {
      const found = { ranked, semantic: false, vector: null, isDegraded: false };
      await expect(find(mode, async () => null)).resolves.toEqual(found);
    },
  );

  test.each(['auto', 'text', 'semantic'] as const)(
    '%s finds nothing for an empty query, even if the embedder is down',
    async (mode) => {
      const found = await find(mode, down, makeIndex(true), '');
      expect(found).toMatchObject({ ranked: { count: 0 }, semantic: false, isDegraded: false });
    },
  );

  test('auto and text use the corrected query, and semantic uses the query as typed', async () => {
    const index = makeIndex(true);
    const embed = vi.fn<Embed>(async () => VECTOR);
    await expect(find('auto', embed, index, 'catt')).resolves.toMatchObject({ ranked: MIXED, corrected: 'cat' });
    expect(index.begin).toHaveBeenCalledExactlyOnceWith('cat', 200);
    expect(embed).toHaveBeenCalledExactlyOnceWith({ text: 'cat', isShort: true }, 150, 'registered');
    await expect(find('text', embed, index, 'catt')).resolves.toMatchObject({ ranked: WORDS, corrected: 'cat' });
    expect((await find('semantic', embed, index, 'catt')).corrected).toBeUndefined();
  });

  test('auto uses text search when the embedder is down, and reports this', async () => {
    await expect(find('auto', down)).resolves.toEqual({ ranked: WORDS, semantic: false, isDegraded: true });
  });

  test('semantic fails when the embedder is down, and names the time to retry and the modes that work', async () => {
    const refusal = { code: 'embedder_unavailable', status: 503, retryAfter: 5 };
    const outcome = find('semantic', down);
    await expect(outcome).rejects.toMatchObject(refusal);
    await expect(outcome).rejects.toThrow('(it ended with SIGKILL); use mode=text or mode=auto');
  });

  test('vectors of another embedder are ignored, and no embedder is called', async () => {
    const embed = vi.fn<Embed>();
    await expect(find('auto', embed, makeIndex(false))).resolves.toEqual({
      ranked: WORDS,
      semantic: false,
      isDegraded: true,
    });
    await expect(find('semantic', embed, makeIndex(false))).rejects.toMatchObject({ code: 'embedder_unavailable' });
    expect(embed).not.toHaveBeenCalled();
  });

  test('auto uses text search if only the meaning leg of the index is unavailable, and reports this', async () => {
    const index = makeIndex(true);
    index.endWithMeaning.mockReturnValue(undefined);
    await expect(find('auto', async () => VECTOR, index)).resolves.toEqual({
      ranked: WORDS,
      semantic: false,
      isDegraded: true,
    });
  });

  test.each(['auto', 'semantic'] as const)('%s does not hide other failures', async (mode) => {
    await expect(find(mode, () => Promise.reject(new TypeError('a fault of ours')))).rejects.toThrow('a fault of ours');
  });
});

import type { Gif, SearchResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { catalogue } from '../../packages/server/src/ingest/starter/catalogue.ts';
import { manifestLine } from '../../packages/server/src/ingest/starter/manifest.ts';
import { writeManifest } from '../support/catalogue.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';
import { LANGUAGES, WISHES, type Wish } from './starter-words.ts';

/** What the pickers of known clients open on and offer, and what a first GIF for it carries. */
const TOPICS: Record<string, string[]> = {
  gm: ['good morning'],
  gn: ['good night'],
  pv: ['pura vida'],
  zap: ['zap'],
  bitcoin: ['bitcoin'],
  coffee: ['coffee'],
  lfg: ['lfg'],
  wow: ['wow'],
  lol: ['lol'],
  yes: ['yes'],
  applause: ['applause'],
  facepalm: ['facepalm'],
  love: ['love'],
  fire: ['fire'],
};

/** What the whole table must reach, and each language of it: words of some mean two things. */
const SENSIBLE = { all: 0.97, language: 0.9 };

/** The embedder takes a second to start, and longer on a machine that is busy. */
const PATIENCE = { timeout: 30_000 };

const folder = temporaryFolder();
let server: Server;

/** The starter catalogue as linked GIFs: the same words, and nothing to render. */
function* starterRows() {
  for (const entry of catalogue) {
    const { file, ...told } = manifestLine(entry);
    yield { ...told, tags: [...told.tags], id: file };
  }
}

beforeAll(async () => {
  const manifest = writeManifest(`${folder.path}/starter.jsonl`, starterRows());
  const { code, stderr } = await zoetrope(`${folder.path}/data`, ['add', manifest, '--quiet']);
  expect(code, stderr).toBe(0);
  server = await startServer(`${folder.path}/data`, { ZOETROPE_THREADS: '1' });
});

afterAll(async () => {
  await server?.stop();
  folder[Symbol.dispose]();
});

let asked = 0;

/** The answer by words and meaning together. One that had to go without meaning is kept, so each try is another page. */
function search(q: string): Promise<SearchResponse> {
  return vi.waitFor(async () => {
    const response = await server.get(`/api/v1/search?q=${encodeURIComponent(q)}&limit=${(asked++ % 200) + 1}`);
    const answer = (await response.json()) as SearchResponse;
    expect(answer).toMatchObject({ semantic: true });
    return answer;
  }, PATIENCE);
}

const wordsOf = (text: string) => ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;

/** Whether the title or a tag has one of the words, or all the words of one of the phrases side by side. */
function carries({ title, tags }: Gif, accepted: readonly string[]): boolean {
  const texts = [title, ...tags].map(wordsOf);
  return accepted.some((words) => texts.some((text) => text.includes(wordsOf(words))));
}

async function isSensible({ typed, accepted }: Pick<Wish, 'typed' | 'accepted'>): Promise<string | undefined> {
  const [first] = (await search(typed)).items;
  if (first !== undefined && carries(first, accepted)) return undefined;
  return `${typed} (${accepted[0]}): ${first?.title ?? 'nothing'}`;
}

describe('the starter catalogue', () => {
  it.each(Object.entries(TOPICS))('has a GIF for the topic %s', async (typed, accepted) => {
    expect(await isSensible({ typed, accepted })).toBeUndefined();
  });

  it('answers the common words of twelve languages', async () => {
    const failures = new Map<string, string[]>(LANGUAGES.map((language) => [language, []]));
    for (const wish of WISHES) {
      const failure = await isSensible(wish);
      if (failure !== undefined) failures.get(wish.language)!.push(failure);
    }
    const all = [...failures].flatMap(([language, list]) => list.map((failure) => `${language} ${failure}`));
    expect(WISHES).toHaveLength(480);
    expect(1 - all.length / WISHES.length, all.join('\n')).toBeGreaterThanOrEqual(SENSIBLE.all);
    for (const [language, list] of failures) {
      expect(1 - list.length / 40, `${language}: ${list.join('; ')}`).toBeGreaterThanOrEqual(SENSIBLE.language);
    }
  });
});

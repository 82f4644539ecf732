import fs from 'node:fs';
import path from 'node:path';
import type { Gif, SearchResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { catalogue } from '../../packages/starter/src/catalogue/catalogue.ts';
import { manifestLine } from '../../packages/starter/src/catalogue/manifest.ts';
import { writeManifest } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/** Topics that the pickers of known clients show or offer. For each topic, the words that the first GIF must have. */
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

/**
 * The minimum shares of concepts that must be found. `english` is a share of all concepts, for English words. `others`
 * and `each` are shares of the concepts that English words find: `others` is the average over the other languages, and
 * `each` applies to each of these languages. The shares are a little below today's values. They are not goals.
 */
const FOUND = { english: 0.8, others: 0.58, each: 0.45 };

/** Timeout for the embedder, which takes a second to start, and longer on a busy machine. */
const PATIENCE = { timeout: 480_000 };

const folder = temporaryFolder();
let server: Server;

/** Yields the starter catalogue as linked GIFs. They have the same texts, but do not have to be rendered. */
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

/**
 * The `cache-control` header of a complete response. Responses without search by meaning are cached for a shorter time.
 */
const COMPLETE = 'private, max-age=60';

let asked = 0;

/**
 * Searches by words and meaning. Responses without search by meaning are cached, so each try requests a page of a
 * different size.
 */
function search(q: string): Promise<SearchResponse> {
  return vi.waitFor(async () => {
    const response = await server.get(`/api/v1/search?q=${encodeURIComponent(q)}&limit=${(asked++ % 200) + 1}`);
    expect(response.headers.get('cache-control')).toBe(COMPLETE);
    return (await response.json()) as SearchResponse;
  }, PATIENCE);
}

const wordsOf = (text: string) => ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;

/** Returns whether the title or a tag has one of the words, or one of the phrases with its words side by side. */
function carries({ title, tags }: Gif, accepted: readonly string[]): boolean {
  const texts = [title, ...tags].map(wordsOf);
  return accepted.some((words) => texts.some((text) => text.includes(wordsOf(words))));
}

async function isSensible(typed: string, accepted: readonly string[]): Promise<string | undefined> {
  const [first] = (await search(typed)).items;
  if (first !== undefined && carries(first, accepted)) return undefined;
  return `${typed} (${accepted[0]}): ${first?.title ?? 'nothing'}`;
}

describe('the starter catalogue', () => {
  it.each(Object.entries(TOPICS))('has a GIF for the topic %s', async (typed, accepted) => {
    expect(await isSensible(typed, accepted)).toBeUndefined();
  });

  it.skipIf(!parts.data)('answers everyday phrases in fifteen languages', async () => {
    const folder = path.join(parts.data!, 'eval', 'everyday');
    const [languages = [], ...concepts] = readTable(path.join(folder, 'dev.tsv'));
    const patterns = new Map(readTable(path.join(folder, 'words.tsv')).map(([concept, words]) => [concept, words!]));
    const right = new Map<string, number>(languages.map((language) => [language, 0]));
    let english = 0;
    for (const phrases of concepts) {
      const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.get(phrases[0]!)})`, 'iu');
      const hits = [];
      for (const phrase of phrases) {
        const found = (await search(phrase)).items.slice(0, 5);
        hits.push(found.some(({ title, tags }) => [title, ...tags].some((text) => pattern.test(text))));
      }
      // If the English words find nothing, the catalogue has no GIFs for the concept.
      if (!hits[0]) continue;
      english++;
      for (const [at, hit] of hits.entries()) if (hit) right.set(languages[at]!, right.get(languages[at]!)! + 1);
    }
    const counts = JSON.stringify(Object.fromEntries(right));
    const others = languages.slice(1).map((language) => right.get(language)! / english);
    expect(english / concepts.length, counts).toBeGreaterThanOrEqual(FOUND.english);
    expect(others.reduce((sum, share) => sum + share, 0) / others.length, counts).toBeGreaterThanOrEqual(FOUND.others);
    for (const share of others) expect(share, counts).toBeGreaterThanOrEqual(FOUND.each);
  });
});

function readTable(file: string): string[][] {
  const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => line.split('\t'));
}

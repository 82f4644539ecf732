import fs from 'node:fs';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createLog } from '../../packages/server/src/base/log.ts';
import { captionSize, createCaptionReader } from '../../packages/server/src/enrich/index.ts';
import { createTestMedia } from '../../packages/server/src/media/testing/test-media.ts';
import { captionedGif } from '../support/captioned.ts';
import { parts } from '../support/parts.ts';
import { startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const CAPTIONS =
  `when the code works|on the first try;nobody asked;is this a joke to you?;me explaining|my plan;good morning
see you on monday;it's not a bug|it's a feature;one does not simply;why would you say that;so tired;we did it!
happy birthday;that was close;hold my coffee;I have no idea|what I'm doing;dance like nobody|is watching;oh my god
take my money;just five more minutes;deal with it;thank you very much;what did you expect?;not today;let's go
this is fine;wait for it;nailed it;do not disturb;weekend mode on;here we go again;please stop;I am so proud of you
mind blown;you had one job;challenge accepted;never give up;sorry not sorry;best day ever;stay calm;to the moon`
    .split(/[;\n]/)
    .map((text) => text.toUpperCase().split('|'));

const { media } = createTestMedia();
const reader = createCaptionReader({ log: createLog('silent') });
afterAll(() => Promise.all([media.close(), reader.close()]));

async function read(lines: readonly string[], seed: number, places = [0, 0.9]): Promise<string> {
  const size = { width: 360 + 20 * (seed % 5), height: 270 };
  const bytes = await captionedGif({ lines, seed, ...size });
  return reader.read(await media.frames(bytes, places, captionSize(size)!), captionSize(size)!);
}

const WITH_CAPTIONS = { ZOETROPE_CAPTIONS: 'on' };

describe.skipIf(!parts.fonts)('captions', () => {
  test('are read with at most one wrong letter in twenty', async () => {
    expect(CAPTIONS).toHaveLength(40);
    const wrong: string[] = [];
    let [errors, letters] = [0, 0];
    for (const [seed, lines] of CAPTIONS.entries()) {
      const wanted = lines.join(' ');
      const found = await read(lines, seed);
      const distance = editsBetween(found.toLowerCase(), wanted.toLowerCase());
      if (distance > 0) wrong.push(`${wanted} -> ${found}`);
      errors += distance;
      letters += wanted.length;
    }
    expect(errors / letters, wrong.join('\n')).toBeLessThanOrEqual(0.05);
  });

  test('are empty where there are none', async () => {
    for (const seed of [1, 2, 3]) expect(await read([], seed)).toBe('');
  });

  test('are found and completed by their words without any metadata', async () => {
    using folder = temporaryFolder();
    const gifs = `${folder.path}/gifs`;
    fs.mkdirSync(gifs);
    const size = { width: 360, height: 270 };
    fs.writeFileSync(`${gifs}/one.gif`, await captionedGif({ lines: ['NEVER GIVE UP'], seed: 5, ...size }));
    fs.writeFileSync(`${gifs}/two.gif`, await captionedGif({ lines: ['WEEKEND MODE'], seed: 6, ...size }));
    fs.writeFileSync(
      `${gifs}/told.jsonl`,
      `${JSON.stringify({ file: 'two.gif', title: 'two', text: 'party time' })}\n`,
    );
    const data = `${folder.path}/data`;
    const sources = [`${gifs}/one.gif`, `${gifs}/told.jsonl`];
    const added = await zoetrope(data, ['add', '--quiet', ...sources], WITH_CAPTIONS);
    expect(added.code, added.stderr).toBe(0);
    await using server = await startServer(data, { ...WITH_CAPTIONS, ZOETROPE_THREADS: '1' });
    const titles = async (q: string) => {
      const answer = (await (await server.get(`/api/v1/search?mode=text&q=${q}`)).json()) as {
        items: { title: string }[];
      };
      return answer.items.map(({ title }) => title);
    };
    expect(await titles('never+give+up')).toEqual(['one']);
    expect(await titles('weekend')).toEqual([]);
    expect(await titles('party+time')).toEqual(['two']);
    const { terms } = (await (await server.get('/api/v1/suggest?q=neve')).json()) as { terms: unknown[] };
    expect(terms).toContainEqual(expect.objectContaining({ term: expect.stringContaining('never'), kind: 'text' }));
  });

  test('are searched by meaning, too', async () => {
    using folder = temporaryFolder();
    const [gifs, data] = [`${folder.path}/gifs`, `${folder.path}/data`];
    fs.mkdirSync(gifs);
    const size = { width: 360, height: 270 };
    fs.writeFileSync(`${gifs}/img.gif`, await captionedGif({ lines: ['GOOD MORNING'], seed: 5, ...size }));
    const added = await zoetrope(data, ['add', '--quiet', gifs], { ...WITH_CAPTIONS, ZOETROPE_EMBEDDER: 'bundled' });
    expect(added.code, added.stderr).toBe(0);
    await using server = await startServer(data, { ...WITH_CAPTIONS, ZOETROPE_EMBEDDER: 'bundled' });
    const isFound = async () => {
      const answer = await server.get('/api/v1/search?mode=semantic&q=hello+it+is+early+in+the+day');
      expect(await answer.json()).toMatchObject({ count: 1 });
    };
    await vi.waitFor(isFound, { timeout: 480_000, interval: 100 });
  });
});

/** Returns the number of letters to insert, delete or change. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      next.push(Math.min(row[j]! + (letter === other ? 0 : 1), row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

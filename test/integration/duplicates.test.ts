import fs from 'node:fs';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/** Returns three frames of a scene: a sky, a hill and a sun that moves. */
async function scene({ sky, hill, x }: { sky: string; hill: string; x: number }): Promise<Buffer> {
  const frame = (step: number): Buffer =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="160"><rect width="240" height="160" fill="${sky}"/>
       <path d="M0 160 L0 110 Q 80 ${60 + x / 4} 240 120 L240 160 Z" fill="${hill}"/>
       <circle cx="${x + 20 * step}" cy="${50 + x / 5}" r="26" fill="#fd3"/></svg>`,
    );
  const frames = await Promise.all([0, 1, 2].map((step) => sharp(frame(step)).png().toBuffer()));
  return sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100, 100] })
    .toBuffer();
}

test('a picture in two sizes is one search result, and each size is the most similar to the other', async () => {
  using folder = temporaryFolder();
  const gifs = `${folder.path}/gifs`;
  fs.mkdirSync(gifs);
  const sun = await scene({ sky: '#7ab8f5', hill: '#3c8d40', x: 60 });
  fs.writeFileSync(`${gifs}/sunny-hill.gif`, sun);
  fs.writeFileSync(`${gifs}/sunny-hill-small.gif`, await sharp(sun, { animated: true }).resize(160).gif().toBuffer());
  fs.writeFileSync(`${gifs}/sunny-desert.gif`, await scene({ sky: '#f5c07a', hill: '#a0522d', x: 120 }));
  fs.writeFileSync(`${gifs}/sunny-night.gif`, await scene({ sky: '#101030', hill: '#402060', x: 20 }));
  const data = `${folder.path}/data`;
  const added = await zoetrope(data, ['add', '--quiet', gifs]);
  expect(added.code, added.stderr).toBe(0);
  await using server = await startServer(data, { ZOETROPE_THREADS: '1' });
  const answer = (await (await server.get('/api/v1/search?q=sunny')).json()) as {
    count: number;
    items: { id: string; title: string }[];
  };
  const titles = answer.items.map(({ title }) => title.replace(' small', ''));
  expect(titles.sort()).toEqual(['sunny desert', 'sunny hill', 'sunny night']);
  expect(answer.count).toBe(3);
  const { id } = answer.items.find(({ title }) => title.startsWith('sunny hill'))!;
  const similar = (await (await server.get(`/api/v1/gifs/${id}/similar`)).json()) as { items: { title: string }[] };
  expect(similar.items).toHaveLength(3);
  expect(similar.items[0]!.title).toMatch(/^sunny hill/);
});

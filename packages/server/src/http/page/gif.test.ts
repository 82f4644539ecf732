import type { Gif } from '@zoetrope/contract';
import { expect, test } from 'vitest';
import { describeEmbed, renderGif } from './gif.ts';
import { textsOf } from './words/words.ts';

const URL = 'https://gifs.example';
const preview = (width: number, height: number) => ({
  ...{ width, height },
  animated: `${URL}/p/${width}x${height}.gif`,
  still: `${URL}/p/${width}x${height}.png`,
});
const GIF: Gif = {
  ...{
    id: 'a.gif',
    sha256: null,
    verified: true,
    url: `${URL}/m/a.gif`,
    format: 'gif',
    title: 'a <cat>',
    tags: ['cat'],
  },
  ...{ width: 960, height: 480, frames: 80, duration: 2.5, bytes: 1_234_567, lqip: null, transparent: null },
  ...{ blankStill: null, mp4: `${URL}/v/a.mp4`, previewMp4: `${URL}/v/w240/a.mp4` },
  previews: { small: preview(192, 96), medium: preview(384, 192), w240: preview(240, 120), w480: preview(480, 240) },
};
const page = {
  ...{ similar: [], operator: { name: 'Ada & Co', url: URL }, publicUrl: URL, isListed: false },
  texts: textsOf('en'),
};
const html = (changes: Partial<Gif> = {}, more: object = {}) =>
  renderGif({ ...page, ...more, gif: { ...GIF, ...changes } });

/** Returns the meta elements of a page, by name or property. */
function metaOf(text: string): Record<string, string> {
  const found = text.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)">/g);
  return Object.fromEntries([...found].map(([, name, content]) => [name, content]));
}

test('previews in other services get the title, picture, size and video', () => {
  expect(metaOf(html())).toMatchObject({
    'og:title': 'a &#60;cat&#62;',
    'og:site_name': 'GIFs from Ada &#38; Co',
    'og:url': `${URL}/g/a`,
    'og:image': `${URL}/p/480x240.gif`,
    'og:image:type': 'image/webp',
    ...{ 'og:image:width': '480', 'og:image:height': '240' },
    ...{ 'og:type': 'video.other', 'og:video': `${URL}/v/a.mp4`, 'og:video:secure_url': `${URL}/v/a.mp4` },
    ...{ 'og:video:width': '960', 'og:video:height': '480', 'twitter:card': 'summary_large_image' },
  });
  expect(html()).toContain(`${URL}/oembed?url=https%3A%2F%2Fgifs.example%2Fg%2Fa`);
});

test('a GIF without a video, or with transparency, is described by its picture alone', () => {
  for (const changes of [{ mp4: null }, { transparent: true }]) {
    const meta = metaOf(html(changes));
    expect(Object.keys(meta).filter((name) => name.startsWith('og:video'))).toEqual([]);
    expect(meta['og:type']).toBe('website');
    expect(html(changes)).not.toContain('>MP4</a>');
  }
  const still = { ...preview(480, 240), animated: null };
  const meta = metaOf(html({ previews: { ...GIF.previews, w480: still } }));
  expect([meta['og:image'], meta['og:image:type']]).toEqual([still.still, 'image/png']);
});

test('the GIF moves only for people who have not asked for less motion', () => {
  const { animated, still } = GIF.previews.w480;
  const source = `<source media="(prefers-reduced-motion: no-preference)" type="image/webp" srcset="${animated}">`;
  expect(html()).toContain(source);
  expect(html()).toContain(`src="${still}"`);
});

test('search engines are asked to leave the page out, unless the operator wants it listed', () => {
  expect(metaOf(html())['robots']).toBe('noindex');
  expect(metaOf(html({}, { isListed: true }))['robots']).toBeUndefined();
});

test('the page shows only facts that were read from the file, and otherwise its host', () => {
  // Each fact is isolated, so that facts are not mixed in right-to-left text.
  const facts = (changes: Partial<Gif>) => {
    const [, line] = /<p class="hint">(.*?)<\/p>/.exec(html(changes))!;
    return line!.split(' · ').map((fact) => /^<bdi>(.*)<\/bdi>$/.exec(fact)?.[1]);
  };
  expect(facts({})).toEqual(['GIF', '960 × 480 pixels', '2.5 sec', '1.2 MB']);
  expect(facts({ bytes: 4_321, duration: null })).toEqual(['GIF', '960 × 480 pixels', '4.3 kB']);
  expect(facts({ verified: false, bytes: null, duration: null, url: 'https://a.example/x.gif' })).toEqual([
    'GIF',
    'The file is on <bdi>a.example</bdi>',
  ]);
});

test('the downloads are the original, the animated preview and the MP4, each under its own name', () => {
  const names = (changes: Partial<Gif>) => [...html(changes).matchAll(/ download>(\w+)<\/a>/g)].map(([, name]) => name);
  expect(names({})).toEqual(['GIF', 'WebP', 'MP4']);
  expect(names({ format: 'webp' })).toEqual(['WebP', 'MP4']);
});

test('a title cannot close the brackets of a link in Markdown', () => {
  expect(html({ title: 'a] [b\\' })).toContain('[![a\\] \\[b\\\\](');
});

test('the description for other services has the largest preview that fits', () => {
  const sizeOf = (width: number, height: number) => {
    const found = describeEmbed({ gif: GIF, ...page }, { width, height });
    return [found.url.split('/').at(-1), found.width, found.height];
  };
  const free = Number.POSITIVE_INFINITY;
  expect(sizeOf(free, free)).toEqual(['480x240.gif', 480, 240]);
  expect(sizeOf(480, 240)).toEqual(['480x240.gif', 480, 240]);
  expect(sizeOf(479, free)).toEqual(['384x192.gif', 384, 192]);
  expect(sizeOf(free, 150)).toEqual(['240x120.gif', 240, 120]);
  // If the maximum is smaller than the smallest preview, that preview is shown at a smaller size.
  expect(sizeOf(100, 20)).toEqual(['192x96.gif', 40, 20]);
  expect(sizeOf(1, 1)).toEqual(['192x96.gif', 1, 1]);
});

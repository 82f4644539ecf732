import type { Gif } from '@zoetrope/contract';
import { expect, test } from 'vitest';
import { type HomePage, renderHome } from './home.ts';
import { textsOf } from './words/words.ts';

const texts = textsOf('en');
const LQIP = 'data:image/webp;base64,AAAA';
const MEDIA = 'https://gifs.example';
const TOPICS = ['gm', 'R&B'];
const preview = { width: 96, height: 54, animated: `${MEDIA}/p/a.gif`, still: `${MEDIA}/p/a.png` };
const COMPLETE = { documents: 36, isGrowing: false, hasLanguages: true };
const GIF: Gif = {
  ...{ id: 'a.gif', sha256: null, verified: true, url: `${MEDIA}/m/a.gif`, format: 'gif', title: 'cat', tags: [] },
  ...{ width: 96, height: 54, frames: 80, duration: 8, bytes: 99, lqip: LQIP, transparent: null, blankStill: null },
  mp4: `${MEDIA}/v/a.mp4`,
  previewMp4: `${MEDIA}/v/w240/a.mp4`,
  previews: { small: preview, medium: preview, w240: preview, w480: preview },
};

/** Renders the page of a search for "cat" that found one GIF, with these changes. */
function render(changes: Partial<HomePage>): string {
  return renderHome({
    ...{ q: 'cat', corrected: undefined, items: [GIF], others: [], count: 1, next: null, offers: [], problem: '' },
    ...{ progress: COMPLETE, topics: TOPICS, texts, publicUrl: MEDIA, operator: { name: 'Example', url: MEDIA } },
    ...changes,
  });
}

function tileOf(changes: Partial<Gif>): string {
  return render({ items: [{ ...GIF, ...changes }] });
}

/** Returns the URLs of a tile's two pictures: the animated preview, and the still. */
function picturesOf(changes: Partial<Gif>): (string | undefined)[] {
  const html = tileOf(changes);
  expect(html).not.toContain('.mp4');
  const pattern = /<source[^>]* srcset="([^"]*)" sizes="[^"]*">|<img src="([^"]*)"/g;
  return [...html.matchAll(pattern)].map(([, moving, still]) => moving?.replace(/ \d+w$/, '') ?? still);
}

test('a tile shows the animated preview or the still, and never the MP4', () => {
  expect(picturesOf({})).toEqual([preview.animated, preview.still]);
  expect(picturesOf({ transparent: true })).toEqual([preview.animated, preview.still]);
});

test('a tile of a GIF without moving previews loads only its still', () => {
  const still = { ...preview, animated: null };
  const previews = { small: still, medium: still, w240: still, w480: still };
  expect(picturesOf({ previews })).toEqual([still.still]);
});

test('devices with more pixels can choose a larger moving preview', () => {
  const { previews } = GIF;
  const w480 = { width: 480, height: 320, animated: 'https://gifs.example/p/large.gif', still: preview.still };
  const html = tileOf({ previews: { ...previews, w480 } });
  expect(html).toContain(`srcset="${preview.animated} ${preview.width}w, https://gifs.example/p/large.gif 480w"`);
  const [, narrow, wide] = /sizes="\(max-width: 639px\) ([\d.]+)rem, ([\d.]+)rem"/.exec(html)!;
  const ratio = previews.medium.width / previews.medium.height;
  expect([Number(narrow), Number(wide)]).toEqual([7 * ratio, 11.5 * ratio].map((rem) => expect.closeTo(rem, 1)));
  const still = { ...previews.medium, animated: null };
  expect(tileOf({ previews: { ...previews, medium: still, w480 } })).toContain(
    'srcset="https://gifs.example/p/large.gif 480w"',
  );
});

test('if nothing was found, the page offers other searches and shows what is popular', () => {
  const html = render({ q: 'hapy <b>', count: 0, offers: ['happy & glad', 'harp'] });
  expect(html).toContain('Nothing found for “<bdi>hapy &#60;b&#62;</bdi>”.</p>');
  expect(html).toContain('Try another word or one of the topics.');
  expect(html).toContain('<a class="chip" href="/?q=happy%20%26%20glad" dir="auto">happy &#38; glad</a>');
  expect(html).toContain('<h2 class="popular">Popular here</h2>');
  expect(html).toContain('<svg class="drawing"');
  expect(html).toContain(GIF.url);
  expect(render({ q: 'x', count: 0, items: [] })).not.toMatch(/[Pp]opular|Similar searches/);
  expect(render({ q: '', count: 0, items: [] })).not.toContain('class="drawing"');
});

test('popular GIFs below a short list are a list of their own', () => {
  const [found, popular] = [GIF, { ...GIF, url: `${MEDIA}/m/popular.gif`, id: 'popular.gif' }];
  const of = (others: Gif[]) => render({ items: [found], others });
  const [first = '', second = ''] = of([popular]).split('<h2 class="popular">Popular here</h2>');
  expect([first.includes(found.id), first.includes(popular.id)]).toEqual([true, false]);
  expect(second).toMatch(/^\n<ul class="tiles" aria-label="Popular here">/);
  expect([second.includes('/a.gif"'), second.includes('popular.gif')]).toEqual([false, true]);
  expect(of([])).not.toMatch(/[Pp]opular/);
});

test('the page suggests topics, at most fourteen', () => {
  const of = (topics: readonly string[]) => render({ q: 'R&B', items: [], count: 0, topics });
  const html = of(TOPICS);
  expect(html).toContain('<a class="chip" href="/?q=R%26B" dir="auto" aria-current="true">R&#38;B</a>');
  expect(of(Array.from({ length: 20 }, (_, i) => `topic${i}`)).match(/href="\/\?q=topic/g)).toHaveLength(14);
});

test('a tile shows the placeholder instead of a still that shows nothing', () => {
  expect(picturesOf({ blankStill: true })).toEqual([preview.animated, LQIP]);
  expect(picturesOf({ blankStill: true, lqip: null })).toEqual([preview.animated, preview.still]);
});

test('a tile has the URL of the small still, unless the tile uses that still anyway or the still shows nothing', () => {
  const small = { ...preview, still: `${MEDIA}/p/small.png` };
  const smallOf = (changes: Partial<Gif>) => / data-small="([^"]*)"/.exec(tileOf(changes))?.[1];
  expect(smallOf({ previews: { ...GIF.previews, small } })).toBe(small.still);
  expect(smallOf({ previews: { ...GIF.previews, small }, blankStill: true })).toBeUndefined();
  expect(smallOf({})).toBeUndefined();
});

test('while GIFs are being added, the page reports this, and the number of GIFs so far', () => {
  const html = (documents: number, count = 0, q = '', isGrowing = true) =>
    render({ q, count, items: [], progress: { documents, isGrowing, hasLanguages: true } });
  expect(html(0)).toContain('data-progress="0 true">The first GIFs are being drawn.');
  expect(html(36, 36)).toContain(
    'data-progress="36 true">Popular here<br>36 GIFs so far, and more are being added.</p>',
  );
  expect(html(36, 36, '', false)).toContain('role="status">Popular here</p>');
  const more = '36 GIFs so far, and more are being added.';
  expect(html(36, 2, 'gm')).toContain(`data-progress="36 true">2 GIFs for “<bdi>gm</bdi>”<br>${more}</p>`);
  expect(html(36, 0, 'gm')).toContain(`Nothing found for “<bdi>gm</bdi>”.<br>${more}</p>`);
  expect(html(0, 0, '', false)).toContain('The catalogue is empty.');
});

test('while other languages are being prepared, a page without results reports this', () => {
  const html = (hasLanguages: boolean, count: number) =>
    render({ q: 'gato', count, progress: { ...COMPLETE, hasLanguages } });
  const hint = 'Words in other languages are still being prepared.';
  expect(html(false, 0)).toMatch(new RegExp(`data-progress="36 false">Nothing found[^]*<p class="hint">${hint}`));
  expect(html(false, 1)).toContain('data-progress="36 false">1 GIF for');
  expect(html(false, 1)).not.toContain(hint);
  expect(html(true, 0)).not.toMatch(/data-progress|Words in other/);
});

test('the link to more results has the whole query', () => {
  const html = render({ q: 'R&B #1', count: 99, next: 48 });
  expect(html).toContain('href="/?q=R%26B%20%231&amp;offset=48"');
});

test('previews in other services get the URL, the title and a picture of a page', () => {
  const metaOf = (q: string, items: Gif[]) => {
    const html = render({ q, items });
    return Object.fromEntries(Array.from(html.matchAll(/property="og:(\w+)" content="([^"]*)"/g), (m) => m.slice(1)));
  };
  expect(metaOf('', [])).toEqual({
    ...{ type: 'website', site_name: 'GIFs from Example', title: 'GIFs from Example', url: `${MEDIA}/` },
  });
  expect(metaOf('R&B', [GIF])).toMatchObject({
    ...{ title: 'R&#38;B · GIFs from Example', url: `${MEDIA}/?q=R%26B`, image: preview.animated },
  });
});

test('only the page without a search has the large heading', () => {
  const heroes = ['', 'cat'].map((q) => render({ q }).includes('<body class="hero">'));
  expect(heroes).toEqual([true, false]);
});

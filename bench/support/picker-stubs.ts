import type { Route } from 'playwright-core';
import sharp from 'sharp';
import type { Gif, Preview } from '../../packages/client/src/index.ts';
import { blocksGif } from '../../test/support/catalogue.ts';

/*
 * Returns the same GIFs in the formats of three services' APIs, with the fields that the pickers read. No request
 * reaches a network, because the browser's requests are intercepted, and the responses come from here.
 */

/** Number of results of each service for any query. */
const GIFS = 200;
const WIDTH = 200;
/** Milliseconds until a response arrives, like from a nearby server, and milliseconds until an image arrives. */
const ANSWER_MS = 120;
const IMAGE_MS = 80;

export const APP = 'https://app.example/';
const OURS = 'https://gifs.example';

const heightOf = (n: number) => 120 + ((n * 53) % 160);
const titleOf = (n: number) => `Good morning ${n}`;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Responds to a request from the page with the given script. */
export async function answer(route: Route, script: string): Promise<void> {
  const url = new URL(route.request().url());
  const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
  if (url.origin === new URL(APP).origin) return route.fulfill(pageOf(url.pathname, script));
  const image = /\/(\d+)\.(gif|png)$/.exec(url.pathname);
  if (image !== null) {
    const n = Number(image[1]);
    await pause(IMAGE_MS + (n % 5) * 40);
    return route.fulfill({ headers, contentType: `image/${image[2]}`, body: await pictureOf(n, image[2] === 'png') });
  }
  if (route.request().method() !== 'GET') return route.fulfill({ headers, status: 200 });
  const json = jsonOf(url);
  await pause(ANSWER_MS);
  return route.fulfill(json === undefined ? { headers, status: 404 } : { headers, json });
}

function pageOf(pathname: string, script: string): { contentType: string; body: string } {
  if (pathname === '/app.js') return { contentType: 'text/javascript', body: script };
  const body = `<!doctype html><html lang="en"><title>App</title><meta name="viewport" content="width=device-width">
    <main><h1>App</h1><div id="app" style="width: 600px"></div></main><script type="module" src="/app.js"></script>`;
  return { contentType: 'text/html', body };
}

const pictures = new Map<string, Promise<Uint8Array>>();

function pictureOf(n: number, isStill: boolean): Promise<Buffer> {
  const key = `${n} ${isStill}`;
  const known = pictures.get(key) ?? drawn(n, isStill);
  pictures.set(key, known);
  return known.then((bytes) => Buffer.from(bytes));
}

async function drawn(n: number, isStill: boolean): Promise<Uint8Array> {
  const gif = blocksGif({ width: WIDTH, height: heightOf(n), delays: [20, 20, 20, 20], seed: n });
  return isStill ? sharp(gif).png().toBuffer() : gif;
}

function jsonOf({ hostname, pathname, searchParams }: URL): object | undefined {
  const limit = Number(searchParams.get('limit') ?? 25);
  const offset = Number(searchParams.get('offset') ?? searchParams.get('pos') ?? 0);
  const query = searchParams.get('q') ?? '';
  // Each query gets different GIFs.
  const from = [...query].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000, 0) * 1_000;
  const numbers = Array.from({ length: GIFS }, (_, n) => from + n).slice(offset, offset + limit);
  if (hostname === 'gifs.example') return ofOurs(pathname, query, { offset, limit, items: numbers.map(gifOf) });
  if (hostname === 'api.giphy.com') return ofGiphy(pathname, numbers, offset);
  if (hostname === 'tenor.googleapis.com') return ofTenor(pathname, numbers, offset);
  return undefined;
}

function ofOurs(pathname: string, q: string, page: object): object | undefined {
  const known = { build: 'b', gen: 1, q };
  if (pathname.endsWith('/search')) return { ...known, semantic: true, count: GIFS, ...page };
  if (pathname.endsWith('/suggest')) return { ...known, terms: [{ term: 'good morning', kind: 'tag', n: GIFS }] };
  if (pathname.endsWith('/gif-search.json')) return { attribution: { text: 'GIFs from Example', url: OURS } };
  return undefined;
}

function gifOf(n: number): Gif {
  const address = `${OURS}/p/r/${n}`;
  const preview: Preview = { width: WIDTH, height: heightOf(n), animated: `${address}.gif`, still: `${address}.png` };
  return {
    id: `${n}.gif`,
    ...{ sha256: null, verified: true },
    url: `${OURS}/${n}.gif`,
    ...{ width: WIDTH, height: heightOf(n), frames: 4, duration: 0.8, bytes: 9_000, format: 'gif' },
    ...{ title: titleOf(n), tags: ['gm'], lqip: null, transparent: null, blankStill: null },
    ...{ mp4: null, previewMp4: null },
    previews: { small: preview, medium: preview, w240: preview, w480: preview },
  };
}

function ofGiphy(pathname: string, numbers: number[], offset: number): object {
  const meta = { status: 200, msg: 'OK', response_id: 'r' };
  if (pathname.endsWith('/trending/searches')) return { data: ['good morning', 'coffee'], meta };
  if (pathname.endsWith('/channels/search'))
    return { data: [], meta, pagination: { total_count: 0, count: 0, offset } };
  const data = numbers.map((n) => {
    const url = `https://media1.giphy.com/media/${n}.gif`;
    const image = { url, webp: url, width: String(WIDTH), height: String(heightOf(n)), size: '9000' };
    const still = { ...image, url: url.replace('.gif', '.png') };
    const names = ['original', 'fixed_width', 'fixed_width_downsampled', 'fixed_height', 'downsized'];
    const images = { ...Object.fromEntries(names.map((name) => [name, image])), fixed_width_still: still };
    const said = { title: `${titleOf(n)} GIF by Example`, alt_text: titleOf(n), analytics_response_payload: 'e' };
    return { type: 'gif', id: `g${n}`, url: `https://giphy.com/gifs/${n}`, ...said, images, user: null };
  });
  return { data, meta, pagination: { total_count: GIFS, count: data.length, offset } };
}

function ofTenor(pathname: string, numbers: number[], offset: number): object {
  const address = (n: number) => `https://media.tenor.com/${n}.gif`;
  if (pathname.endsWith('/categories')) {
    const names = ['good morning', 'coffee', 'love', 'yes', 'no', 'wow', 'lol', 'hello', 'bye'];
    return { tags: names.map((name, n) => ({ searchterm: name, name: `#${name}`, image: address(n), path: '' })) };
  }
  if (pathname.endsWith('/registershare')) return {};
  const results = numbers.map((n) => {
    const format = { url: address(n), dims: [WIDTH, heightOf(n)], duration: 0.8, size: 9_000, preview: '' };
    const said = { title: '', content_description: titleOf(n), tags: ['gm'], created: 1, hasaudio: false };
    const urls = { itemurl: `https://tenor.com/view/${n}`, url: `https://tenor.com/${n}.gif` };
    return { id: `t${n}`, ...said, ...urls, media_formats: { gif: format, tinygif: format } };
  });
  return { results, next: String(offset + results.length) };
}

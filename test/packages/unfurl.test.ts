import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Gif } from '../../packages/client/src/index.ts';
import { writeFiles } from '../support/catalogues.ts';
import { parts } from '../support/parts.ts';
import { prepareData } from '../support/prepared-data.ts';
import { type Server, startServer, temporaryFolder } from '../support/server.ts';
import { TOOLS } from './app.ts';

const importTool = (file: string) => import(pathToFileURL(path.resolve(TOOLS, file)).href);

describe.skipIf(!parts.packageTools)('a link to a GIF, as other services show it', () => {
  const folder = temporaryFolder();
  let server: Server;
  let gif: Gif;
  let page: string;

  beforeAll(async () => {
    await prepareData(inject('prepared'), folder.path, writeFiles);
    server = await startServer(`${folder.path}/data`, { ZOETROPE_EMBEDDER: 'none' });
    const found = await (await server.get('/api/v1/search?q=harbour')).json();
    [gif] = (found as { items: [Gif] }).items;
    page = `${server.url}/g/${gif.id.slice(0, -4)}`;
  });

  afterAll(async () => {
    await server?.stop();
    folder[Symbol.dispose]();
  });

  it('has picture, size, title and video for open-graph-scraper', async () => {
    const { default: scrape } = await importTool('open-graph-scraper/dist/esm/index.js');
    const { result } = await scrape({ url: page });
    const { w480 } = gif.previews;
    expect(result).toMatchObject({
      ...{ ogTitle: gif.title, ogUrl: page, twitterCard: 'summary_large_image' },
      ogImage: [{ url: w480.animated, width: String(w480.width), height: String(w480.height), type: 'image/webp' }],
      ogVideo: [{ url: gif.mp4, width: String(gif.width), height: String(gif.height), type: 'video/mp4' }],
    });
  });

  it('has picture, size, title, video and its oEmbed description for unfurl.js', async () => {
    const { unfurl } = await importTool('unfurl.js/dist/index.js');
    const { width, height, animated: url } = gif.previews.w480;
    expect(await unfurl(page)).toMatchObject({
      open_graph: {
        title: gif.title,
        images: [{ url, width, height }],
        videos: [{ url: gif.mp4, width: gif.width, height: gif.height }],
      },
      oEmbed: { type: 'photo', title: gif.title, url, width, height },
    });
  });

  it('has picture, title and video for link-preview-js', async () => {
    const { getPreviewFromContent } = await importTool('link-preview-js/build/index.js');
    const answer = await fetch(page);
    const headers = Object.fromEntries(answer.headers);
    const preview = await getPreviewFromContent({ url: page, data: await answer.text(), headers });
    expect(preview).toMatchObject({
      ...{ url: page, title: gif.title, mediaType: 'video.other', contentType: 'text/html' },
      images: [gif.previews.w480.animated],
      videos: [{ url: gif.mp4, type: 'video/mp4', width: String(gif.width), height: String(gif.height) }],
    });
  });
});

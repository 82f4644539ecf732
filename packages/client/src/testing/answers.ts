import type { Gif, SearchResponse } from '../contract.ts';

/** Returns a GIF in the form in which the service returns it. Each number gives a different GIF. */
export function gif(n: number): Gif {
  const hash = n.toString(16).padStart(64, '0');
  const preview = (width: number) => ({
    width,
    height: width / 2,
    animated: `https://gifs.example/p/r1/w${width}/${hash}.gif`,
    still: `https://gifs.example/p/r1/w${width}/${hash}.png`,
  });
  return {
    id: `${hash}.gif`,
    sha256: hash,
    verified: true,
    url: `https://gifs.example/m/${hash}.gif`,
    width: 480,
    height: 240,
    frames: 10,
    duration: 1.2,
    bytes: 100_000,
    format: 'gif',
    title: `GIF ${n}`,
    tags: ['cat'],
    lqip: 'data:image/webp;base64,AAAA',
    transparent: null,
    blankStill: null,
    mp4: `https://gifs.example/v/r1/${hash}.mp4`,
    previewMp4: `https://gifs.example/v/r1/w240/${hash}.mp4`,
    previews: { small: preview(192), medium: preview(384), w240: preview(240), w480: preview(480) },
  };
}

/** Returns a search response with these items. */
export function list(items: readonly unknown[]): SearchResponse {
  return {
    build: 'b1',
    gen: 1,
    q: 'cat',
    semantic: true,
    count: items.length,
    offset: 0,
    limit: 24,
    items: items as Gif[],
  };
}
